import { type Advice, answerLimit, type ApiHop } from '#contract/api.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { Timings } from '#contract/http.ts'
import { clockNote, hasEnded, type CheckedAt, spanOf } from '../clock-skew.ts'
import { type HttpAnswer, HttpFailure } from '../http/http.ts'
import { sendRequest } from '../http/request.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Log } from '../ports.ts'
import type { Tokens, UsableToken } from '../tokens/tokens.ts'
import type { KnownSecret } from './known-secrets.ts'
import { hasHeader, headersOf, type Outgoing } from './outgoing.ts'
import { redirectLimit, redirectOf } from './redirect.ts'
import type { TokenView } from '#contract/tokens.ts'

/** The request carried no token, and the service wants one. */
function withoutToken(typed: boolean): Advice {
  return {
    code: 'unauthorized_without_token',
    message: typed
      ? 'The service answered 401 to the Authorization header that you wrote. Switch it off and choose a token, or look at its value: the service wants "Bearer" and an access token.'
      : 'The service answered 401, and the request carried no token. Choose one: it goes along as a bearer token in the Authorization header.',
    section: 'Authentication 1',
  }
}

const invalid: Advice = {
  code: 'invalid',
  message:
    'The service answered 403: the token is invalid. Do not send this again unchanged. Choose another token, or authorize again.',
  section: 'Errors',
}

/** A 401 before the token's end: nothing is sent twice, since a refresh is no answer to a revocation. */
function revoked({ expires }: UsableToken, met: CheckedAt): Advice {
  if (expires === null) {
    return {
      code: 'revoked',
      message:
        'The service answered 401. It gave no end for this token, so it may have expired or been revoked. The request was not sent a second time: send it again, and if it meets 401 again, authorize again.',
      section: 'Authentication 5',
    }
  }
  const before =
    expires > met.now
      ? `${spanOf(expires - met.now)} before the token's end`
      : 'to a token that has only just been refreshed'
  return {
    code: 'revoked',
    message: `The service answered 401, ${before}: it may have been revoked, or a clock is off. The request was not sent a second time: send it again, and if it meets 401 again, authorize again.${clockNote(met)}`,
    section: 'Authentication 5',
  }
}

function refreshed({ expires }: UsableToken, status: number | null, met: CheckedAt): Advice {
  const ended = expires === null ? '' : `, ${spanOf(Math.max(0, met.now - expires))} after its end`
  const again =
    status === null
      ? 'and sending the request once more brought no answer'
      : status === 401
        ? 'but the new token met 401 as well. Authorize again'
        : 'and the request was sent once more'
  return {
    code: 'expired_refreshed',
    message: `The service answered 401 to the token${ended}. It was refreshed, ${again}.${clockNote(met)}`,
    section: 'Errors',
  }
}

/** A 401 after the token's end, and no newer one to be had; `why` is a sentence. */
function expired(
  { expires }: UsableToken,
  why: string,
  view: Pick<TokenView, 'events'>,
  met: CheckedAt,
): Advice {
  const ended =
    expires !== null && met.now >= expires
      ? `The token ended ${spanOf(met.now - expires)} ago`
      : "By the service's clock the token has ended"
  return {
    code: refreshFailed(view) ? 'expired_refresh_failed' : 'expired',
    message: `The service answered 401. ${ended}, and was not refreshed. ${why} With a fresh token the request can be sent again.${clockNote(met)}`,
    section: 'Errors',
  }
}

/** Whether the last try to refresh this very token failed. */
function refreshFailed({ events }: Pick<TokenView, 'events'>): boolean {
  const last = events.findLast(({ kind }) =>
    ['issued', 'refreshed', 'replaced', 'refresh_failed', 'refresh_unreached'].includes(kind),
  )
  return last?.kind === 'refresh_failed' || last?.kind === 'refresh_unreached'
}

export interface SendParts {
  readonly tokens: Tokens
  readonly integrations: IntegrationRegistry
  readonly log: Log
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** One request on the way, in clear text. */
export interface Hop {
  readonly outgoing: Outgoing
  readonly answer: HttpAnswer | null
  readonly timings: Timings
  readonly reason: ApiHop['reason']
}

/** How it ended. */
export interface Outcome {
  readonly hops: readonly Hop[]
  /** Why no whole answer came, or why a redirect was not followed. */
  readonly error: string | null
  readonly advice: Advice | null
}

type Wish = Pick<ParsedInput<'api.send'>, 'timeout' | 'followRedirects'>

/** The way of one request, hop by hop. */
export class RequestRunner {
  readonly hops: Hop[] = []
  readonly used = new Set<UsableToken>()
  readonly #parts: SendParts
  readonly #wish: Wish
  readonly #ownOrigin: string | null
  readonly #known: readonly KnownSecret[]
  readonly #signal: AbortSignal
  #error: string | null = null
  #advice: Advice | null = null
  /** The token that had expired; null: nothing was tried again. */
  #expired: UsableToken | null = null
  #redirects = 0
  /** Milliseconds that are left for all requests together. */
  #left: number

  constructor(
    parts: SendParts,
    wish: Wish,
    ownOrigin: string | null,
    known: readonly KnownSecret[],
    signal: AbortSignal,
  ) {
    this.#parts = parts
    this.#wish = wish
    this.#ownOrigin = ownOrigin
    this.#known = known
    this.#signal = signal
    this.#left = wish.timeout
  }

  outcome(): Outcome {
    return { hops: this.hops, error: this.#error, advice: this.#advice }
  }

  async go(first: Outgoing): Promise<void> {
    let next: Outgoing | null = first
    let reason: ApiHop['reason'] = 'sent'
    while (next) {
      const outgoing: Outgoing = next
      const answer = await this.#send(outgoing, reason)
      if (!answer) return
      const retry = await this.#judge(outgoing, answer)
      next = retry ?? this.#redirect(outgoing, answer)
      reason = retry ? 'retried' : 'redirected'
    }
  }

  async #send(outgoing: Outgoing, reason: ApiHop['reason']): Promise<HttpAnswer | null> {
    if (outgoing.bearer) this.used.add(outgoing.bearer)
    const { method, url, body } = outgoing
    try {
      const answer = await sendRequest({
        method,
        url,
        headers: headersOf(outgoing),
        body,
        timeout: Math.max(1, Math.round(this.#left)),
        maxBytes: answerLimit,
        signal: this.#signal,
      })
      this.#took({ outgoing, answer, timings: answer.timings, reason })
      return answer
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      this.#took({ outgoing, answer: error.partial, timings: error.timings, reason })
      this.#error = error.message
      return null
    }
  }

  #took(hop: Hop): void {
    this.hops.push(hop)
    this.#left -= hop.timings.total
  }

  /** What the document says of the answer (SPEC, "Errors"); the request with a fresh token where it may be tried once more. */
  async #judge(outgoing: Outgoing, answer: HttpAnswer): Promise<Outgoing | null> {
    if (outgoing.url.origin !== this.#ownOrigin) return null
    const { bearer } = outgoing
    const { status } = answer
    if (!bearer) {
      if (status === 401) this.#advice = withoutToken(hasHeader(outgoing.headers, 'authorization'))
      return null
    }
    const { tokens, log, now } = this.#parts
    const serverDate = dateOf(answer)
    const met = { now: now() / 1000, serverDate }
    await tokens
      .met(bearer, status, serverDate)
      .catch((error: unknown) => void log.error(`token ${bearer.id} could not be stored`, error))
    if (status === 403) this.#advice = invalid
    else if (this.#expired) this.#advice = refreshed(this.#expired, status, met)
    if (status !== 401 || this.#expired) return null
    const early = bearer.expires === null || !hasEnded(bearer.expires, met)
    if (early) {
      this.#advice = revoked(bearer, met)
      return null
    }
    const renewal = await beforeAbort(tokens.renew(bearer, serverDate), this.#signal)
    if (!renewal) {
      this.#error = 'The request was cancelled while its token was being refreshed.'
      return null
    }
    if (!renewal.token) {
      this.#advice = expired(bearer, renewal.why, this.#eventsOf(bearer), met)
      return null
    }
    this.#advice = refreshed(bearer, null, met)
    this.#expired = bearer
    return { ...outgoing, bearer: renewal.token }
  }

  #eventsOf({ id }: UsableToken) {
    return this.#parts.tokens.views().find((view) => view.id === id) ?? { events: [] }
  }

  #redirect(from: Outgoing, answer: HttpAnswer): Outgoing | null {
    if (!this.#wish.followRedirects) return null
    const step = redirectOf(from, answer, this.#known)
    if (!step) return null
    if ('stopped' in step) {
      this.#error = step.stopped
      return null
    }
    this.#redirects += 1
    if (this.#redirects <= redirectLimit) return step.next
    this.#error = `The service redirects in circles: ${redirectLimit} redirects were followed, and another one came.`
    return null
  }
}

/** What comes of `work`; null when the signal came first. The work goes on: others may wait for it. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null
  const { promise: aborted, resolve } = Promise.withResolvers<null>()
  const abort = (): void => resolve(null)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** When the answer was made by the clock of its server, in seconds since the epoch; null where it does not say. */
function dateOf({ headers }: HttpAnswer): number | null {
  const date = headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const at = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(at) ? null : at / 1000
}
