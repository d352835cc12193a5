import type { RunFailureCode } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import { jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import type { HttpAnswer } from '../platform/http/http.ts'

/** The tokens of a token response, in clear text. They are passed only from the response to their sealed row. */
export interface TokenGrant {
  readonly token: string
  /** Null: the response has none. */
  readonly refreshToken: string | null
  /** Seconds since the epoch, as reported by the service; null if it reported none. */
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
  /** As reported by the service, with milliseconds converted to seconds. */
  readonly grant: TokenGrant
  readonly findings: Finding[]
  /** True if `expires` is in milliseconds. */
  readonly inMilliseconds: boolean
}

/** Reads the other fields of a token response (API documentation, "Token response"). A missing or mistyped field is null, with a finding. */
function readFields(token: string, fields: ReadonlyMap<string, unknown>): TokenFields {
  const findings: Finding[] = []
  const addFinding = (
    name: string,
    severity: Finding['severity'],
    field: string,
    message: string,
    values: Pick<Finding, 'expected' | 'actual'> = {},
  ): void => {
    findings.push({ code: `token.${name}`, severity, place: `body.${field}`, message, ...values })
  }

  const type = fields.get('tokenType')
  if (type === undefined || type === null) {
    addFinding('type_missing', 'warning', 'tokenType', 'The response has no tokenType.', {
      expected: 'Bearer',
    })
  } else if (typeof type === 'string' && type !== 'Bearer' && type.toLowerCase() === 'bearer') {
    addFinding('type_case', 'info', 'tokenType', 'The tokenType has a different case.', {
      expected: 'Bearer',
      actual: type,
    })
  }

  const number = (name: 'initiated' | 'expires' | 'expiresIn'): number | null => {
    const value = fields.get(name)
    if (value === undefined || value === null) {
      addFinding(`${nameInCode[name]}_missing`, 'warning', name, `The response has no ${name}.`)
      return null
    }
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    addFinding(`${nameInCode[name]}_type`, 'warning', name, `${name} is not an integer.`, {
      expected: 'integer',
      actual: typeof value,
    })
    const parsed = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof parsed === 'number' && Number.isSafeInteger(Math.trunc(parsed))
      ? Math.trunc(parsed)
      : null
  }
  const given = {
    initiated: number('initiated'),
    expires: number('expires'),
    expiresIn: number('expiresIn'),
  }
  const inMilliseconds = given.expires !== null && given.expires > millisecondsAbove
  if (given.initiated !== null && given.initiated > millisecondsAbove && !inMilliseconds) {
    addFinding('initiated_milliseconds', 'warning', 'initiated', 'initiated is in milliseconds.')
  }
  const { expiresIn } = given
  const initiated = inSeconds(given.initiated)
  const expires = inSeconds(given.expires)

  if (initiated !== null && expires !== null && expiresIn !== null) {
    const expected = expires - initiated
    if (expected !== expiresIn) {
      addFinding(
        'expires_in_differs',
        'warning',
        'expiresIn',
        'expiresIn differs from expires - initiated.',
        {
          expected: String(expected),
          actual: String(expiresIn),
        },
      )
    }
  }
  const lifetime =
    expiresIn ?? (initiated !== null && expires !== null ? expires - initiated : null)
  if (lifetime !== null && lifetime !== documentedLifetime) {
    addFinding(
      'lifetime',
      'warning',
      'expiresIn',
      'The token lifetime is not the documented 24 hours.',
      {
        expected: String(documentedLifetime),
        actual: String(lifetime),
      },
    )
  }

  const refresh = fields.get('refreshToken')
  const refreshToken = typeof refresh === 'string' && refresh !== '' ? refresh : null
  if (refresh === undefined || refresh === null || refresh === '') {
    addFinding(
      'refresh_token_missing',
      'warning',
      'refreshToken',
      'The response has no refresh token.',
    )
  } else if (refreshToken === null) {
    addFinding('refresh_token_type', 'warning', 'refreshToken', 'refreshToken is not a string.', {
      expected: 'string',
      actual: typeof refresh,
    })
  }

  const extra = [...fields.keys()].filter((name) => !documentedFields.has(name))
  if (extra.length > 0) {
    addFinding(
      'extra_fields',
      'info',
      extra[0]?.slice(0, 60) ?? '',
      `The response has fields that are not in the API documentation: ${extra
        .slice(0, 10)
        .map((name) => name.slice(0, 60))
        .join(', ')}${extra.length > 10 ? ' and more' : ''}.`,
    )
  }
  return { grant: { token, refreshToken, initiated, expires, expiresIn }, findings, inMilliseconds }
}

const nameInCode = {
  initiated: 'initiated',
  expires: 'expires',
  expiresIn: 'expires_in',
} as const

function inSeconds(time: number | null): number | null {
  return time !== null && time > millisecondsAbove ? Math.trunc(time / 1000) : time
}

/** Clocks that differ by more than this are reported, in seconds. Requests take time, and clocks are never exact. */
const clockTolerance = 30

interface ClockCheck {
  readonly findings: Finding[]
  /** The token's expiry if it is in the past, in seconds since the epoch; otherwise null. */
  readonly expired: number | null
}

/**
 * Compares the service's times with ours: `now` and the response's `Date` in milliseconds since the epoch. If `Date` agrees with
 * `initiated`, our clock is wrong, and a token that has expired only by our clock is not refused.
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
    !near(ours, theirs) &&
    (initiated === null ? expires !== null && expires > theirs : near(initiated, theirs))
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
  } else if (initiated !== null && !near(initiated, ours)) {
    const service = theirs !== null && near(theirs, ours)
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

function near(a: number, b: number): boolean {
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
    place: 'body.initiated',
    message,
    expected: String(Math.round(expected)),
    actual: String(Math.round(actual)),
  }
}

/** Maximum size of a token response, in bytes. */
export const maxTokenResponseBytes = 1024 * 1024

export type TokenOutcome =
  | { readonly failure: null; readonly grant: TokenGrant; readonly findings: readonly Finding[] }
  | {
      readonly failure: RunFailureCode
      /** The problem, as a sentence. */
      readonly detail: string
      /** The token of the refused response, if it has one: the user may still want it. */
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
 * Checks a token response (API documentation, "Token response"). `now` is in milliseconds since the epoch. A difference from the API
 * documentation is a finding as long as there is a usable token, otherwise a failure.
 */
export function readTokenResponse(response: HttpAnswer, now: number): TokenOutcome {
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

function refusedByStatus({ status, headers }: HttpAnswer): TokenOutcome | null {
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

function readJson(value: unknown, response: HttpAnswer, now: number): TokenOutcome {
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

const snakeCase = ['access_token', 'refresh_token', 'token_type', 'expires_in']

function isBearer(type: unknown): boolean {
  return typeof type === 'string' && type.toLowerCase() === 'bearer'
}

function contentTypeOf({ headers }: HttpAnswer): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}

function contentTypeFindings(response: HttpAnswer): Finding[] {
  const type = contentTypeOf(response)
  if (/^application\/([\w.-]+\+)?json\b/i.test(type)) return []
  return [
    {
      code: 'token.content_type',
      severity: 'info',
      place: 'header.content-type',
      message: 'The response is JSON, but its Content-Type is not.',
      expected: 'application/json',
      actual: type.slice(0, 200) || '(none)',
    },
  ]
}

/** The response's `Date` header, in milliseconds since the epoch. */
function dateOf({ headers }: HttpAnswer): number | null {
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

/** True for a text that starts as an object or array but ends before it, or a string in it, is closed. */
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
