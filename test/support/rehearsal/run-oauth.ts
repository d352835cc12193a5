import {
  OAuthOptions,
  RehearsalOptions,
  type CaseResult,
  type RehearsalProblem,
  type RehearsalRequest,
} from '#contract/rehearsal.ts'
import { Network } from '#engine/platform/http/network.ts'
import { createRedact } from '#engine/platform/masking/redact.ts'
import { runOAuthCases } from '#engine/handlers/rehearsal/oauth/runner.ts'
import { AuthorizationServer } from '#engine/handlers/rehearsal/oauth/server.ts'
import { Stage } from '#engine/handlers/rehearsal/oauth/stage.ts'
import type { RunningClient } from './oauth-client.ts'

export const accessId = 'test-access-id'
/** Its forms in URLs, JSON and Base64 differ. */
export const accessSecret = 'access/secret+of="the" tests'

export interface OAuthRun {
  readonly problem: RehearsalProblem | null
  readonly results: readonly CaseResult[]
  readonly requests: readonly RehearsalRequest[]
}

/** Runs cases against a client in this process, with short times. */
export async function runOAuth(
  client: RunningClient,
  only: readonly string[] = [],
  settings: Partial<OAuthOptions> = {},
): Promise<OAuthRun> {
  const { startUrl, callUrl, redirectUrl } = client
  const oauth = OAuthOptions.parse({
    startUrl,
    callUrl,
    redirectUrl,
    accessId,
    // For O8, six times as long as the client waits.
    watchTime: only.length === 0 || only.includes('O8') ? 250 : 200,
    flowTimeout: 30_000,
    ...settings,
  })
  const options = {
    ...RehearsalOptions.parse({ url: startUrl, seed: 0, only: [...only], requestTimeout: 60_000 }),
    oauth,
  }
  const server = await AuthorizationServer.open(0, {
    accessId,
    accessSecret,
    redirectUrl: oauth.redirectUrl,
  })
  await using _server = server
  client.configure({ baseUrl: server.baseUrl, accessId, accessSecret })
  const redact = createRedact([accessSecret], '<API_ACCESS_SECRET>')
  const ended = new AbortController()
  const stage = new Stage({
    options,
    server,
    redact,
    publicAllowed: false,
    network: new Network(),
    signal: ended.signal,
    progress: () => undefined,
  })
  const results: CaseResult[] = []
  const requests: RehearsalRequest[] = []
  const problem = await runOAuthCases({
    options,
    stage,
    accessSecret,
    redact,
    result: (result, of) => {
      results.push(result)
      requests.push(...of)
    },
    signal: new AbortController().signal,
  })
  ended.abort()
  return { problem, results, requests }
}
