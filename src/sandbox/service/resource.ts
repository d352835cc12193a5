import type { IncomingHttpHeaders } from 'node:http'
import type { ServiceContext } from './context.ts'
import type { User } from './grants.ts'
import { json, errorResponse, type HttpResponse, type Handler } from './http.ts'

/** The API documentation gives no resource path: this one is fictional, which `madeUp` indicates. */
export const locationsPath = '/api/sandbox/locations'
/** Returns the request it receives. Also fictional. */
export const echoPath = '/api/sandbox/echo'

type Bearer = { readonly user: User } | { readonly error: HttpResponse }

/** Returns the user, or the error of "Errors" in the API documentation: 401 for an expired or revoked token, 403 for an invalid one. */
export function authenticate(
  headers: IncomingHttpHeaders,
  { grants }: Pick<ServiceContext, 'grants'>,
): Bearer {
  const { authorization } = headers
  // The response to a request without a token is not documented: 401 is assumed (RFC 6750, 3.1).
  if (authorization === undefined)
    return unauthorized(401, 'no_token', 'Send the access token: “Authorization: Bearer …”.')
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  const { state, user } = grants.inspect(token ?? '')
  if (state === 'expired') return unauthorized(401, 'token_expired', 'The token has expired.')
  if (state === 'revoked') return unauthorized(401, 'token_revoked', 'The token was revoked.')
  if (user === null) return unauthorized(403, 'token_invalid', 'The token is invalid.')
  return { user }
}

const unauthorized = (status: 401 | 403, error: string, message: string): Bearer => ({
  error: errorResponse(
    status,
    error,
    message,
    status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
  ),
})

export function locationsHandler(context: ServiceContext): Handler {
  return ({ headers }) => {
    const bearer = authenticate(headers, context)
    if ('error' in bearer) return bearer.error
    const { name, role, locations } = bearer.user
    return json(200, { madeUp: true, user: { name, role }, locations })
  }
}

/** Returns the request without the value of `Authorization`. Needs no token, and reports the state of a received one. */
export function echoHandler(context: ServiceContext): Handler {
  return ({ method, path, query, headers, body }) => {
    const { authorization, ...others } = headers
    const bearer =
      authorization === undefined ? null : context.grants.inspect(tokenIn(authorization))
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

/** Base64 with the prefix `base64:` if the body is not UTF-8. */
function textOf(body: Buffer): string {
  const text = body.toString('utf8')
  return Buffer.from(text, 'utf8').equals(body) ? text : `base64:${body.toString('base64')}`
}
