import type { RunFailureCode } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import { isObject, parseJson } from '#shared/json/object.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { decodeResponse } from '../../platform/http/decode-response.ts'
import type { HttpResponse } from '../../platform/http/http.ts'
import { headerOf } from '../../platform/http/retry-after.ts'
import { explainRefusal, quote, readServiceError, reportsError, type Mask } from './refusal.ts'

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

/** Reads the other fields (API documentation, "Token response"). A missing or mistyped field is null, with a finding. */
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

  checkExtraFields(): void {
    const extra = [...this.#fields.keys()].filter((name) => !documentedFields.has(name))
    if (extra.length === 0) return
    const names = extra.slice(0, 10).map((name) => name.slice(0, 60))
    const more = extra.length > 10 ? ' and more' : ''
    const message = `The response has fields that are not in the API documentation: ${names.map(quoteForeign).join(', ')}${more}.`
    this.warn('extra_fields', names[0] ?? '', message, {}, 'info')
  }
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
      /** Of the refused response: its values are masked in the record. */
      readonly grant: TokenGrant | null
      readonly findings: readonly Finding[]
    }

export function refuse(
  failure: RunFailureCode,
  detail: string,
  token: { grant: TokenGrant | null; findings: readonly Finding[] } = { grant: null, findings: [] },
): TokenOutcome {
  return { failure, detail, ...token }
}

/** `body` is decoded, and empty if that is not possible. */
export interface DecodedResponse extends HttpResponse {
  readonly isReadable: boolean
}

/** Decodes by `Content-Encoding`, although Tabscope requests none: proxies compress responses all the same. */
export async function decodeTokenResponse(response: HttpResponse): Promise<DecodedResponse> {
  const { body, headers } = response
  const result = await decodeResponse(body, headers, maxTokenResponseBytes)
  if (result.state === 'plain') return { ...response, isReadable: true }
  return result.state === 'decoded'
    ? { ...response, body: result.bytes, isReadable: true }
    : { ...response, body: new Uint8Array(), isReadable: false }
}

/**
 * Checks a token response (API documentation, "Token response"). A difference from the documentation is a finding as long as there is a usable token,
 * otherwise a failure.
 *
 * @param now milliseconds since the epoch
 * @param mask masks the secrets of the run in what is quoted from the response
 */
export function readTokenResponse(
  response: DecodedResponse,
  now: number,
  mask: Mask,
): TokenOutcome {
  const { status } = response
  const text = new TextDecoder().decode(response.body).trim()
  const type = headerOf(response, 'content-type')
  const isPage = /^text\/html\b/i.test(type) || (text.startsWith('<') && !/^<\?xml/i.test(text))
  const title = quote(titleOf(text), mask, 80)
  const page = isPage ? `a web page${title && `, ${quoteForeign(title)}`}` : null
  const unread = 'The body cannot be decompressed as its Content-Encoding says, or is too large.'
  const error = readServiceError(text, mask)
  const refused = (): TokenOutcome => {
    const { failure, message } = explainRefusal({ ...response, error, page }, now)
    return refuse(failure, response.isReadable ? message : `${message} ${unread}`)
  }
  if (status >= 400 && status < 600) return refused()
  const unexpected = unexpectedStatus(response)
  if (unexpected) return unexpected
  if (response.truncated || response.bytes > maxTokenResponseBytes) {
    return refuse(
      'token_not_json',
      `The response is too large for a token: ${response.bytes} bytes.`,
    )
  }
  if (!response.isReadable) {
    return refuse('token_encoding', `The token endpoint responded with ${status}. ${unread}`)
  }
  if (page !== null) {
    const detail = `The token endpoint responded with ${status} and ${page}, in place of JSON.`
    return refuse('token_html', detail)
  }
  const json: unknown = parseJson(text)
  if (json === undefined) {
    if (error) return refused()
    if (/^[{[]/.test(text) && !/[}\]]$/.test(text)) {
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
  if (typeof token === 'string' && token.trim() !== '') {
    return readGrant(token, fields, response, now)
  }
  if (reportsError(json)) return refused()
  const snake = snakeCase.filter((name) => fields.has(name))
  if (snake.length > 0) {
    return refuse(
      'token_snake_case',
      `The response has ${snake.join(', ')}, but not the documented "token".`,
    )
  }
  const said = error?.description ? ` It says: ${quoteForeign(error.description)}.` : ''
  return refuse('token_missing', `The response has no "token" that is a non-empty string.${said}`)
}

/** Empty if the page has none. */
function titleOf(html: string): string {
  const [, ofTitle = ''] = html.slice(0, 64 * 1024).split(/<title(?=[\s>])/i)
  return ofTitle.slice(ofTitle.indexOf('>') + 1).split('<')[0] ?? ''
}

function unexpectedStatus(response: HttpResponse): TokenOutcome | null {
  const { status } = response
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    const target = URL.parse(headerOf(response, 'location'))
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
    const named = typeof type === 'string' ? quoteForeign(type.slice(0, 60)) : 'not a string'
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

function contentTypeFindings(response: HttpResponse): Finding[] {
  const type = headerOf(response, 'content-type')
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

function dateOf(response: HttpResponse): number | null {
  const parsed = Date.parse(headerOf(response, 'date'))
  return Number.isNaN(parsed) ? null : parsed
}
