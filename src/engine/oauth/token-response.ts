import type { RunFailureCode } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import { jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import type { HttpResponse } from '../platform/http/http.ts'

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
  if (given.initiated !== null && given.initiated > millisecondsAbove && !inMilliseconds) {
    reader.warn('initiated_milliseconds', 'initiated', 'initiated is in milliseconds.')
  }
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

/** Collects the differences from the API documentation. */
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
      const values = { expected, actual: type }
      this.warn('type_case', 'tokenType', 'The tokenType has a different case.', values, 'info')
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
    const message = `The response has fields that are not in the API documentation: ${names.join(', ')}${more}.`
    this.warn('extra_fields', names[0] ?? '', message, {}, 'info')
  }
}

function asText(expected: number, actual: number): Pick<Finding, 'expected' | 'actual'> {
  return { expected: String(expected), actual: String(actual) }
}

function inSeconds(time: number | null): number | null {
  return time !== null && time > millisecondsAbove ? Math.trunc(time / 1000) : time
}

const clockTolerance = 30

interface ClockCheck {
  readonly findings: Finding[]
  /** The token's expiry in seconds since the epoch, if it is in the past. */
  readonly expired: number | null
}

/**
 * Compares the service's times with ours: `now` and the response's `Date` in milliseconds since the epoch. If `Date` matches `initiated`, our clock is
 * wrong, and a token that has expired only by our clock is accepted.
 */
function checkClock(
  { initiated, expires }: Pick<TokenGrant, 'initiated' | 'expires'>,
  now: number,
  date: number | null,
): ClockCheck {
  const ours = now / 1000
  const theirs = date === null ? null : date / 1000
  const oursIsWrong =
    theirs !== null &&
    !isClose(ours, theirs) &&
    (initiated === null ? expires !== null && expires > theirs : isClose(initiated, theirs))
  const findings: Finding[] = []
  if (oursIsWrong) {
    findings.push(
      clockFinding(
        'clock_ours',
        `This computer’s clock is ${describeDifference(ours - theirs)} the service’s. Correct it: until then, Tabscope shows wrong token times.`,
        theirs,
        ours,
      ),
    )
  } else if (initiated !== null && !isClose(initiated, ours)) {
    const service = theirs !== null && isClose(theirs, ours)
    findings.push(
      clockFinding(
        service ? 'clock_service' : 'clock_skew',
        service
          ? `initiated is ${describeDifference(initiated - ours)} the service’s own Date header.`
          : `initiated is ${describeDifference(initiated - ours)} this computer’s clock. One of the two is wrong.`,
        ours,
        initiated,
      ),
    )
  }
  const reference = oursIsWrong ? theirs : ours
  return { findings, expired: expires !== null && expires <= reference ? expires : null }
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= clockTolerance
}

function describeDifference(seconds: number): string {
  const rounded = Math.round(Math.abs(seconds))
  return `${rounded} seconds ${seconds > 0 ? 'ahead of' : 'behind'}`
}

function clockFinding(name: string, message: string, expected: number, actual: number): Finding {
  return {
    code: `token.${name}`,
    severity: 'warning',
    location: 'body.initiated',
    message,
    expected: String(Math.round(expected)),
    actual: String(Math.round(actual)),
  }
}

export const maxTokenResponseBytes = 1024 * 1024

export type TokenOutcome =
  | { readonly failure: null; readonly grant: TokenGrant; readonly findings: readonly Finding[] }
  | {
      readonly failure: RunFailureCode
      /** A sentence. */
      readonly detail: string
      /** Of the refused response: the user may still want it. */
      readonly grant: TokenGrant | null
      readonly findings: readonly Finding[]
    }

function refuse(
  failure: RunFailureCode,
  detail: string,
  token: { grant: TokenGrant; findings: readonly Finding[] } | null = null,
): TokenOutcome {
  return { failure, detail, grant: token?.grant ?? null, findings: token?.findings ?? [] }
}

/**
 * Checks a token response (API documentation, "Token response"). `now`: milliseconds since the epoch. A difference from the documentation is a finding
 * as long as there is a usable token, otherwise a failure.
 */
export function readTokenResponse(response: HttpResponse, now: number): TokenOutcome {
  const refused = refusedByStatus(response)
  if (refused) return refused
  if (response.truncated || response.bytes > maxTokenResponseBytes) {
    return refuse(
      'token_too_large',
      `The response is too large for a token: ${response.bytes} bytes.`,
    )
  }
  const text = new TextDecoder().decode(response.body).trim()
  if (/^text\/html\b/i.test(contentTypeOf(response)) || text.startsWith('<')) {
    return refuse('token_html', 'The response is a web page, not JSON.')
  }
  const json = parseJson(text)
  if (!json) {
    if (isTruncatedJson(text)) {
      return refuse('token_truncated', 'The response starts as JSON but is incomplete.')
    }
    return refuse(
      'token_not_json',
      text === '' ? 'The response is empty.' : 'The response is not JSON.',
    )
  }
  return readJson(json.value, response, now)
}

function refusedByStatus({ status, headers }: HttpResponse): TokenOutcome | null {
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
  if (status >= 400 && status < 500) {
    return refuse('token_refused', `The token endpoint refused the request with ${status}.`)
  }
  if (status >= 500 && status < 600) {
    return refuse('token_server_error', `The token endpoint failed with ${status}.`)
  }
  return refuse(
    'token_status',
    `The token endpoint responded with ${status}, which does not mean success.`,
  )
}

function readJson(value: unknown, response: HttpResponse, now: number): TokenOutcome {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('token_missing', 'The response is JSON, but not an object.')
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  const token = fields.get('token')
  if (typeof token !== 'string' || token.trim() === '') {
    const snake = snakeCase.filter((name) => fields.has(name))
    return snake.length > 0
      ? refuse(
          'token_snake_case',
          `The response has ${snake.join(', ')}, but not the documented "token".`,
        )
      : refuse('token_missing', 'The response has no "token" that is a non-empty string.')
  }

  for (const name of ['token', 'refreshToken']) {
    const value = fields.get(name)
    const control = typeof value === 'string' && controlCharacter.exec(value)?.[0].charCodeAt(0)
    if (control === false || control === undefined) continue
    const code = control.toString(16).toUpperCase().padStart(4, '0')
    // Without the grant: the user cannot store it either.
    return refuse(
      'token_control_characters',
      `The ${name} in the response contains a control character, U+${code}.`,
    )
  }

  const { grant, findings, inMilliseconds } = readFields(token, fields)
  const date = dateOf(response)
  const clock = checkClock(grant, now, date)
  const usable = {
    grant,
    findings: [...contentTypeFindings(response), ...findings, ...clock.findings],
  }
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
  if (clock.expired !== null) {
    return refuse(
      'token_expired',
      `The token’s expiry, ${new Date(clock.expired * 1000).toISOString()}, is in the past.`,
      usable,
    )
  }
  return { failure: null, ...usable }
}

const controlCharacter = /\p{Cc}/u
const snakeCase = ['access_token', 'refresh_token', 'token_type', 'expires_in']

function isBearer(type: unknown): boolean {
  return typeof type === 'string' && type.toLowerCase() === 'bearer'
}

function contentTypeOf({ headers }: HttpResponse): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
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

function parseJson(text: string): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch {
    return null
  }
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
