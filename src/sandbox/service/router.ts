import {
  authorizePath,
  messagePage,
  authorizationPage,
  linkPage,
  invalidRequestPage,
} from './authorize-page.ts'
import type { ServiceContext } from './context.ts'
import {
  type HttpResponse,
  parseForm,
  type Handler,
  plain,
  redirect,
  errorResponse,
  sameOrigin,
  json,
} from './http.ts'
import { stylesheetPath } from './html.ts'
import { tokenHandler, tokenPath } from './token.ts'
import { type Authorization, readAuthorization } from './authorize.ts'
import { findUser, type User } from './grants.ts'
import type { Fault } from './faults.ts'
import type { IncomingHttpHeaders } from 'node:http'

const stylesheet: HttpResponse = {
  status: 200,
  headers: { 'Content-Type': 'text/css; charset=utf-8' },
  body: Object.values(
    import.meta.glob<string>('../../../resources/pages/sandbox-service.css', {
      eager: true,
      query: '?raw',
      import: 'default',
    }),
  ).join(''),
}

/** The API documentation gives no resource path: this one is fictional, which `madeUp` indicates. */
const locationsPath = '/api/sandbox/locations'
/** Returns the request it receives. Also fictional. */
const echoPath = '/api/sandbox/echo'

type Bearer = { readonly user: User } | { readonly error: HttpResponse }

/** Returns the user, or the error of "Errors" in the API documentation: 401 for an expired or revoked token, 403 for an invalid one. */
function authenticate(
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

function locationsHandler(context: ServiceContext): Handler {
  return ({ headers }) => {
    const bearer = authenticate(headers, context)
    if ('error' in bearer) return bearer.error
    const { name, role, locations } = bearer.user
    return json(200, { madeUp: true, user: { name, role }, locations })
  }
}

/** Returns the request without the value of `Authorization`. Needs no token, and reports the state of a received one. */
function echoHandler(context: ServiceContext): Handler {
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

type Decision = { readonly code: string } | { readonly error: 'access_denied' }

interface ReturnOptions {
  readonly faults: ReadonlySet<Fault>
  readonly otherState: string
  readonly otherCode: string
}

/** Encodes characters that are not allowed in a URL. The value is otherwise already encoded. */
const encodeUnsafe = (raw: string) =>
  raw.replaceAll(/[^\u0021-\u007e]/g, (sign) => encodeURIComponent(sign))

/**
 * The redirect URL with `code` or `error`, and with `state` if one was sent (API documentation, "Endpoints" 1). The rest of the URL stays exactly the
 * same. Applies the faults of the redirect.
 */
export function returnUrl(
  { redirectUrl, rawState }: Authorization,
  result: Decision,
  { faults, otherState, otherCode }: ReturnOptions,
): string {
  const pairs: string[] = []
  if ('error' in result) pairs.push(`error=${result.error}`)
  else if (faults.has('empty_code')) pairs.push('code=')
  else if (!faults.has('no_code')) pairs.push(`code=${encodeURIComponent(result.code)}`)
  if ('code' in result && faults.has('code_twice'))
    pairs.push(`code=${encodeURIComponent(otherCode)}`)

  const state = faults.has('wrong_state') ? otherState : rawState
  if (state !== null && !faults.has('no_state')) {
    pairs.push(`state=${encodeUnsafe(state)}`)
    if (faults.has('state_twice')) pairs.push(`state=${encodeUnsafe(state)}`)
  }
  const target = faults.has('wrong_path') ? withWrongPath(redirectUrl) : redirectUrl
  if (pairs.length === 0) return target
  // An existing query, even an empty one, is extended.
  const separator = target.includes('?') ? (/[?&]$/.test(target) ? '' : '&') : '?'
  return target + separator + pairs.join('&')
}

function withWrongPath(redirectUrl: string): string {
  const url = new URL(redirectUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/elsewhere`
  return url.href
}

/** Of the fault `code_on_the_way`. */
const intermediatePagePath = '/manager/oauth/on-the-way'
const pageLifetime = 600_000
const maxOpenPages = 200

/** API documentation, "Endpoints" 1: the page, its form, and the intermediate page of a fault. */
function authorizationHandlers(context: ServiceContext): {
  show: Handler
  decide: Handler
  continueRedirect: Handler
} {
  const openPages = new Map<string, { request: Authorization; until: number }>()
  const intermediatePages = new Map<string, string>()
  const randomToken = () => Buffer.from(context.random(24)).toString('base64url')

  const store = <T>(map: Map<string, T>, value: T): string => {
    const key = randomToken()
    map.set(key, value)
    for (const oldest of map.keys()) {
      if (map.size <= maxOpenPages) break
      map.delete(oldest)
    }
    return key
  }

  const sendBack = (target: string): HttpResponse => {
    if (context.faults.has('by_link')) return linkPage(target)
    if (!context.faults.has('code_on_the_way')) return redirect(target)
    return redirect(
      `${intermediatePagePath}?code=of-a-page-on-the-way&to=${store(intermediatePages, target)}`,
    )
  }

  return {
    show({ rawQuery }) {
      const request = readAuthorization(rawQuery, context)
      if ('problems' in request) return invalidRequestPage(request.problems)
      const until = context.clock.date().getTime() + pageLifetime
      return authorizationPage(request, {
        accessId: context.accessId,
        ticket: store(openPages, { request, until }),
      })
    },

    decide(request) {
      if (!sameOrigin(request, context.baseUrl))
        return messagePage(403, 'Request rejected', 'A page of another origin submitted this form.')
      const form = parseForm(request)
      const ticket = form.get('ticket') ?? ''
      const stored = openPages.get(ticket)
      const user = findUser(form.get('user'))
      const decision = form.get('decision')
      // A one-time value: the form can be submitted only from its page, and only once.
      openPages.delete(ticket)
      if (!stored || context.clock.date().getTime() >= stored.until)
        return messagePage(
          400,
          'This page has expired or was already submitted',
          'Start the authorization again in your integration.',
        )
      if (decision !== 'deny' && (decision !== 'approve' || !user))
        return messagePage(400, 'No decision', 'Select a user, then approve or deny.')
      const result: Decision =
        decision === 'approve' && user
          ? { code: context.grants.code(user) }
          : { error: 'access_denied' }
      const { faults } = context
      return sendBack(
        returnUrl(stored.request, result, {
          faults,
          otherState: randomToken(),
          otherCode: randomToken(),
        }),
      )
    },

    continueRedirect({ query }) {
      const key = query.get('to') ?? ''
      const target = intermediatePages.get(key)
      intermediatePages.delete(key)
      if (target === undefined)
        return messagePage(400, 'This page was already used', `Start again at ${authorizePath}.`)
      return redirect(target)
    },
  }
}

interface Route {
  readonly methods: Readonly<Record<string, Handler>>
  /** In bytes; 0: no body is allowed. */
  readonly bodyLimit: number
}

export type Router = ReturnType<typeof createRouter>

const kib = 1024

export function createRouter(context: ServiceContext) {
  const authorization = authorizationHandlers(context)
  const echo = echoHandler(context)
  const routes = new Map<string, Route>([
    [stylesheetPath, { methods: { GET: () => stylesheet }, bodyLimit: 0 }],
    [
      authorizePath,
      { methods: { GET: authorization.show, POST: authorization.decide }, bodyLimit: 16 * kib },
    ],
    [intermediatePagePath, { methods: { GET: authorization.continueRedirect }, bodyLimit: 0 }],
    [tokenPath, { methods: { POST: tokenHandler(context) }, bodyLimit: 64 * kib }],
    [locationsPath, { methods: { GET: locationsHandler(context) }, bodyLimit: 0 }],
    [
      echoPath,
      {
        methods: { GET: echo, POST: echo, PUT: echo, PATCH: echo, DELETE: echo },
        bodyLimit: kib * kib,
      },
    ],
  ])

  return {
    bodyLimit: (path: string) => routes.get(path)?.bodyLimit ?? 0,
    /** An error handler if there is none. `HEAD` is handled as `GET`, without sending the body. */
    find(method: string, path: string): Handler {
      const route = routes.get(path)
      if (!route) return () => notFound(path)
      const wanted = method === 'HEAD' ? 'GET' : method
      const handler = Object.entries(route.methods).find(([name]) => name === wanted)?.[1]
      return handler ?? (() => methodNotAllowed(method, path, Object.keys(route.methods)))
    },
  }
}

const isApi = (path: string) => path.startsWith('/api/')

function notFound(path: string): HttpResponse {
  return isApi(path)
    ? errorResponse(404, 'not_found', 'The sandbox has no resource at this path.')
    : messagePage(404, 'Not found', 'The sandbox has no page at this URL.')
}

function methodNotAllowed(method: string, path: string, allowed: readonly string[]): HttpResponse {
  const headers = { Allow: allowed.join(', ') }
  const message = `Use ${headers.Allow} here, not ${method}.`
  return isApi(path)
    ? errorResponse(405, 'method_not_allowed', message, headers)
    : plain(405, message, headers)
}
