import type { RunPorts, LiveRun } from './live-run.ts'
import { HttpFailure, type HttpRequest } from '../../platform/http/http.ts'
import { sendRequest } from '../../platform/http/request.ts'
import { tokenUrl } from './authorize-url.ts'
import { recordResponse, recordRequest } from './record.ts'
import {
  decodeTokenResponse,
  maskedForms,
  maxTokenResponseBytes,
  readTokenResponse,
  refuse,
  type DecodedResponse,
  type TokenOutcome,
} from './token-response.ts'
import { maskSecretFields } from '../../platform/masking/secret-fields.ts'

export const exchangeTimeout = 30_000

/** JSON and its two headers (API documentation, "Token endpoint"). Throws if the base URL is invalid. */
export function exchangeRequest(of: {
  baseUrl: string
  accessId: string
  accessSecret: string
  code: string
}): HttpRequest {
  return {
    method: 'POST',
    url: tokenUrl(of.baseUrl),
    headers: [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
    ],
    body: Buffer.from(
      JSON.stringify({
        grant_type: 'authorization_code',
        api_access_id: of.accessId,
        api_access_secret: of.accessSecret,
        code: of.code,
      }),
    ),
    timeout: exchangeTimeout,
    maxBytes: maxTokenResponseBytes,
  }
}

/**
 * Sends a request for a code exchange or a refresh once, checks the response, and records both as steps. The run's masker must already know the
 * secrets in the request. Never follows redirects and never retries.
 */
export async function exchange(
  context: RunPorts,
  run: LiveRun,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<TokenOutcome> {
  const { clock } = context
  const { masker } = run
  const startedAt = clock.now()
  const change = run.step({
    kind: 'exchange',
    outcome: 'waiting',
    title: `${request.method} ${request.url.pathname}`,
    request: recordRequest(masker, request),
  })
  const read = (decoded: DecodedResponse): TokenOutcome =>
    readTokenResponse(decoded, clock.now(), (text) => maskSecretFields(masker, text))
  const deadline = new AbortController()
  const clearDeadline = clock.after(request.timeout, () => deadline.abort())
  try {
    const aborted = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
    const response = await sendRequest({ ...request, signal: aborted }, context.network)
    change({ outcome: 'ok', durationMs: clock.now() - startedAt, timings: response.timings })
    const decoded = await decodeTokenResponse(response)
    const outcome = read(decoded)
    recordOutcome(run, decoded, outcome)
    return outcome
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    change({
      outcome: 'failed',
      durationMs: clock.now() - startedAt,
      timings: error.timings,
      detail: error.message,
    })
    const partial = error.partial && (await decodeTokenResponse(error.partial))
    const outcome = outcomeOf(
      error,
      partial && { status: partial.status, outcome: read(partial) },
      deadline.signal.aborted,
    )
    if (partial) recordOutcome(run, partial, outcome)
    return outcome
  } finally {
    clearDeadline()
  }
}

function recordOutcome(run: LiveRun, response: DecodedResponse, outcome: TokenOutcome): void {
  const { masker } = run
  const { grant } = outcome
  if (grant) {
    for (const value of maskedForms(grant.token)) masker.hold('access_token', 'Access token', value)
    for (const value of maskedForms(grant.refreshToken ?? '')) {
      masker.hold('refresh_token', 'Refresh token', value)
    }
  }
  const recorded = recordResponse(masker, response)
  run.step({
    kind: 'response',
    outcome: outcome.failure === null ? 'ok' : 'failed',
    title: `${response.status} ${response.statusText}`.trim(),
    detail: outcome.failure === null ? null : outcome.detail,
    response: response.isReadable ? recorded : { ...recorded, body: null },
  })
}

function outcomeOf(
  error: HttpFailure,
  partial: { status: number; outcome: TokenOutcome } | null,
  late: boolean,
): TokenOutcome {
  if (late || error.code === 'timeout') {
    return refuse(
      'token_timeout',
      `The token endpoint did not respond within ${exchangeTimeout / 1000} seconds.`,
    )
  }
  if (error.code === 'aborted') return refuse('cancelled', 'The exchange was cancelled.')
  if (error.code === 'tls') return refuse('token_tls', error.message)
  if (!partial) return refuse('token_unreachable', error.message)
  const { status, outcome } = partial
  if (status < 200 || status >= 300) return outcome
  const { grant, findings } = outcome
  const detail = `${error.message} Its response is incomplete.`
  return refuse('token_truncated', detail, { grant, findings })
}
