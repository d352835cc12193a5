import { type ApiRequest, type Advice, responseLimit, type ApiHop } from '#contract/api.ts'
import type { Header } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import { faultOf, isFieldValue } from '../../platform/http/request-head.ts'
import type { TokenManager } from '../tokens/manager.ts'
import type { UsableToken } from '../tokens/tokens.ts'
import { fillIn, type KnownSecret, knownSecrets } from './masking.ts'
import { targetOf, originOf } from './target.ts'
import type { ParsedInput } from '#contract/calls.ts'
import type { Timings } from '#contract/http.ts'
import { type HttpResponse, HttpFailure } from '../../platform/http/http.ts'
import type { Network } from '../../platform/http/network.ts'
import { sendRequest } from '../../platform/http/request.ts'
import type { IntegrationRegistry } from '../../receiving/integrations/registry.ts'
import type { Log } from '../../platform/ports.ts'
import type { TokenView } from '#contract/tokens.ts'

export interface Outgoing {
  readonly method: string
  readonly url: URL
  /** Without the bearer header. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array | null
  /** For the Authorization header (API documentation, "Authentication" 1). */
  readonly bearer: UsableToken | null
}

/**
 * Fills in markers of known secrets. An Authorization header written by the user takes precedence over the selected token, because two of them are
 * invalid. Throws `bad_input` if the request cannot be sent.
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
  const unsendable = outgoing.bearer && unsendableToken(outgoing.bearer)
  if (unsendable) throw new AppError('token_unusable', unsendable)
  const fault = faultOf({ ...outgoing, headers: headersOf(outgoing) })
  if (fault) throw new AppError('bad_input', fault)
  return outgoing
}

/** Why no header can contain the token, as sentences; null if one can. */
function unsendableToken({ value }: UsableToken): string | null {
  return isFieldValue(value)
    ? null
    : 'The token has a line break or other character that no header can contain, so nothing was sent. The service, or a proxy in between, adds it: fix that, then authorize again. Or reveal the token, and enter the Authorization header yourself.'
}

export function headersOf({ headers, bearer }: Outgoing): Header[] {
  return bearer ? [...headers, ['Authorization', `Bearer ${bearer.value}`]] : [...headers]
}

export function hasHeader(headers: readonly Header[], name: string): boolean {
  return headers.some(([header]) => header.toLowerCase() === name)
}

/** Secrets in any part of the request that would be sent to an origin other than their own. */
export function foreignSecrets(
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
      origin !== outgoing.url.origin && texts.some((text) => containsSecret(text, value)),
  )
}

/** As it is, or as written in a query, in JSON, or in Base64 (Basic credentials). */
export function containsSecret(text: string, secret: string): boolean {
  if (secret.length < 4) return false
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  if (forms.some((form) => text.includes(form))) return true
  const basic = /^Basic\s+(\S+)/i.exec(text)?.[1]
  return basic !== undefined && Buffer.from(basic, 'base64').toString().includes(secret)
}

export interface Sent extends Outcome {
  /** Before or after: a token refresh in between changes them. */
  readonly known: readonly KnownSecret[]
}

type SendInput = ParsedInput<'api.send'>

/**
 * Follows no redirect. If a 401 response means that the token expired, retries once with a fresh token. Nothing else is retried. Throws `bad_input`,
 * `not_found`, `token_unusable` or `other_origin` before anything is sent.
 */
export async function send(parts: SendParts, input: SendInput, signal: AbortSignal): Promise<Sent> {
  const known = knownSecrets(parts)
  const { baseUrl } = parts.integrations.view(input.integrationId)
  const token = tokenOf(parts, input)
  const first = outgoingOf(input, baseUrl, token, known)
  if (!input.allowOtherOrigin) assertOwnOrigin(first, baseUrl, known)
  const runner = new RequestRunner(parts, input.timeout, originOf(baseUrl), signal)
  await runner.run(first)
  return { ...runner.outcome(), known: [...knownSecrets(parts), ...previousSecrets(runner, known)] }
}

/** Secrets that may have changed since, including the tokens that were sent. */
function previousSecrets({ used }: RequestRunner, known: readonly KnownSecret[]): KnownSecret[] {
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
    'The token belongs to another integration. Select a token of this integration, or none.',
    { details: { fields: ['tokenId'] } },
  )
}

function assertOwnOrigin(outgoing: Outgoing, baseUrl: string, known: readonly KnownSecret[]): void {
  const { origin } = outgoing.url
  const own = originOf(baseUrl)
  const [foreignSecret] = foreignSecrets(outgoing, known)
  if (!foreignSecret && (!outgoing.bearer || origin === own)) return
  throw new AppError(
    'other_origin',
    foreignSecret
      ? `The request would send a secret to ${origin}, which is not its integration's origin: ${foreignSecret.label}. Remove it, or allow it for this request.`
      : `The token would be sent to ${origin}, which is not the integration's origin. Send without a token, or allow it for this request.`,
    { details: { origin, integrationOrigin: own ?? '' } },
  )
}

function withoutToken(typed: boolean): Advice {
  return {
    code: 'unauthorized_without_token',
    message: typed
      ? 'The service responded with 401 to your Authorization header. Turn that header off and select a token, or check its value: the service expects "Bearer" and an access token.'
      : 'The service responded with 401, and the request had no token. A token is sent in the Authorization header.',
    section: 'Authentication 1',
  }
}

const invalid: Advice = {
  code: 'invalid',
  message:
    'The service responded with 403: the token is invalid. Do not send this again unchanged. Choose another token, or authorize again.',
  section: 'Errors',
}

/** For a 401 before the token expired. Not retried, because a refresh does not help against a revocation. */
const revoked: Advice = {
  code: 'revoked',
  message:
    'The service responded with 401, although the token has not expired as far as is known. It may have been revoked, or a clock is wrong. The request was not retried. Send it again. If the response is 401 again, authorize again.',
  section: 'Authentication 5',
}

/** `status`: of the response to the new token; null: there is none yet. */
function refreshed(status: number | null): Advice {
  const again =
    status === null
      ? 'and the retried request got no response'
      : status === 401
        ? 'but the response to the new token was 401, too. Authorize again'
        : 'and the request was retried'
  return {
    code: 'expired_refreshed',
    message: `The service responded with 401 to the expired token. The token was refreshed, ${again}.`,
    section: 'Errors',
  }
}

/** For a 401 after the token expired, if it was not refreshed. `reason`: a sentence. */
function expired(reason: string, view: TokenView | undefined): Advice {
  const refreshable = view !== undefined && isRefreshable(view)
  const remedy = refreshable
    ? 'Refresh the token, then send the request again.'
    : 'Authorize again.'
  return {
    code: refreshable ? 'expired' : 'expired_refresh_failed',
    message: `The service responded with 401. The token has expired, and it was not refreshed. ${reason}${reason.endsWith(remedy) ? '' : ` ${remedy}`}`,
    section: 'Errors',
  }
}

/** By the user. The service has not refused the last refresh. */
function isRefreshable({ hasRefreshToken, status, events }: TokenView): boolean {
  const last = events.findLast(({ kind }) =>
    ['issued', 'refreshed', 'replaced', 'refresh_failed'].includes(kind),
  )
  const isUsable = status === 'good' || status === 'suspect'
  return hasRefreshToken && isUsable && last?.kind !== 'refresh_failed'
}

export interface SendParts {
  readonly tokens: TokenManager
  readonly integrations: IntegrationRegistry
  readonly network: Network
  readonly log: Log
  readonly now: () => number
}

export interface Hop {
  readonly outgoing: Outgoing
  readonly response: HttpResponse | null
  readonly timings: Timings
  readonly reason: ApiHop['reason']
}

export interface Outcome {
  readonly hops: readonly Hop[]
  /** Why there is no complete response. */
  readonly error: string | null
  readonly advice: Advice | null
}

/** Sends one request, and retries it once with a fresh token. */
export class RequestRunner {
  readonly hops: Hop[] = []
  readonly used = new Set<UsableToken>()
  readonly #parts: SendParts
  readonly #ownOrigin: string | null
  readonly #signal: AbortSignal
  #error: string | null = null
  #advice: Advice | null = null
  #isRefreshed = false
  /** Milliseconds for both requests together. */
  #left: number

  constructor(parts: SendParts, timeout: number, ownOrigin: string | null, signal: AbortSignal) {
    this.#parts = parts
    this.#ownOrigin = ownOrigin
    this.#signal = signal
    this.#left = timeout
  }

  outcome(): Outcome {
    return { hops: this.hops, error: this.#error, advice: this.#advice }
  }

  async run(first: Outgoing): Promise<void> {
    const response = await this.#send(first, 'sent')
    const retry = response && (await this.#checkResponse(first, response))
    const again = retry && (await this.#send(retry, 'retried'))
    if (again) await this.#checkResponse(retry, again)
  }

  async #send(outgoing: Outgoing, reason: Hop['reason']): Promise<HttpResponse | null> {
    if (outgoing.bearer) this.used.add(outgoing.bearer)
    const { method, url, body } = outgoing
    try {
      const response = await sendRequest(
        {
          method,
          url,
          headers: headersOf(outgoing),
          body,
          timeout: Math.max(1, Math.round(this.#left)),
          maxBytes: responseLimit,
          signal: this.#signal,
        },
        this.#parts.network,
      )
      this.#addHop({ outgoing, response, timings: response.timings, reason })
      return response
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      this.#addHop({ outgoing, response: error.partial, timings: error.timings, reason })
      this.#error =
        error.code === 'refused'
          ? `${error.message} Start the service, or change the address.`
          : error.message
      return null
    }
  }

  #addHop(hop: Hop): void {
    this.hops.push(hop)
    this.#left -= hop.timings.totalMs
  }

  /** Sets the advice (API documentation, "Errors"). Returns the request with a fresh token if it should be retried. */
  async #checkResponse(outgoing: Outgoing, response: HttpResponse): Promise<Outgoing | null> {
    if (outgoing.url.origin !== this.#ownOrigin) return null
    const { bearer } = outgoing
    const { status } = response
    if (!bearer) {
      if (status === 401) this.#advice = withoutToken(hasHeader(outgoing.headers, 'authorization'))
      return null
    }
    const { tokens, log, now } = this.#parts
    await tokens
      .recordResponse(bearer, status)
      .catch((error: unknown) => void log.error(`token ${bearer.id} could not be stored`, error))
    if (status === 403) this.#advice = invalid
    else if (this.#isRefreshed) this.#advice = refreshed(status)
    if (status !== 401 || this.#isRefreshed) return null
    if (bearer.expires === null || now() < bearer.expires * 1000) {
      this.#advice = revoked
      return null
    }
    const renewal = await beforeAbort(tokens.renew(bearer), this.#signal)
    if (!renewal) {
      this.#error = 'The request was cancelled while its token was being refreshed.'
      return null
    }
    if (!renewal.token) {
      const view = tokens.views().find(({ id }) => id === bearer.id)
      this.#advice = expired(renewal.reason, view)
      return null
    }
    this.#advice = refreshed(null)
    this.#isRefreshed = true
    this.#error = unsendableToken(renewal.token)
    if (this.#error !== null) return null
    return { ...outgoing, bearer: renewal.token }
  }
}

/** Null if the signal aborts first. The work continues, because others may wait for it. */
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
