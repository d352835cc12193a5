import type { Run, RunFailureCode } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import type { LiveRunPorts } from '../oauth/runs.ts'
import { AppError } from '../platform/errors.ts'
import type { HttpRequest } from '../platform/http/http.ts'
import type { LiveRun } from '../oauth/live-run.ts'
import { beginRun, ended } from '../oauth/runs.ts'
import { exchange, exchangeTimeout } from '../oauth/token-client.ts'
import { largestTokenAnswer } from '../oauth/token-response.ts'
import { renderRefresh, usesPlaceholder, type RefreshValues } from './refresh-template.ts'
import type { TryRefresh } from './refresher.ts'

/** Why a run ends here; `message` is a sentence without a value. */
class Failed extends Error {
  readonly code: RunFailureCode

  constructor(code: RunFailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Tries the refresh template once, and records it as a run: request, answer, and what became of the token. Never follows a redirect. */
export async function tryRefresh(
  context: LiveRunPorts,
  ...[of, take]: Parameters<TryRefresh>
): Promise<Run> {
  const run = await beginRun(context, {
    integrationId: of.integration.id,
    kind: 'refresh',
    agent: null,
    redirectUrl: '',
  })
  try {
    run.set({ tokenId: of.tokenId })
    await refresh(context, run, of, take)
    await run.succeed(of.tokenId)
  } catch (error) {
    if (error instanceof Failed) await run.fail(error.code, error.message)
    else {
      const logId = context.ports.log.error(`the refresh of token ${of.tokenId} failed`, error)
      await run.fail('internal', `Something went wrong. See the log entry ${logId}.`)
    }
  } finally {
    ended(context, run)
  }
  return run.view()
}

async function refresh(
  context: LiveRunPorts,
  run: LiveRun,
  { integration, refreshToken, signal }: Parameters<TryRefresh>[0],
  take: Parameters<TryRefresh>[1],
): Promise<void> {
  if (refreshToken.value === null) throw new Failed('refresh_no_token', refreshToken.why)
  const request = requestOf(run, integration, valuesOf(context, integration, refreshToken.value))
  const outcome = await exchange(context, run, request, signal)
  // The document promises no new refresh token, and the old one stays.
  const findings = outcome.findings.filter(({ code }) => code !== 'token.refresh_token_missing')
  run.found(findings)
  if (outcome.failure !== null) {
    // Kept by the user's decision it takes the place of the old token, whose refresh token stays as well.
    if (outcome.grant) {
      const { refreshToken: given } = outcome.grant
      run.keepAside({ ...outcome.grant, refreshToken: given ?? refreshToken.value })
    }
    throw new Failed(signal.aborted ? 'closed' : outcome.failure, outcome.detail)
  }
  const { grant } = outcome
  if ((await take(grant, findings, run.id, (reason) => run.isUnstored(reason))) === 'taken') {
    run.step({
      kind: 'token',
      title: 'The new token is in the place of the old',
      detail: grant.refreshToken ? null : 'There is no new refresh token: the old one is kept.',
    })
    return
  }
  run.step({
    kind: 'token',
    outcome: 'note',
    title: 'The new token was not accepted',
    detail: 'The token was replaced, revoked here or deleted while it was refreshed.',
  })
}

/** Throws `Failed` when the template makes no request. */
function requestOf(run: LiveRun, integration: Integration, values: RefreshValues): HttpRequest {
  const rendered = renderRefresh(integration.refresh.template, values, integration.baseUrl)
  if ('problem' in rendered) {
    run.step({
      kind: 'exchange',
      outcome: 'failed',
      title: 'The refresh template makes no request',
      detail: rendered.problem,
    })
    throw new Failed('refresh_template', rendered.problem)
  }
  const { body, ...head } = rendered.request
  return {
    ...head,
    body: body === null ? null : Buffer.from(body),
    timeout: exchangeTimeout,
    maxBytes: largestTokenAnswer,
  }
}

/** The values that the template asks for. Throws `Failed` when one of them is not there. */
function valuesOf(
  context: LiveRunPorts,
  { id, name, baseUrl, accessId, refresh: { template } }: Integration,
  refreshToken: string,
): RefreshValues {
  if (baseUrl === '') {
    throw new Failed('not_ready', `The integration "${name}" has no base URL. Enter it.`)
  }
  if (accessId === '' && usesPlaceholder(template, 'access_id')) {
    throw new Failed('not_ready', `The integration "${name}" has no access id. Enter it.`)
  }
  const values = { refresh_token: refreshToken, access_id: accessId, access_secret: '' }
  if (!usesPlaceholder(template, 'access_secret')) return values
  try {
    return { ...values, access_secret: context.integrations.accessSecret(id) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const code = error.code === 'secret_unavailable' ? 'secret_unavailable' : 'not_ready'
    throw new Failed(code, error.message)
  }
}
