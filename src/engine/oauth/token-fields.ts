import type { Finding } from '#contract/models.ts'
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
export function readFields(token: string, fields: ReadonlyMap<string, unknown>): Read {
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
    find('lifetime', 'warning', 'expiresIn', 'The token does not live the document’s 24 hours.', {
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
      `The answer has fields that are not in the document: ${extra
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
