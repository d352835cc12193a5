import { createHash, timingSafeEqual } from 'node:crypto'
import type { Desk } from './desk.ts'
import { type Answer, type Handler, json, mediaType, plain, refusal, type Request } from './http.ts'
import type { Issued } from './grants.ts'
import { delay } from '#shared/async/retry.ts'
import type { Fault } from './faults.ts'

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const

/**
 * The token response: exactly the fields of SPEC, "Token response", unless a fault bends it. `lifetime` in seconds.
 */
function tokenAnswer(issued: Issued, lifetime: number, faults: ReadonlySet<Fault>): Answer {
  const { token, refreshToken } = issued
  const unit = faults.has('milliseconds') ? 1000 : 1
  // Two lifetimes back: also what a clock that is a little wrong takes for long gone.
  const back = faults.has('expired') ? 2 * lifetime : 0
  const fields = {
    tokenType: faults.has('not_bearer') ? 'MAC' : 'Bearer',
    token,
    initiated: (issued.initiated - back) * unit,
    expires: (issued.expires - back) * unit,
    expiresIn: lifetime * unit,
    refreshToken,
  }
  const left: ReadonlySet<string> = new Set([
    ...(faults.has('missing_fields') ? ['initiated', 'expires'] : []),
    ...(faults.has('no_token') ? ['token'] : []),
    ...(faults.has('no_refresh_token') ? ['refreshToken'] : []),
  ])
  const entries = Object.entries(fields).filter(([name]) => !left.has(name))
  const answer = Object.fromEntries(
    faults.has('snake_case') ? entries.map(([name, value]) => [snake(name), value]) : entries,
  )
  if (faults.has('html'))
    return {
      status: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8', ...noStore },
      body: '<!doctype html><title>Service</title><p>The fault “html” is on.</p>\n',
    }
  if (faults.has('malformed_json')) {
    const body = JSON.stringify(answer)
    return {
      status: 200,
      headers: { 'Content-Type': 'application/json', ...noStore },
      body: body.slice(0, Math.ceil(body.length / 2)),
    }
  }
  return json(200, answer, noStore)
}

/** The names of OAuth 2.0 where it has them (RFC 6749, 5.1). */
function snake(name: string): string {
  if (name === 'token') return 'access_token'
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Where a token is issued (SPEC, "Endpoints" 2). */
export const tokenPath = '/api/oauth/token'

/**
 * The token endpoint. The exchange is the document's. Not documented, and so assumptions: the refresh (as OAuth 2.0 has it, in the
 * fields of the exchange), and all statuses and bodies of refusals (RFC 6749, 5.2).
 */
export function tokenHandler(desk: Desk): Handler {
  return async (request) => {
    const { faults } = desk
    if (faults.has('slow')) await delay(desk.clock, desk.slowMs, request.signal)
    if (faults.has('reset')) return null
    if (faults.has('redirect'))
      return plain(302, 'The fault “redirect” is on.', { Location: `${desk.baseUrl}/api/moved` })
    if (faults.has('server_error'))
      return refusal(500, 'server_error', 'The fault “server_error” is on.')

    const fields = readFields(request)
    if ('refused' in fields) return fields.refused
    const issued = issue(desk, fields)
    if ('refused' in issued) return issued.refused
    desk.touch()
    return tokenAnswer(issued, desk.tokenLifetime, faults)
  }
}

interface Refused {
  readonly refused: Answer
}

const refuse = (status: number, error: string, message: string): Refused => ({
  refused: refusal(status, error, message),
})

type Fields = ReadonlyMap<string, string>

/** The fields of the JSON body that are texts, the empty ones left out. */
function readFields(request: Request): Fields | Refused {
  if (!/application\/json|application\/\*|\*\/\*|^$/i.test(request.headers.accept ?? ''))
    return refuse(406, 'not_acceptable', 'Send “Accept: application/json”.')
  if (mediaType(request) !== 'application/json')
    return refuse(415, 'unsupported_media_type', 'Send “Content-Type: application/json”.')
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body))
  } catch {
    return refuse(400, 'invalid_request', 'The body is not JSON in UTF-8.')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refuse(400, 'invalid_request', 'Send a JSON object.')
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(body))
    if (typeof value === 'string' && value !== '') fields.set(name, value)
  return fields
}

function issue(desk: Desk, fields: Fields): Issued | Refused {
  const { grants, tokenLifetime, faults } = desk
  const grantType = fields.get('grant_type')
  if (grantType === undefined) return missing('grant_type')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    return refuse(
      400,
      'unsupported_grant_type',
      'Use “authorization_code” or “refresh_token” as grant_type.',
    )
  const proof = grantType === 'authorization_code' ? 'code' : 'refresh_token'
  for (const name of ['api_access_id', 'api_access_secret', proof])
    if (!fields.has(name)) return missing(name)
  const known =
    same(fields.get('api_access_id') ?? '', desk.accessId) &&
    same(fields.get('api_access_secret') ?? '', desk.accessSecret)
  if (!known)
    return refuse(
      401,
      'invalid_client',
      'The access id and the access secret do not belong together.',
    )

  const given = fields.get(proof) ?? ''
  const issued =
    grantType === 'authorization_code'
      ? grants.exchange(given, tokenLifetime)
      : grants.refresh(given, tokenLifetime, { once: faults.has('refresh_once') })
  if (typeof issued !== 'string') return issued
  const words = {
    unknown: `This ${proof} is not known here.`,
    used: `This ${proof} was used before.`,
    expired: `This ${proof} is too old. A code lives for 60 seconds.`,
    revoked: `This ${proof} was revoked.`,
  }
  return refuse(400, 'invalid_grant', words[issued])
}

const missing = (name: string) => refuse(400, 'invalid_request', `Send “${name}”, a text.`)

const digest = (text: string) => createHash('sha256').update(text).digest()

/** In constant time, whatever the lengths. */
function same(given: string, held: string): boolean {
  return timingSafeEqual(digest(given), digest(held))
}
