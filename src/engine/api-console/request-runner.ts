import { type ApiRequest, type Advice, answerLimit, type ApiHop } from '#contract/api.ts'
import type { Header } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'
import { faultOf } from '../platform/http/request-head.ts'
import type { UsableToken, Tokens } from '../tokens/tokens.ts'
import { fillIn, type KnownSecret, knownSecrets, RecordMasker } from './masking.ts'
import { targetOf, originOf } from './target.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { Timings } from '#contract/http.ts'
import { clockNote, hasEnded, type CheckedAt } from '../platform/clock-skew.ts'
import { type HttpAnswer, HttpFailure } from '../platform/http/http.ts'
import { sendRequest } from '../platform/http/request.ts'
import type { IntegrationRegistry } from '../integrations/registry.ts'
import type { Log } from '../platform/ports.ts'
import type { TokenView } from '#contract/tokens.ts'
import { isUtf8 } from 'node:buffer'
import { isHttp } from '#shared/text/address.ts'
import { formatDuration } from '#shared/text/format.ts'
import { maskHeaders } from '../platform/masking/secret-fields.ts'

/** A request with all that it takes along, in clear text. */
export interface Outgoing {
  readonly method: string
  readonly url: URL
  /** Without the bearer header. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array | null
  /** Goes along as the bearer header (SPEC, "Authentication" 1). */
  readonly bearer: UsableToken | null
}

/**
 * The request as it goes out, markers of known secrets filled in. An Authorization header that the user wrote wins over the chosen token,
 * which then does not go along: two of them would be no valid request. Throws `bad_input` when it cannot be sent.
 */
export function outgoingOf(
  request: Omit<ApiRequest, 'integrationId' | 'tokenId'>,
  baseUrl: string,
  token: UsableToken | null,
  known: readonly KnownSecret[],
): Outgoing {
  const url = targetOf(
    baseUrl,
    fillIn(request.path, known, encodeURIComponent),
    request.query
      .filter(({ on }) => on)
      .map(({ name, value, on }) => ({
        name: fillIn(name, known),
        value: fillIn(value, known),
        on,
      })),
  )
  const headers = request.headers
    .filter(({ on }) => on)
    .map(({ name, value }): Header => [name.trim(), fillIn(value, known).trim()])
  const isJson = /^\s*[[{]/.test(request.body)
  const body = fillIn(request.body, known, (value) =>
    isJson ? JSON.stringify(value).slice(1, -1) : value,
  )
  const outgoing: Outgoing = {
    method: request.method,
    url,
    headers,
    body: body === '' ? null : Buffer.from(body),
    bearer: hasHeader(headers, 'authorization') ? null : token,
  }
  const fault = faultOf({ ...outgoing, headers: headersOf(outgoing) })
  if (fault) throw new AppError('bad_input', fault)
  return outgoing
}

/** With the bearer header. */
export function headersOf({ headers, bearer }: Outgoing): Header[] {
  return bearer ? [...headers, ['Authorization', `Bearer ${bearer.value}`]] : [...headers]
}

export function hasHeader(headers: readonly Header[], name: string): boolean {
  return headers.some(([header]) => header.toLowerCase() === name)
}

/** The secrets that a request takes along to an origin that is not theirs, wherever in it they are. */
export function strayingSecrets(
  outgoing: Outgoing,
  known: readonly KnownSecret[],
): readonly KnownSecret[] {
  const texts = [
    outgoing.url.href,
    ...headersOf(outgoing).map(([, value]) => value),
    Buffer.from(outgoing.body ?? []).toString(),
  ]
  return known.filter(
    ({ value, origin }) =>
      origin !== outgoing.url.origin && texts.some((text) => holds(text, value)),
  )
}

/** As it is, or as it is written in a query, in JSON, or in Base64 (Basic credentials). */
export function holds(text: string, secret: string): boolean {
  if (secret.length < 4) return false
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  if (forms.some((form) => text.includes(form))) return true
  const basic = /^Basic\s+(\S+)/i.exec(text)?.[1]
  return basic !== undefined && Buffer.from(basic, 'base64').toString().includes(secret)
}

/** All that came of one send, in clear text. */
export interface Sent extends Outcome {
  /** The secrets that were held before or after: a refresh on the way changes them. */
  readonly known: readonly KnownSecret[]
}

type SendInput = ParsedInput<'api.send'>

/**
 * Sends, follows redirects, and once tries again with a fresh token where a 401 says that it expired. Nothing else is ever sent twice.
 * Throws `bad_input`, `not_found`, `token_unusable` or `other_origin` before anything is sent.
 */
export async function send(parts: SendParts, wish: SendInput, signal: AbortSignal): Promise<Sent> {
  const known = knownSecrets(parts)
  const { baseUrl } = parts.integrations.view(wish.integrationId)
  const token = tokenOf(parts, wish)
  const first = outgoingOf(wish, baseUrl, token, known)
  if (!wish.allowOtherOrigin) assertOwnOrigin(first, baseUrl, known)
  const way = new RequestRunner(parts, wish, originOf(baseUrl), known, signal)
  await way.go(first)
  return { ...way.outcome(), known: [...knownSecrets(parts), ...stale(way, known)] }
}

/** Those of before that are others now, and those that went along. */
function stale({ used }: RequestRunner, known: readonly KnownSecret[]): KnownSecret[] {
  const sent = [...used].map(({ id, value }) => ({
    name: `token_${id}`,
    label: 'Access token, as it was sent',
    value,
    origin: null,
  }))
  return [...known, ...sent]
}

function tokenOf({ tokens }: SendParts, { tokenId, integrationId }: SendInput): UsableToken | null {
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

/** The sends that are under way, so that they can be cancelled: each by the key that its caller chose, all of them at the end. */
export class Running {
  readonly #open = new Map<AbortController, { key: string | null; over: Promise<unknown> }>()

  /** Runs `send` with a signal of its own. */
  run<T>(key: string | null, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const sending = send(abort.signal).finally(() => void this.#open.delete(abort))
    this.#open.set(abort, { key, over: sending })
    return sending
  }

  cancel(key: string): void {
    for (const [abort, entry] of this.#open) if (entry.key === key) abort.abort()
  }

  /** Cancels all; resolves when each has written down how it ended. */
  async close(): Promise<void> {
    for (const abort of this.#open.keys()) abort.abort()
    await Promise.allSettled([...this.#open.values()].map(({ over }) => over))
  }
}

/** Redirects beyond this are a loop, or as good as one. */
const redirectLimit = 10

/** What a redirect leads to: a request, or a sentence why it is not followed. */
type Step = { readonly next: Outgoing } | { readonly stopped: string }

const followed = new Set([301, 302, 303, 307, 308])
const ofBody = /^(content-.*|transfer-encoding|expect|trailer)$/

/**
 * The request that a redirect asks for (RFC 9110, 15.4), null when the answer is none. To another origin (a step from https to http is one)
 * it goes without token and credentials, and never gets them back; a body or an address that holds a known secret does not go there at all.
 */
export function redirectOf(
  from: Outgoing,
  answer: Pick<HttpAnswer, 'status' | 'headers'>,
  known: readonly KnownSecret[],
): Step | null {
  if (!followed.has(answer.status)) return null
  const written = answer.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  if (written === undefined) return null
  const location = inUtf8(written)
  if (!URL.canParse(location, from.url.href)) {
    return { stopped: 'The redirect was not followed: its Location is no address.' }
  }
  const url = new URL(location, from.url)
  url.hash = ''
  if (!isHttp(url)) {
    return {
      stopped: `The redirect was not followed: it leads to "${url.protocol}", not to http or https.`,
    }
  }
  if (url.username !== '' || url.password !== '') {
    return {
      stopped: 'The redirect was not followed: its Location holds a user name or a password.',
    }
  }
  const next = elsewhere({ ...asAsked(from, answer.status), url }, from.url.origin, known)
  if (url.origin !== from.url.origin && strayingSecrets(next, known).length > 0) {
    return {
      stopped: `The redirect was not followed: it would take a secret to ${url.origin}.`,
    }
  }
  return { next }
}

/** Header values come as Latin-1; servers that do not percent-encode an address write it in UTF-8. */
function inUtf8(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

/** 303, and by custom 301 and 302 after a POST, ask for the other address with GET and without the body. */
function asAsked(from: Outgoing, status: number): Outgoing {
  const toGet =
    (status === 303 && from.method !== 'HEAD') ||
    ((status === 301 || status === 302) && from.method === 'POST')
  if (!toGet) return from
  const headers = from.headers.filter(([name]) => !ofBody.test(name.toLowerCase()))
  return { ...from, method: 'GET', body: null, headers }
}

function elsewhere(next: Outgoing, origin: string, known: readonly KnownSecret[]): Outgoing {
  if (next.url.origin === origin) return next
  // What a record would hold back is a credential, and none of the other origin's.
  const masker = new RecordMasker(known)
  const harmless = ([name, value]: Header): boolean =>
    !/^(host|(proxy-)?authorization|cookie)$/i.test(name) &&
    maskHeaders(masker, [[name, value]])[0]?.[1] === value
  return { ...next, bearer: null, headers: next.headers.filter(harmless) }
}

/** The request carried no token, and the service wants one. */
function withoutToken(typed: boolean): Advice {
  return {
    code: 'unauthorized_without_token',
    message: typed
      ? 'The service answered 401 to the Authorization header that you wrote. Switch it off and choose a token, or look at its value: the service wants "Bearer" and an access token.'
      : 'The service responded with 401, and the request had no token. Select one to send it as a bearer token in the Authorization header.',
    section: 'Authentication 1',
  }
}

const invalid: Advice = {
  code: 'invalid',
  message:
    'The service responded with 403: the token is invalid. Do not send this again unchanged. Choose another token, or authorize again.',
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
      ? `${formatDuration((expires - met.now) * 1000)} before the token's end`
      : 'to a token that has only just been refreshed'
  return {
    code: 'revoked',
    message: `The service answered 401, ${before}: it may have been revoked, or a clock is off. The request was not sent a second time: send it again, and if it meets 401 again, authorize again.${clockNote(met)}`,
    section: 'Authentication 5',
  }
}

function refreshed({ expires }: UsableToken, status: number | null, met: CheckedAt): Advice {
  const ended =
    expires === null
      ? ''
      : `, ${formatDuration(Math.max(0, met.now - expires) * 1000)} after its end`
  const again =
    status === null
      ? 'and the retried request got no response'
      : status === 401
        ? 'but the new token met 401 as well. Authorize again'
        : 'and the request was retried'
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
      ? `The token ended ${formatDuration((met.now - expires) * 1000)} ago`
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
      .recordResponse(bearer, status, serverDate)
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
      this.#advice = expired(bearer, renewal.reason, this.#eventsOf(bearer), met)
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
    this.#error = `Too many redirects: ${redirectLimit} redirects were followed, and the service sent another.`
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

/** When the response was made by the clock of its server, in seconds since the epoch; null where it does not say. */
function dateOf({ headers }: HttpAnswer): number | null {
  const date = headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const at = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(at) ? null : at / 1000
}
