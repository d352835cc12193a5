import type { RunFailureCode } from '#contract/authorization.ts'
import type { Finding } from '#contract/models.ts'
import { jsonToken, JsonTokenizer } from '#shared/json/tokenizer.ts'
import type { HttpAnswer } from '../platform/http/http.ts'
import type { TokenGrant } from './grant.ts'

/** Seconds above this are the year 5138: milliseconds, most likely. */
const surelyMilliseconds = 1e11
const documentLifetime = 86_400
const documentFields = new Set([
  'tokenType',
  'token',
  'initiated',
  'expires',
  'expiresIn',
  'refreshToken',
])

interface Read {
  /** As the service said; milliseconds are turned into seconds. */
  readonly grant: TokenGrant
  readonly findings: Finding[]
  /** True when `expires` is in milliseconds. */
  readonly inMilliseconds: boolean
}

/** Reads the fields beside the token (SPEC, "Token response"). What is absent or of another type is null, and a finding. */
function readFields(token: string, fields: ReadonlyMap<string, unknown>): Read {
  const findings: Finding[] = []
  const find = (
    what: string,
    severity: Finding['severity'],
    name: string,
    message: string,
    seen: Pick<Finding, 'expected' | 'actual'> = {},
  ): void => {
    findings.push({ code: `token.${what}`, severity, place: `body.${name}`, message, ...seen })
  }

  const type = fields.get('tokenType')
  if (type === undefined || type === null) {
    find('type_missing', 'warning', 'tokenType', 'The answer has no tokenType.', {
      expected: 'Bearer',
    })
  } else if (typeof type === 'string' && type !== 'Bearer' && type.toLowerCase() === 'bearer') {
    find('type_case', 'info', 'tokenType', 'The tokenType is written with another case.', {
      expected: 'Bearer',
      actual: type,
    })
  }

  const number = (name: 'initiated' | 'expires' | 'expiresIn'): number | null => {
    const value = fields.get(name)
    if (value === undefined || value === null) {
      find(`${nameInCode[name]}_missing`, 'warning', name, `The answer has no ${name}.`)
      return null
    }
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    find(`${nameInCode[name]}_type`, 'warning', name, `${name} is no integer.`, {
      expected: 'integer',
      actual: typeof value,
    })
    const read = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    return typeof read === 'number' && Number.isSafeInteger(Math.trunc(read))
      ? Math.trunc(read)
      : null
  }
  const given = {
    initiated: number('initiated'),
    expires: number('expires'),
    expiresIn: number('expiresIn'),
  }
  const inMilliseconds = given.expires !== null && given.expires > surelyMilliseconds
  if (given.initiated !== null && given.initiated > surelyMilliseconds && !inMilliseconds) {
    find('initiated_milliseconds', 'warning', 'initiated', 'initiated is in milliseconds.')
  }
  const { expiresIn } = given
  const initiated = inSeconds(given.initiated)
  const expires = inSeconds(given.expires)

  if (initiated !== null && expires !== null && expiresIn !== null) {
    const lasts = expires - initiated
    if (lasts !== expiresIn) {
      find('expires_in_differs', 'warning', 'expiresIn', 'expires - initiated is not expiresIn.', {
        expected: String(lasts),
        actual: String(expiresIn),
      })
    }
  }
  const lifetime =
    expiresIn ?? (initiated !== null && expires !== null ? expires - initiated : null)
  if (lifetime !== null && lifetime !== documentLifetime) {
    find('lifetime', 'warning', 'expiresIn', 'The token lifetime is not the documented 24 hours.', {
      expected: String(documentLifetime),
      actual: String(lifetime),
    })
  }

  const refresh = fields.get('refreshToken')
  const refreshToken = typeof refresh === 'string' && refresh !== '' ? refresh : null
  if (refresh === undefined || refresh === null || refresh === '') {
    find('refresh_token_missing', 'warning', 'refreshToken', 'The answer has no refresh token.')
  } else if (refreshToken === null) {
    find('refresh_token_type', 'warning', 'refreshToken', 'refreshToken is no text.', {
      expected: 'string',
      actual: typeof refresh,
    })
  }

  const extra = [...fields.keys()].filter((name) => !documentFields.has(name))
  if (extra.length > 0) {
    find(
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
  return time !== null && time > surelyMilliseconds ? Math.trunc(time / 1000) : time
}

/** Clocks this far apart are told, in seconds: a request takes a while, and a clock is never quite right. */
const tolerated = 30

interface ClockLook {
  readonly findings: Finding[]
  /** The end of the token when it is in the past, in seconds since the epoch; null while it is not. */
  readonly expired: number | null
}

/**
 * Compares the service's times with ours: `now` and the answer's `Date` in milliseconds since the epoch. When `Date` agrees with `initiated` it is our
 * clock that is wrong, and an end that is in the past by our clock alone is no reason to refuse the token.
 */
function lookAtClock(
  { initiated, expires }: Pick<TokenGrant, 'initiated' | 'expires'>,
  now: number,
  date: number | null,
): ClockLook {
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
        `This computer’s clock is ${apart(ours - theirs)} the service’s. Set it right: until then times of tokens are off here.`,
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
          ? `initiated is ${apart(initiated - ours)} the time at which the service answered.`
          : `initiated is ${apart(initiated - ours)} this computer’s clock. One of the two is wrong.`,
        ours,
        initiated,
      ),
    )
  }
  const reference = oursIsWrong ? theirs : ours
  return { findings, expired: expires !== null && expires <= reference ? expires : null }
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= tolerated
}

function apart(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  return `${whole} seconds ${seconds > 0 ? 'ahead of' : 'behind'}`
}

function clockFinding(what: string, message: string, expected: number, actual: number): Finding {
  return {
    code: `token.${what}`,
    severity: 'warning',
    place: 'body.initiated',
    message,
    expected: String(Math.round(expected)),
    actual: String(Math.round(actual)),
  }
}

/** A token answer larger than this is none, in bytes. */
export const largestTokenAnswer = 1024 * 1024

export type TokenOutcome =
  | { readonly failure: null; readonly grant: TokenGrant; readonly findings: readonly Finding[] }
  | {
      readonly failure: RunFailureCode
      /** What is wrong, as a sentence. */
      readonly detail: string
      /** A token all the same, to be kept aside: it may still be wanted. */
      readonly grant: TokenGrant | null
      readonly findings: readonly Finding[]
    }

function refuse(
  failure: RunFailureCode,
  detail: string,
  kept: { grant: TokenGrant; findings: readonly Finding[] } | null = null,
): TokenOutcome {
  return { failure, detail, grant: kept?.grant ?? null, findings: kept?.findings ?? [] }
}

/**
 * Checks what a token endpoint answered (SPEC, "Token response"), `now` in milliseconds since the epoch. What departs from the document is a finding
 * as long as there is a token that can be used.
 */
export function readTokenAnswer(answer: HttpAnswer, now: number): TokenOutcome {
  const refused = refusedByStatus(answer)
  if (refused) return refused
  if (answer.truncated || answer.bytes > largestTokenAnswer) {
    return refuse(
      'token_too_large',
      `The answer has ${answer.bytes} bytes: no token is that large.`,
    )
  }
  const text = new TextDecoder().decode(answer.body).trim()
  if (/^text\/html\b/i.test(contentTypeOf(answer)) || text.startsWith('<')) {
    return refuse('token_html', 'The answer is a web page, not JSON.')
  }
  const json = parseJson(text)
  if (!json) {
    if (endsEarly(text)) {
      return refuse('token_truncated', 'The response starts as JSON but is incomplete.')
    }
    return refuse('token_not_json', text === '' ? 'The answer is empty.' : 'The answer is no JSON.')
  }
  return readJson(json.value, answer, now)
}

function refusedByStatus({ status, headers }: HttpAnswer): TokenOutcome | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
    const target = location ? URL.parse(location) : null
    const to = target ? ` to ${target.protocol}//${target.host}${target.pathname}` : ''
    return refuse(
      'token_redirected',
      `The token endpoint answered ${status}, a redirect${to}. It was not followed: the access secret would have gone there.`,
    )
  }
  if (status >= 400 && status < 500) {
    return refuse('token_refused', `The token endpoint refused the exchange with ${status}.`)
  }
  if (status >= 500 && status < 600) {
    return refuse('token_server_error', `The token endpoint failed with ${status}.`)
  }
  return refuse('token_status', `The token endpoint answered ${status}, which means no success.`)
}

function readJson(value: unknown, answer: HttpAnswer, now: number): TokenOutcome {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('token_missing', 'The answer is JSON, but no object.')
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  const token = fields.get('token')
  if (typeof token !== 'string' || token.trim() === '') {
    const snake = snakeCase.filter((name) => fields.has(name))
    return snake.length > 0
      ? refuse(
          'token_snake_case',
          `The answer has ${snake.join(', ')}, but not the documented "token".`,
        )
      : refuse('token_missing', 'The answer has no "token" with a text in it.')
  }

  const { grant, findings, inMilliseconds } = readFields(token, fields)
  const date = dateOf(answer)
  const clock = lookAtClock(grant, now, date)
  const kept = {
    grant,
    findings: [...contentTypeFindings(answer), ...findings, ...clock.findings],
  }
  const type = fields.get('tokenType')
  if (type !== undefined && type !== null && !isBearer(type)) {
    const named = typeof type === 'string' ? `"${type.slice(0, 60)}"` : 'no text'
    return refuse('token_not_bearer', `The token’s type is ${named}, not Bearer.`, kept)
  }
  if (inMilliseconds) {
    return refuse(
      'token_milliseconds',
      'The token’s expiry is in milliseconds; the API documentation has seconds.',
      kept,
    )
  }
  if (clock.expired !== null) {
    return refuse(
      'token_expired',
      `The token’s end, ${new Date(clock.expired * 1000).toISOString()}, is in the past.`,
      kept,
    )
  }
  return { failure: null, ...kept }
}

const snakeCase = ['access_token', 'refresh_token', 'token_type', 'expires_in']

function isBearer(type: unknown): boolean {
  return typeof type === 'string' && type.toLowerCase() === 'bearer'
}

function contentTypeOf({ headers }: HttpAnswer): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}

function contentTypeFindings(answer: HttpAnswer): Finding[] {
  const type = contentTypeOf(answer)
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

/** The answer's `Date`, in milliseconds since the epoch. */
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

/** True for a text that begins as an object or a list and ends while it, or a string in it, is still open. */
function endsEarly(text: string): boolean {
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
