import type { Run } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { type LiveRunPorts, beginRun, finishRun } from '../oauth/runs.ts'
import { AppError } from '../../platform/errors.ts'
import type { HttpRequest } from '../../platform/http/http.ts'
import type { LiveRun } from '../oauth/live-run.ts'
import { exchange, exchangeTimeout } from '../oauth/token-client.ts'
import { maxTokenResponseBytes } from '../oauth/token-response.ts'
import { renderRefresh, usesPlaceholder, type RefreshValues } from './refresh-template.ts'
import type { TryRefresh } from './tokens.ts'
import { RunFailureError } from '../oauth/failures.ts'

/** Records a run with the request, the response and the result. Never follows redirects. */
export async function tryRefresh(
  context: LiveRunPorts,
  ...[options, store]: Parameters<TryRefresh>
): Promise<Run> {
  const run = await beginRun(context, {
    integrationId: options.integration.id,
    kind: 'refresh',
    agent: null,
    redirectUrl: '',
  })
  try {
    run.set({ tokenId: options.tokenId })
    await refresh(context, run, options, store)
    await run.succeed(options.tokenId)
  } catch (error) {
    if (error instanceof RunFailureError) await run.fail(error.code, error.message)
    else {
      const logId = context.ports.log.error(`the refresh of token ${options.tokenId} failed`, error)
      await run.fail('internal', `Something went wrong. See the log entry ${logId}.`)
    }
  } finally {
    finishRun(context, run)
  }
  return run.view()
}

async function refresh(
  context: LiveRunPorts,
  run: LiveRun,
  { integration, refreshToken, signal }: Parameters<TryRefresh>[0],
  store: Parameters<TryRefresh>[1],
): Promise<void> {
  if (refreshToken.value === null)
    throw new RunFailureError('refresh_no_token', refreshToken.reason)
  const request = requestOf(run, integration, valuesOf(context, integration, refreshToken.value))
  const outcome = await exchange(context, run, request, signal)
  // The API documentation does not promise a new refresh token, so a missing one is not a finding.
  const findings = outcome.findings.filter(({ code }) => code !== 'token.refresh_token_missing')
  run.addFindings(findings)
  if (outcome.failure !== null) {
    throw new RunFailureError(signal.aborted ? 'closed' : outcome.failure, outcome.detail)
  }
  const { grant } = outcome
  if ((await store(grant, findings, run.id, (reason) => run.reportUnstored(reason))) === 'stored') {
    run.step({
      kind: 'token',
      title: 'Token replaced',
      detail: grant.refreshToken
        ? null
        : 'The response has no new refresh token, so the old one is kept.',
    })
    return
  }
  run.step({
    kind: 'token',
    outcome: 'note',
    title: 'New token discarded',
    detail: 'The token was replaced, revoked in Tabscope or deleted during the refresh.',
  })
}

function requestOf(run: LiveRun, integration: Integration, values: RefreshValues): HttpRequest {
  const rendered = renderRefresh(integration.refresh.template, values, integration.baseUrl)
  if ('problem' in rendered) {
    run.step({
      kind: 'exchange',
      outcome: 'failed',
      title: 'Invalid refresh template',
      detail: rendered.problem,
    })
    throw new RunFailureError('refresh_template', rendered.problem)
  }
  const { body, ...head } = rendered.request
  return {
    ...head,
    body: body === null ? null : Buffer.from(body),
    timeout: exchangeTimeout,
    maxBytes: maxTokenResponseBytes,
  }
}

function valuesOf(
  context: LiveRunPorts,
  { id, name, baseUrl, accessId, refresh: { template } }: Integration,
  refreshToken: string,
): RefreshValues {
  if (baseUrl === '') {
    throw new RunFailureError(
      'not_ready',
      `The integration ${quoteForeign(name)} has no base URL. Enter it.`,
    )
  }
  if (accessId === '' && usesPlaceholder(template, 'access_id')) {
    throw new RunFailureError(
      'not_ready',
      `The integration ${quoteForeign(name)} has no access ID. Enter it.`,
    )
  }
  const values = { refresh_token: refreshToken, access_id: accessId, access_secret: '' }
  if (!usesPlaceholder(template, 'access_secret')) return values
  try {
    return { ...values, access_secret: context.integrations.accessSecret(id) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const code = error.code === 'secret_unavailable' ? 'secret_unavailable' : 'not_ready'
    throw new RunFailureError(code, error.message)
  }
}
