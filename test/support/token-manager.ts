import type { Run, RunFailureCode } from '#contract/authorization.ts'
import { defaultRefreshRule } from '#contract/default-refresh.ts'
import type { Integration } from '#contract/integrations.ts'
import type { TokenView } from '#contract/tokens.ts'
import type { TokenGrant } from '#engine/authorization/oauth/token-response.ts'
import type { SecretBox } from '#engine/platform/ports.ts'
import {
  deleteToken,
  insertToken,
  readTokens,
  updateToken,
} from '#engine/authorization/tokens/store.ts'
import { TokenManager } from '#engine/authorization/tokens/manager.ts'
import type { TryRefresh } from '#engine/authorization/tokens/tokens.ts'
import type { TokenWriter } from '#engine/authorization/tokens/vault.ts'
import { fakeClock, type FakeClock } from './fake-clock.ts'
import { silentLog, type SilentLog } from './fake-handlers.ts'
import { storeWith, type TestStore } from './test-store.ts'
import { sampleRun } from './event-log/sample-log.ts'

/** A box that reverses the bytes, so that no sealed value contains the clear one. */
export const reversingBox: SecretBox = {
  seal: async (clear) => Buffer.from(Buffer.from(clear).toReversed()),
  unseal: async (sealed) => Buffer.from(Buffer.from(sealed).toReversed()).toString(),
}

/** A grant that is valid from `at` for `lifetime`, both in seconds. */
export function grantAt(at: number, lifetime = 86_400, name = 'first'): TokenGrant {
  return {
    token: `access-token-${name}-0001`,
    refreshToken: `refresh-token-${name}-0001`,
    initiated: at,
    expires: at + lifetime,
    expiresIn: lifetime,
  }
}

/** The result of one attempt: a grant, the message of a failure, or an error. */
export type RefreshResult = () => Promise<TokenGrant | string>

/** The message of `bring` if the service could not be reached. */
export const connectionFailure = 'Nothing listens there.'

/** The message of `bring` if the service limits requests, and asks to wait two hours. */
export const rateLimited = 'Too many requests.'

export interface TokenManagerTest {
  readonly manager: TokenManager
  readonly clock: FakeClock
  readonly store: TestStore
  readonly log: SilentLog
  readonly pushes: TokenView[][]
  /** The attempts with the template. */
  readonly tries: { refreshToken: string | null }[]
  /** The times at which the template was reported to work. */
  readonly proofs: number[]
  bring: RefreshResult
  integration: Integration
  /** Stores a token of the integration now. */
  kept(grant?: TokenGrant, label?: string): Promise<TokenView>
  kinds(id: number): string[]
}

const integration: Integration = {
  id: 1,
  name: 'Sandbox',
  kind: 'sandbox',
  brand: 'Service',
  baseUrl: 'http://127.0.0.1:1',
  accessId: 'acc',
  accessSecret: { set: true, ending: null, unavailable: false },
  redirectUrls: [],
  redirectUrl: '',
  refresh: { ...defaultRefreshRule, provenAt: 1 },
}

export interface TokenManagerOptions {
  readonly store?: TestStore
  readonly clock?: FakeClock
  readonly secrets?: SecretBox
  readonly background?: boolean
  /** Called before a token is written. Its error is thrown as that of the storage. */
  readonly storing?: () => void
}

/** Opens a token manager on a real store, with a fake clock and simulated refreshes. */
export async function openTokenManager(
  options: TokenManagerOptions = {},
): Promise<TokenManagerTest> {
  const { store = storeWith(), clock = fakeClock(), background = true } = options
  const { db } = store
  const log = silentLog()
  const pushes: TokenView[][] = []
  const tries: TokenManagerTest['tries'] = []
  const proofs: number[] = []
  const writer: TokenWriter = {
    insert: async (fields) => {
      options.storing?.()
      return insertToken(db, fields)
    },
    update: async (token, wipe) => {
      options.storing?.()
      updateToken(db, token, wipe)
    },
    remove: async (id) => deleteToken(db, id),
  }
  const tryRefresh: TryRefresh = async ({ tokenId, refreshToken }, take) => {
    tries.push({ refreshToken: refreshToken.value })
    const run = runOf(tries.length, tokenId)
    const brought = refreshToken.value === null ? refreshToken.reason : await test.bring()
    if (typeof brought === 'string') {
      const codes: Readonly<Record<string, RunFailureCode>> = {
        [connectionFailure]: 'token_unreachable',
        [rateLimited]: 'token_rate_limited',
      }
      const code = codes[brought] ?? 'token_refused'
      const failure = { code, message: brought, meaning: '', remedy: '' }
      const steps = brought === rateLimited ? [rateLimitedStep] : []
      return { ...run, state: 'failed', failure, steps } satisfies Run
    }
    await take(brought, [], run.id, (reason) => log.warn(reason))
    return run
  }
  const manager = new TokenManager({
    clock,
    secrets: options.secrets ?? reversingBox,
    log,
    writer,
    integrations: { view: () => test.integration },
    tryRefresh,
    proven: async (_, at) => void proofs.push(at),
    changed: (views) => void pushes.push(views),
    background,
  })
  const test: TokenManagerTest = {
    manager,
    clock,
    store,
    log,
    pushes,
    tries,
    proofs,
    bring: async () => 'nothing to bring',
    integration,
    kept: (grant = grantAt(clock.now() / 1000), label = '') =>
      manager.keep(grant, { integrationId: 1, label, replaces: null, runId: 7, findings: [] }),
    kinds: (id) => manager.view(id).events.map(({ kind }) => kind),
  }
  await manager.open(readTokens(db))
  return test
}

const rateLimitedStep: Run['steps'][number] = {
  kind: 'response',
  at: 0,
  durationMs: null,
  outcome: 'failed',
  title: '429',
  detail: null,
  facts: [],
  request: null,
  response: {
    status: 429,
    statusText: '',
    httpVersion: '1.1',
    headers: [['Retry-After', '7200']],
    body: '',
    bytes: 0,
    truncated: false,
  },
  timings: null,
}

const runOf = (id: number, tokenId: number): Run => ({
  ...sampleRun,
  id,
  tokenId,
  startedAt: 0,
  endedAt: 0,
})

/** With a token that was granted now. */
export async function withToken(): Promise<TokenManagerTest> {
  const test = await openTokenManager()
  await test.kept()
  return test
}
