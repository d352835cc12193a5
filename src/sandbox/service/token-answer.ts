import type { Fault } from './faults.ts'
import type { Issued } from './grants.ts'
import { json } from './http.ts'
import type { Answer } from './http.ts'

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const

/**
 * The token response: exactly the fields of SPEC, "Token response", unless a fault bends it. `lifetime` in seconds.
 */
export function tokenAnswer(issued: Issued, lifetime: number, faults: ReadonlySet<Fault>): Answer {
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
