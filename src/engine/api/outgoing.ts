import type { ApiRequest } from '#contract/api.ts'
import type { Header } from '#contract/models.ts'
import { AppError } from '../errors.ts'
import { faultOf } from '../http/request-head.ts'
import type { UsableToken } from '../tokens/tokens.ts'
import { fillIn, type KnownSecret } from './known-secrets.ts'
import { targetOf } from './target.ts'

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
