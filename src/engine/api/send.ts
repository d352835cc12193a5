import type { Advice, ApiHop } from '#contract/api.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { Timings } from '#contract/http.ts'
import { answerLimit } from '#contract/api.ts'
import { AppError } from '../errors.ts'
import { HttpFailure, type HttpAnswer } from '../http/http.ts'
import { sendRequest } from '../http/request.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Log } from '../ports.ts'
import type { Tokens, UsableToken } from '../tokens/tokens.ts'
import { expired, invalid, refreshed, revoked, withoutToken } from './advice.ts'
import { knownSecrets, type KnownSecret } from './known-secrets.ts'
import { hasHeader, headersOf, outgoingOf, strayingSecrets, type Outgoing } from './outgoing.ts'
import { redirectLimit, redirectOf } from './redirect.ts'
import { originOf } from './target.ts'

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

/** All that came of one send, in clear text. */
export interface Sent {
  readonly hops: readonly Hop[]
  readonly error: string | null
  readonly advice: Advice | null
  /** The secrets that were held before or after: a refresh on the way changes them. */
  readonly known: readonly KnownSecret[]
}

type Wish = ParsedInput<'api.send'>

/**
 * Sends, follows redirects, and once tries again with a fresh token where a 401 says that it expired. Nothing else is ever sent twice.
 * Throws `bad_input`, `not_found`, `token_unusable` or `other_origin` before anything is sent.
 */
export async function send(parts: SendParts, wish: Wish, signal: AbortSignal): Promise<Sent> {
  const known = knownSecrets(parts)
  const { baseUrl } = parts.integrations.view(wish.integrationId)
  const token = tokenOf(parts, wish)
  const first = outgoingOf(wish, baseUrl, token, known)
  if (!wish.allowOtherOrigin) assertOwnOrigin(first, baseUrl, known)
  const way = new Way(parts, wish, originOf(baseUrl), known, signal)
  await way.go(first)
  return { ...way.outcome(), known: [...knownSecrets(parts), ...stale(way, known)] }
}

/** Those of before that are others now, and those that went along. */
function stale({ used }: Way, known: readonly KnownSecret[]): KnownSecret[] {
  const sent = [...used].map(({ id, value }) => ({
    name: `token_${id}`,
    label: 'Access token, as it was sent',
    value,
    origin: null,
  }))
  return [...known, ...sent]
}

function tokenOf({ tokens }: SendParts, { tokenId, integrationId }: Wish): UsableToken | null {
  if (tokenId === null) return null
  const token = tokens.use(tokenId)
  if (token.integrationId === integrationId) return token
  throw new AppError(
    'bad_input',
    'The token belongs to another integration. Choose one of this integration, or none.',
    { details: { fields: ['tokenId'] } },
  )
}

function assertOwnOrigin(outgoing: Outgoing, baseUrl: string, known: readonly KnownSecret[]): void {
  const { origin } = outgoing.url
  const own = originOf(baseUrl)
  const [straying] = strayingSecrets(outgoing, known)
  if (!straying && (!outgoing.bearer || origin === own)) return
  throw new AppError(
    'other_origin',
    straying
      ? `The request would take a secret to ${origin}, which is not its integration's: ${straying.label}. Take it out, or allow it for this request.`
      : `The token would go to ${origin}, which is not the integration's. Send without a token, or allow it for this request.`,
    { details: { origin, integrationOrigin: own ?? '' } },
  )
}

/** The way of one request, hop by hop. */
class Way {
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

  outcome(): Omit<Sent, 'known'> {
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
    const early = bearer.expires === null || !isOver(bearer.expires, met)
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

/** By our clock or by the service's, whose word `expires` is. In seconds since the epoch. */
function isOver(expires: number, { now, serverDate }: { now: number; serverDate: number | null }) {
  return now >= expires || (serverDate !== null && serverDate >= expires)
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
