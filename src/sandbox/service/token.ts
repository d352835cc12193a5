import { createHash, timingSafeEqual } from 'node:crypto'
import type { ServiceContext } from './context.ts'
import {
  type HttpResponse,
  type Handler,
  json,
  mediaType,
  plain,
  errorResponse,
  type Request,
} from './http.ts'
import type { Issued } from './grants.ts'
import { delay } from '#shared/async/retry.ts'
import type { Fault } from './faults.ts'

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const

/** Exactly the fields of "Token response" in the API documentation, unless a fault changes it. `lifetime` in seconds. */
function tokenResponse(issued: Issued, lifetime: number, faults: ReadonlySet<Fault>): HttpResponse {
  const { token, refreshToken } = issued
  const unit = faults.has('milliseconds') ? 1000 : 1
  // Two lifetimes in the past, so that a client with a slightly wrong clock also considers it expired.
  const offset = faults.has('expired') ? 2 * lifetime : 0
  const fields = {
    tokenType: faults.has('not_bearer') ? 'MAC' : 'Bearer',
    token,
    initiated: (issued.initiated - offset) * unit,
    expires: (issued.expires - offset) * unit,
    expiresIn: lifetime * unit,
    refreshToken,
  }
  const omitted: ReadonlySet<string> = new Set([
    ...(faults.has('missing_fields') ? ['initiated', 'expires'] : []),
    ...(faults.has('no_token') ? ['token'] : []),
    ...(faults.has('no_refresh_token') ? ['refreshToken'] : []),
  ])
  const entries = Object.entries(fields).filter(([name]) => !omitted.has(name))
  const body = Object.fromEntries(
    faults.has('snake_case') ? entries.map(([name, value]) => [snakeCase(name), value]) : entries,
  )
  if (faults.has('html'))
    return {
      status: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8', ...noStore },
      body: '<!doctype html><title>Service</title><p>The fault “html” is active.</p>\n',
    }
  if (faults.has('malformed_json')) {
    const text = JSON.stringify(body)
    return {
      status: 200,
      headers: { 'Content-Type': 'application/json', ...noStore },
      body: text.slice(0, Math.ceil(text.length / 2)),
    }
  }
  return json(200, body, noStore)
}

/** With the names of OAuth 2.0 where they exist (RFC 6749, 5.1). */
function snakeCase(name: string): string {
  if (name === 'token') return 'access_token'
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** API documentation, "Endpoints" 2. */
export const tokenPath = '/api/oauth/token'

/**
 * The exchange follows the API documentation. Not documented, and therefore assumptions: the refresh (as in OAuth 2.0, with the fields of the exchange),
 * and all statuses and bodies of error responses (RFC 6749, 5.2).
 */
export function tokenHandler(context: ServiceContext): Handler {
  return async (request) => {
    const { faults } = context
    if (faults.has('slow')) await delay(context.clock, context.slowMs, request.signal)
    if (faults.has('reset')) return null
    if (faults.has('redirect'))
      return plain(302, 'The fault “redirect” is active.', {
        Location: `${context.baseUrl}/api/moved`,
      })
    if (faults.has('server_error'))
      return errorResponse(500, 'server_error', 'The fault “server_error” is active.')

    const fields = readFields(request)
    if ('error' in fields) return fields.error
    const issued = issue(context, fields)
    if ('error' in issued) return issued.error
    context.touch()
    return tokenResponse(issued, context.tokenLifetime, faults)
  }
}

interface Rejection {
  readonly error: HttpResponse
}

const reject = (status: number, error: string, message: string): Rejection => ({
  error: errorResponse(status, error, message),
})

type Fields = ReadonlyMap<string, string>

function readFields(request: Request): Fields | Rejection {
  if (!/application\/json|application\/\*|\*\/\*|^$/i.test(request.headers.accept ?? ''))
    return reject(406, 'not_acceptable', 'Send “Accept: application/json”.')
  if (mediaType(request) !== 'application/json')
    return reject(415, 'unsupported_media_type', 'Send “Content-Type: application/json”.')
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body))
  } catch {
    return reject(400, 'invalid_request', 'The body is not valid JSON in UTF-8.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return reject(400, 'invalid_request', 'Send a JSON object.')
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(body))
    if (typeof value === 'string' && value !== '') fields.set(name, value)
  return fields
}

function issue(context: ServiceContext, fields: Fields): Issued | Rejection {
  const { grants, tokenLifetime, faults } = context
  const grantType = fields.get('grant_type')
  if (grantType === undefined) return missing('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    return reject(
      400,
      'unsupported_grant_type',
      'Use “authorization_code” or “refresh_token” as grant_type.',
    )
  const credential = grantType === 'authorization_code' ? 'code' : 'refresh_token'
  for (const name of ['api_access_id', 'api_access_secret', credential])
    if (!fields.has(name)) return missing(name)
  const known =
    equalInConstantTime(fields.get('api_access_id') ?? '', context.accessId) &&
    equalInConstantTime(fields.get('api_access_secret') ?? '', context.accessSecret)
  if (!known) return reject(401, 'invalid_client', 'The access ID or the access secret is wrong.')

  const given = fields.get(credential) ?? ''
  const issued =
    grantType === 'authorization_code'
      ? grants.exchange(given, tokenLifetime)
      : grants.refresh(given, tokenLifetime, { once: faults.has('refresh_once') })
  if (typeof issued !== 'string') return issued
  const messages = {
    unknown: `Unknown ${credential}.`,
    used: `This ${credential} was already used.`,
    expired: `This ${credential} has expired. A code is valid for 60 seconds.`,
    revoked: `This ${credential} was revoked.`,
  }
  return reject(400, 'invalid_grant', messages[issued])
}

const missing = (name: string) =>
  reject(400, 'invalid_request', `The field “${name}” is required and must be a string.`)

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Digests make the time independent of the lengths. */
function equalInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}
