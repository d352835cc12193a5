import type { IncomingHttpHeaders } from 'node:http'
import type { Desk } from './desk.ts'
import type { User } from './grants.ts'
import { json, refusal } from './http.ts'
import type { Answer, Handler } from './http.ts'

/** The sample resource. The document gives no path of any: this one is made up, and says so. */
export const locationsPath = '/api/sandbox/locations'
/** Answers what it was sent. Made up, too. */
export const echoPath = '/api/sandbox/echo'

type Bearer = { readonly user: User } | { readonly refused: Answer }

/** Who a request acts for, or the refusal of SPEC, "Errors": 401 expired or revoked, 403 invalid. */
export function bearerOf(headers: IncomingHttpHeaders, { grants }: Pick<Desk, 'grants'>): Bearer {
  const { authorization } = headers
  // What is answered without a token is not documented: 401, as RFC 6750 (3.1) has it.
  if (authorization === undefined)
    return no(401, 'no_token', 'Send the access token: “Authorization: Bearer …”.')
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  const { state, user } = grants.look(token ?? '')
  if (state === 'expired') return no(401, 'token_expired', 'The token has expired.')
  if (state === 'revoked') return no(401, 'token_revoked', 'The token was revoked.')
  if (user === null) return no(403, 'token_invalid', 'The token is invalid.')
  return { user }
}

const no = (status: 401 | 403, error: string, message: string): Bearer => ({
  refused: refusal(status, error, message, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
})

/** The locations that the user of the token can access. */
export function locationsHandler(desk: Desk): Handler {
  return ({ headers }) => {
    const bearer = bearerOf(headers, desk)
    if ('refused' in bearer) return bearer.refused
    const { name, role, locations } = bearer.user
    return json(200, { madeUp: true, user: { name, role }, locations })
  }
}

/** What was sent, without the value of `Authorization`. It needs no token, and says what became of one that came. */
export function echoHandler(desk: Desk): Handler {
  return ({ method, path, query, headers, body }) => {
    const { authorization, ...others } = headers
    const bearer = authorization === undefined ? null : desk.grants.look(tokenIn(authorization))
    return json(200, {
      madeUp: true,
      method,
      path,
      query: [...query],
      headers: others,
      token: bearer === null ? 'none' : bearer.state,
      body: textOf(body),
    })
  }
}

const tokenIn = (authorization: string) => authorization.replace(/^Bearer +/i, '')

/** Text where it is UTF-8, else Base64 with its name before it. */
function textOf(body: Buffer): string {
  const text = body.toString('utf8')
  return Buffer.from(text, 'utf8').equals(body) ? text : `base64:${body.toString('base64')}`
}
