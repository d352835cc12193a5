import type { Run, RunFailureCode } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import { isObject, parseJson } from '#shared/json/object.ts'
import { jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import { decodeResponse, type DecodeResult } from '../platform/http/decode-response.ts'
import type { HttpResponse } from '../platform/http/http.ts'
import { isFieldValue } from '../platform/http/request-head.ts'
import type { Explanation } from './failures.ts'
import {
  describePage,
  explainRefusal,
  quote,
  readPlainError,
  readServiceError,
  reportsError,
  type Mask,
} from './refusal.ts'

/** In clear text, only on the way from the response to the sealed row. */
export interface TokenGrant {
  readonly token: string
  readonly refreshToken: string | null
  /** Seconds since the epoch, as reported by the service. */
  readonly initiated: number | null
  readonly expires: number | null
  /** Seconds. */
  readonly expiresIn: number | null
}

/** Times above this are in milliseconds: as seconds they would be after the year 5138. */
const millisecondsAbove = 1e11
const documentedLifetime = 86_400
const documentedFields = new Set([
  'tokenType',
  'token',
  'initiated',
  'expires',
  'expiresIn',
  'refreshToken',
])

interface TokenFields {
  readonly grant: TokenGrant
  readonly findings: Finding[]
  /** `expires` is in milliseconds. */
  readonly inMilliseconds: boolean
}

function readFields(token: string, fields: ReadonlyMap<string, unknown>): TokenFields {
  const reader = new FieldReader(fields)
  reader.checkType()
  const given = {
    initiated: reader.integer('initiated', 'initiated'),
    expires: reader.integer('expires', 'expires'),
    expiresIn: reader.integer('expiresIn', 'expires_in'),
  }
  const inMilliseconds = given.expires !== null && given.expires > millisecondsAbove
  const times = {
    initiated: inSeconds(given.initiated),
    expires: inSeconds(given.expires),
    expiresIn: given.expiresIn,
  }
  reader.checkLifetime(times)
  const refreshToken = reader.refreshToken()
  reader.checkCharacters(token, refreshToken)
  reader.checkExtraFields()
  return { grant: { token, refreshToken, ...times }, findings: reader.findings, inMilliseconds }
}

class FieldReader {
  readonly #fields: ReadonlyMap<string, unknown>
  readonly findings: Finding[] = []

  constructor(fields: ReadonlyMap<string, unknown>) {
    this.#fields = fields
  }

  warn(
    name: string,
    field: string,
    message: string,
    values: Pick<Finding, 'expected' | 'actual'> = {},
    severity: Finding['severity'] = 'warning',
  ): void {
    const location = `body.${field}`
    this.findings.push({ code: `token.${name}`, severity, location, message, ...values })
  }

  checkType(): void {
    const type = this.#fields.get('tokenType')
    const expected = 'Bearer'
    if (type === undefined || type === null) {
      this.warn('type_missing', 'tokenType', 'The response has no tokenType.', { expected })
    } else if (typeof type === 'string' && type !== expected && isBearer(type)) {
      const message = 'The tokenType has a different case, or white space.'
      this.warn('type_case', 'tokenType', message, { expected, actual: type }, 'info')
    }
  }

  /** `name`: of the field in the codes of findings. */
  integer(field: string, name: string): number | null {
    const value = this.#fields.get(field)
    if (value === undefined || value === null) {
      this.warn(`${name}_missing`, field, `The response has no ${field}.`)
      return null
    }
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    const types = { expected: 'integer', actual: typeof value }
    this.warn(`${name}_type`, field, `${field} is not an integer.`, types)
    const parsed = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof parsed === 'number' && Number.isSafeInteger(Math.trunc(parsed))
      ? Math.trunc(parsed)
      : null
  }

  checkLifetime({
    initiated,
    expires,
    expiresIn,
  }: Pick<TokenGrant, 'initiated' | 'expires' | 'expiresIn'>): void {
    const difference = initiated !== null && expires !== null ? expires - initiated : null
    if (difference !== null && expiresIn !== null && difference !== expiresIn) {
      this.warn(
        'expires_in_differs',
        'expiresIn',
        'expiresIn differs from expires - initiated.',
        asText(difference, expiresIn),
      )
    }
    const lifetime = expiresIn ?? difference
    if (lifetime !== null && lifetime !== documentedLifetime) {
      this.warn(
        'lifetime',
        'expiresIn',
        'The token lifetime is not the documented 24 hours.',
        asText(documentedLifetime, lifetime),
      )
    }
  }

  refreshToken(): string | null {
    const refresh = this.#fields.get('refreshToken')
    if (refresh === undefined || refresh === null || refresh === '') {
      this.warn('refresh_token_missing', 'refreshToken', 'The response has no refresh token.')
      return null
    }
    if (typeof refresh === 'string') return refresh
    const types = { expected: 'string', actual: typeof refresh }
    this.warn('refresh_token_type', 'refreshToken', 'refreshToken is not a string.', types)
    return null
  }

  checkCharacters(token: string, refreshToken: string | null): void {
    if (hasFlaw(token)) {
      const consequence = isFieldValue(token)
        ? 'a bearer token has none (RFC 6750, section 2.1), and the service may not recognize it in requests'
        : 'no header can contain it, so requests that send the token are invalid'
      const message = `The token has ${flaw}: ${consequence}. The service, or a proxy in between, adds it.`
      this.warn('characters', 'token', message, {}, 'error')
    }
    if (refreshToken !== null && hasFlaw(refreshToken)) {
      const message = `The refresh token has ${flaw}. It is sent as received. The service, or a proxy in between, adds it.`
      this.warn('refresh_characters', 'refreshToken', message)
    }
  }

  checkExtraFields(): void {
    const extra = [...this.#fields.keys()].filter((name) => !documentedFields.has(name))
    if (extra.length === 0) return
    const names = extra.slice(0, 10).map((name) => name.slice(0, 60))
    const more = extra.length > 10 ? ' and more' : ''
    const message = `The response has fields that are not in the API documentation: ${names.join(', ')}${more}.`
    this.warn('extra_fields', names[0] ?? '', message, {}, 'info')
  }
}

/** What a bearer token cannot contain (RFC 6750, section 2.1). */
export const flaw = 'white space, a control character or a character outside ASCII'

function hasFlaw(token: string): boolean {
  return /[^\x21-\x7e]/.test(token)
}

/** A token, and also without white space at its ends: a client may remove it, and the service may return either. */
export function maskedForms(token: string): string[] {
  return [...new Set([token, token.trim()])].filter((form) => form !== '')
}

function asText(expected: number, actual: number): Pick<Finding, 'expected' | 'actual'> {
  return { expected: String(expected), actual: String(actual) }
}

function inSeconds(time: number | null): number | null {
  return time !== null && time > millisecondsAbove ? Math.trunc(time / 1000) : time
}

export const maxTokenResponseBytes = 1024 * 1024

export type TokenOutcome =
  | { readonly failure: null; readonly grant: TokenGrant; readonly findings: readonly Finding[] }
  | {
      readonly failure: RunFailureCode
      /** A sentence. */
      readonly detail: string
      /** Null: that of the failure code. */
      readonly explained: Explanation | null
      /** Of the refused response: its values are masked in the record. */
      readonly grant: TokenGrant | null
      readonly findings: readonly Finding[]
    }

function refuse(
  failure: RunFailureCode,
  detail: string,
  token: { grant: TokenGrant; findings: readonly Finding[] } | null = null,
): Extract<TokenOutcome, { detail: string }> {
  return {
    failure,
    detail,
    explained: null,
    grant: token?.grant ?? null,
    findings: token?.findings ?? [],
  }
}

export interface Reading {
  /** In milliseconds since the epoch. */
  readonly now: number
  readonly kind: Run['kind']
  /** Masks the secrets of the run in what is quoted from the response. */
  readonly mask: Mask
}

/** `body` is decoded, and empty if that is not possible. */
export interface DecodedResponse extends HttpResponse {
  readonly coding: DecodeResult['state'] | 'incomplete'
}

/** Decodes by `Content-Encoding`, although Tabscope requests none: proxies compress responses all the same. */
export async function decodeTokenResponse(response: HttpResponse): Promise<DecodedResponse> {
  const { body, headers } = response
  const result = await decodeResponse(body, headers, maxTokenResponseBytes)
  switch (result.state) {
    case 'decoded':
      return { ...response, body: result.bytes, coding: result.complete ? 'decoded' : 'incomplete' }
    case 'broken':
      return { ...response, body: new Uint8Array(), coding: 'broken' }
    case 'over_limit':
      return { ...response, body: new Uint8Array(), truncated: true, coding: 'over_limit' }
    case 'plain':
      return { ...response, coding: 'plain' }
  }
}

/** Whether `body` is what the service sent. */
export function isReadable({ coding }: Pick<DecodedResponse, 'coding'>): boolean {
  return coding !== 'broken' && coding !== 'over_limit'
}

/**
 * Checks a token response (API documentation, "Token response"). A difference from the documentation is a finding as long as there is a usable token,
 * otherwise a failure.
 */
export function readTokenResponse(response: DecodedResponse, reading: Reading): TokenOutcome {
  const { status, coding } = response
  const text = new TextDecoder().decode(response.body).trim()
  const type = contentTypeOf(response)
  const isPage = /^text\/html\b/i.test(type) || (text.startsWith('<') && !/^<\?xml/i.test(text))
  const pageTitle = isPage ? quote(titleOf(text), reading.mask, 80) : null
  const unread = `the body cannot be decompressed as its header says: ${quote(`Content-Encoding: ${headerOf(response, 'content-encoding')}`, reading.mask, 80)}.`
  const refused = (): TokenOutcome => {
    const error =
      readServiceError(text, reading.mask) ??
      (status >= 400 ? readPlainError(text, reading.mask) : null)
    const { failure, message, explained } = explainRefusal(
      { ...response, error, pageTitle },
      reading,
    )
    const detail = coding === 'broken' ? `${message} Also, ${unread}` : message
    return { ...refuse(failure, detail), explained }
  }
  if (status >= 400 && status < 600) return refused()
  const unexpected = unexpectedStatus(response)
  if (unexpected) return unexpected
  if (response.truncated || response.bytes > maxTokenResponseBytes) {
    return refuse(
      'token_not_json',
      coding === 'over_limit'
        ? 'The response is too large for a token: decompressed, it has more than 1 MiB.'
        : `The response is too large for a token: ${response.bytes} bytes.`,
    )
  }
  if (coding === 'broken') {
    return refuse('token_encoding', `The token endpoint responded with ${status}, but ${unread}`)
  }
  if (pageTitle !== null) {
    return refuse(
      'token_html',
      `The token endpoint responded with ${status} and ${describePage(pageTitle)}, in place of JSON.`,
    )
  }
  const json: unknown = parseJson(text)
  if (json === undefined) {
    if (readServiceError(text, reading.mask)) return refused()
    if (coding === 'incomplete') return refuse('token_truncated', incomplete)
    if (isTruncatedJson(text)) {
      return refuse('token_truncated', 'The response starts as JSON but is incomplete.')
    }
    return refuse(
      'token_not_json',
      `The token endpoint responded with ${status}, but the response is ${text === '' ? 'empty' : 'not JSON'}.`,
    )
  }
  if (!isObject(json)) {
    return refuse('token_missing', 'The response is JSON, but not an object.')
  }
  const fields = new Map<string, unknown>(Object.entries(json))
  const token = fields.get('token')
  if (typeof token !== 'string' || token.trim() === '') {
    if (reportsError(fields)) return refused()
    return refusedWithoutToken(fields, readServiceError(text, reading.mask)?.description ?? null)
  }
  const outcome = readGrant(token, fields, response, reading.now)
  return coding === 'incomplete' && outcome.failure === null
    ? refuse('token_truncated', incomplete, outcome)
    : outcome
}

const incomplete = 'The compressed data of the response ends too early.'

function titleOf(html: string): string {
  const head = html.slice(0, 64 * 1024)
  const from = head.search(/<title[\s>]/i)
  if (from === -1) return ''
  const start = head.indexOf('>', from) + 1
  const end = head.indexOf('<', start)
  return start === 0 || end === -1 ? '' : head.slice(start, end)
}

function unexpectedStatus({ status, headers }: HttpResponse): TokenOutcome | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
    const target = location ? URL.parse(location) : null
    const to = target ? ` to ${target.protocol}//${target.host}${target.pathname}` : ''
    return refuse(
      'token_redirected',
      `The token endpoint responded with ${status}, a redirect${to}. Tabscope did not follow it, since that would send the access secret there.`,
    )
  }
  return refuse(
    'token_not_json',
    `The token endpoint responded with ${status}, which does not mean success.`,
  )
}

function refusedWithoutToken(
  fields: ReadonlyMap<string, unknown>,
  description: string | null,
): TokenOutcome {
  const snake = snakeCase.filter((name) => fields.has(name))
  if (snake.length > 0) {
    return refuse(
      'token_snake_case',
      `The response has ${snake.join(', ')}, but not the documented "token".`,
    )
  }
  const said = description === null ? '' : ` It says: “${description}”.`
  return refuse('token_missing', `The response has no "token" that is a non-empty string.${said}`)
}

function readGrant(
  token: string,
  fields: ReadonlyMap<string, unknown>,
  response: DecodedResponse,
  now: number,
): TokenOutcome {
  const { grant, findings, inMilliseconds } = readFields(token, fields)
  const usable = { grant, findings: [...contentTypeFindings(response), ...findings] }
  const type = fields.get('tokenType')
  if (type !== undefined && type !== null && !isBearer(type)) {
    const named = typeof type === 'string' ? `"${type.slice(0, 60)}"` : 'not a string'
    return refuse('token_not_bearer', `The token’s type is ${named}, but must be Bearer.`, usable)
  }
  if (inMilliseconds) {
    return refuse(
      'token_milliseconds',
      'The token’s expiry is in milliseconds, but the API documentation uses seconds.',
      usable,
    )
  }
  // By the service's clock if it is known: ours may be wrong.
  if (grant.expires !== null && grant.expires <= (dateOf(response) ?? now) / 1000) {
    return refuse(
      'token_expired',
      `The token’s expiry, ${new Date(grant.expires * 1000).toISOString()}, is in the past.`,
      usable,
    )
  }
  return { failure: null, ...usable }
}

const snakeCase = ['access_token', 'refresh_token', 'token_type', 'expires_in']

function isBearer(type: unknown): boolean {
  return typeof type === 'string' && type.trim().toLowerCase() === 'bearer'
}

function headerOf({ headers }: Pick<HttpResponse, 'headers'>, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}

function contentTypeOf(response: HttpResponse): string {
  return headerOf(response, 'content-type')
}

function contentTypeFindings(response: HttpResponse): Finding[] {
  const type = contentTypeOf(response)
  if (/^application\/([\w.-]+\+)?json\b/i.test(type)) return []
  return [
    {
      code: 'token.content_type',
      severity: 'info',
      location: 'header.content-type',
      message: 'The response is JSON, but its Content-Type is not.',
      expected: 'application/json',
      actual: type.slice(0, 200) || '(none)',
    },
  ]
}

function dateOf({ headers }: HttpResponse): number | null {
  const text = headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const parsed = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(parsed) ? null : parsed
}

/** Starts as an object or array but ends before it, or a string in it, is closed. */
function isTruncatedJson(text: string): boolean {
  if (!/^[{[]/.test(text)) return false
  const tokens = new JsonTokenizer(text)
  let depth = 0
  for (let kind = tokens.next(); kind !== jsonToken.end; kind = tokens.next()) {
    if (!tokens.closed) return true
    if (kind === jsonToken.objectOpen || kind === jsonToken.arrayOpen) depth += 1
    else if (kind === jsonToken.objectClose || kind === jsonToken.arrayClose) depth -= 1
  }
  return depth > 0
}
