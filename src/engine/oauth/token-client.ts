import type { RunFailureCode } from '#contract/authorization.ts'
import type { RunPorts } from './ports.ts'
import { HttpFailure, type HttpAnswer, type HttpRequest } from '../platform/http/http.ts'
import { sendRequest } from '../platform/http/request.ts'
import { tokenUrl } from './authorize-url.ts'
import type { LiveRun } from './live-run.ts'
import { recordAnswer, recordRequest } from './record.ts'
import { largestTokenAnswer, readTokenAnswer, type TokenOutcome } from './token-response.ts'

/** Milliseconds for a whole exchange. */
export const exchangeTimeout = 30_000

/** The exchange of a code (SPEC, "Token endpoint"): its JSON and exactly its two headers. Throws when the base URL is no URL. */
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
    maxBytes: largestTokenAnswer,
  }
}

/**
 * Sends a request to a token endpoint once, and checks its answer; both become steps of the run. What the request carries must be held by the run's
 * masker before. For the exchange of a code and for a refresh alike; a redirect is not followed, and nothing is tried again.
 */
export async function exchange(
  context: RunPorts,
  run: LiveRun,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<TokenOutcome> {
  const { clock } = context
  const { masker } = run
  const begun = clock.now()
  const change = run.step({
    kind: 'exchange',
    outcome: 'waiting',
    title: `${request.method} ${request.url.pathname}`,
    request: recordRequest(masker, request),
  })
  const late = new AbortController()
  const tooLate = clock.after(request.timeout, () => late.abort())
  try {
    const answer = await sendRequest({
      ...request,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    change({ outcome: 'ok', took: clock.now() - begun, timings: answer.timings })
    const outcome = readTokenAnswer(answer, clock.now())
    tellAnswer(run, answer, outcome)
    return outcome
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    change({
      outcome: 'failed',
      took: clock.now() - begun,
      timings: error.timings,
      detail: error.message,
    })
    const outcome = outcomeOf(error, late.signal.aborted, clock.now())
    if (error.partial) tellAnswer(run, error.partial, outcome)
    return outcome
  } finally {
    tooLate()
  }
}

function tellAnswer(run: LiveRun, answer: HttpAnswer, outcome: TokenOutcome): void {
  const { masker } = run
  const { grant } = outcome
  if (grant) {
    masker.hold('access_token', 'Access token', grant.token)
    if (grant.refreshToken) masker.hold('refresh_token', 'Refresh token', grant.refreshToken)
  }
  run.step({
    kind: 'answer',
    outcome: outcome.failure === null ? 'ok' : 'failed',
    title: `${answer.status} ${answer.statusText}`.trim(),
    detail: outcome.failure === null ? null : outcome.detail,
    answer: recordAnswer(masker, answer),
  })
}

function failed(failure: RunFailureCode, detail: string): TokenOutcome {
  return { failure, detail, grant: null, findings: [] }
}

function outcomeOf(error: HttpFailure, late: boolean, now: number): TokenOutcome {
  if (late || error.code === 'timeout') {
    return failed(
      'token_timeout',
      `The token endpoint did not answer within ${exchangeTimeout / 1000} seconds.`,
    )
  }
  if (error.code === 'aborted') return failed('cancelled', 'The exchange was broken off.')
  if (error.code === 'tls') return failed('token_tls', error.message)
  if (!error.partial) return failed('token_unreachable', error.message)
  const seen = readTokenAnswer(error.partial, now)
  const { status } = error.partial
  if (status < 200 || status >= 300) return seen
  return {
    failure: 'token_truncated',
    detail: `${error.message} Its response is incomplete.`,
    grant: seen.grant,
    findings: seen.findings,
  }
}
