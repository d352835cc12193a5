import {
  authorizePath,
  wordPage,
  authorizationPage,
  linkPage,
  mistakesPage,
} from './authorize-page.ts'
import type { Desk } from './desk.ts'
import { type Answer, formOf, type Handler, plain, redirect, refusal, sameOrigin } from './http.ts'
import { echoHandler, echoPath, locationsHandler, locationsPath } from './resource.ts'
import { stylesheetPath } from './html.ts'
import { stylesheet } from './stylesheet.ts'
import { tokenHandler, tokenPath } from './token.ts'
import { SandboxError } from '../errors.ts'
import { type Action, actions } from './dashboard-actions.ts'
import { dashboardPage } from './dashboard-page.ts'
import { type Authorization, readAuthorization } from './authorize.ts'
import { userOf } from './grants.ts'
import type { Fault } from './faults.ts'

/** What goes back to the client: a code, or the user's refusal. */
type Verdict = { readonly code: string } | { readonly error: 'access_denied' }

interface ReturnOptions {
  readonly faults: ReadonlySet<Fault>
  /** For the fault `wrong_state`. */
  readonly otherState: string
  /** For the fault `code_twice`. */
  readonly otherCode: string
}

/** The encoded value, with what no address may hold encoded as well. */
const safe = (raw: string) =>
  raw.replaceAll(/[^\u0021-\u007e]/g, (sign) => encodeURIComponent(sign))

/**
 * The redirect URL with `code`, or `error`, and with `state` if one was sent (SPEC, "Endpoints" 1). What it held before stays as it
 * was, to the byte. The faults of the redirect show here.
 */
export function returnUrl(
  { redirectUrl, rawState }: Authorization,
  verdict: Verdict,
  { faults, otherState, otherCode }: ReturnOptions,
): string {
  const pairs: string[] = []
  if ('error' in verdict) pairs.push(`error=${verdict.error}`)
  else if (faults.has('empty_code')) pairs.push('code=')
  else if (!faults.has('no_code')) pairs.push(`code=${encodeURIComponent(verdict.code)}`)
  if ('code' in verdict && faults.has('code_twice'))
    pairs.push(`code=${encodeURIComponent(otherCode)}`)

  const state = faults.has('wrong_state') ? otherState : rawState
  if (state !== null && !faults.has('no_state')) {
    pairs.push(`state=${safe(state)}`)
    if (faults.has('state_twice')) pairs.push(`state=${safe(state)}`)
  }
  const target = faults.has('wrong_path') ? elsewhere(redirectUrl) : redirectUrl
  if (pairs.length === 0) return target
  // A query that is there, even an empty one, is gone on with.
  const mark = target.includes('?') ? (/[?&]$/.test(target) ? '' : '&') : '?'
  return target + mark + pairs.join('&')
}

function elsewhere(redirectUrl: string): string {
  const url = new URL(redirectUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/elsewhere`
  return url.href
}

/** The page on the way of the fault `code_on_the_way`. */
const intermediatePagePath = '/manager/oauth/on-the-way'
/** Milliseconds in which a page must be answered. */
const patience = 600_000
/** Pages that wait for an answer at most; the oldest go first. */
const mostWaiting = 200

/** The authorization endpoint (SPEC, "Endpoints" 1): its page, what its form does, and the page on the way of a fault. */
function authorizationHandlers(desk: Desk): {
  readonly show: Handler
  readonly decide: Handler
  readonly passOn: Handler
} {
  const waiting = new Map<string, { readonly request: Authorization; readonly until: number }>()
  const onTheWay = new Map<string, string>()
  const word = () => Buffer.from(desk.random(24)).toString('base64url')

  const keep = <T>(map: Map<string, T>, value: T): string => {
    const key = word()
    map.set(key, value)
    for (const oldest of map.keys()) {
      if (map.size <= mostWaiting) break
      map.delete(oldest)
    }
    return key
  }

  const sendBack = (target: string): Answer => {
    if (desk.faults.has('by_link')) return linkPage(target)
    if (!desk.faults.has('code_on_the_way')) return redirect(302, target)
    return redirect(
      302,
      `${intermediatePagePath}?code=of-a-page-on-the-way&to=${keep(onTheWay, target)}`,
    )
  }

  return {
    show({ rawQuery }) {
      const request = readAuthorization(rawQuery, desk)
      if ('mistakes' in request) return mistakesPage(request.mistakes)
      const until = desk.clock.date().getTime() + patience
      return authorizationPage(request, {
        accessId: desk.accessId,
        ticket: keep(waiting, { request, until }),
      })
    },

    decide(request) {
      if (!sameOrigin(request, desk.baseUrl, false))
        return wordPage(403, 'Not from here', 'This form was sent by a page of another origin.')
      const form = formOf(request)
      const ticket = form.get('ticket') ?? ''
      const held = waiting.get(ticket)
      const user = userOf(form.get('user'))
      const decision = form.get('decision')
      // A one-time value: nobody can send this form who was not shown its page, and nobody twice.
      waiting.delete(ticket)
      if (!held || desk.clock.date().getTime() >= held.until)
        return wordPage(
          400,
          'This page was answered already, or is too old',
          'Begin again where the integration sent you here.',
        )
      if (decision !== 'deny' && (decision !== 'approve' || !user))
        return wordPage(400, 'No answer', 'Choose a user, and approve or deny.')
      const verdict: Verdict =
        decision === 'approve' && user
          ? { code: desk.grants.code(user) }
          : { error: 'access_denied' }
      const { faults } = desk
      return sendBack(
        returnUrl(held.request, verdict, { faults, otherState: word(), otherCode: word() }),
      )
    },

    passOn({ query }) {
      const key = query.get('to') ?? ''
      const target = onTheWay.get(key)
      onTheWay.delete(key)
      if (target === undefined)
        return wordPage(400, 'This page was passed already', `Begin again at ${authorizePath}.`)
      return redirect(302, target)
    },
  }
}

const entries: readonly (readonly [string, Action])[] = Object.entries(actions)

/** The dashboard's page. `done` names the action that led here. */
function dashboardHandler(desk: Desk): Handler {
  return ({ query }) => {
    const done = entries.find(([name]) => name === query.get('done'))?.[1]
    return dashboardPage(
      200,
      desk,
      done && { section: done.section, sentence: done.did, ok: true, entered: '' },
    )
  }
}

/** What the forms of the dashboard do, by path. */
function dashboardActions(desk: Desk): [path: string, handler: Handler][] {
  return entries.map(([name, action]) => [
    `/dashboard/${name}`,
    async (request) => {
      if (!sameOrigin(request, desk.baseUrl, true))
        return wordPage(403, 'Not from here', 'Only the dashboard’s own forms can change things.')
      const form = formOf(request)
      try {
        await action.run(desk, form, request.signal)
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error
        const { message: sentence } = error
        const entered = form.get('url') ?? ''
        return dashboardPage(400, desk, { section: action.section, sentence, ok: false, entered })
      }
      // A reload must not do it again.
      return redirect(303, `/?done=${name}`)
    },
  ])
}

/** What a path answers to. */
interface Route {
  readonly methods: Readonly<Record<string, Handler>>
  /** Bytes of body that are taken; 0: none is read. */
  readonly bodyLimit: number
}

export interface Router {
  /** Bytes of body that may come with this request. */
  bodyLimit(path: string): number
  /** What answers; a refusal where nothing does. `HEAD` is `GET` whose body is not sent. */
  find(method: string, path: string): Handler
}

const kib = 1024

/** Every address of the service. */
export function createRouter(desk: Desk): Router {
  const authorization = authorizationHandlers(desk)
  const echo = echoHandler(desk)
  const routes = new Map<string, Route>([
    ['/', { methods: { GET: dashboardHandler(desk) }, bodyLimit: 0 }],
    [stylesheetPath, { methods: { GET: stylesheet }, bodyLimit: 0 }],
    [
      authorizePath,
      { methods: { GET: authorization.show, POST: authorization.decide }, bodyLimit: 16 * kib },
    ],
    [intermediatePagePath, { methods: { GET: authorization.passOn }, bodyLimit: 0 }],
    [tokenPath, { methods: { POST: tokenHandler(desk) }, bodyLimit: 64 * kib }],
    [locationsPath, { methods: { GET: locationsHandler(desk) }, bodyLimit: 0 }],
    [
      echoPath,
      {
        methods: { GET: echo, POST: echo, PUT: echo, PATCH: echo, DELETE: echo },
        bodyLimit: kib * kib,
      },
    ],
  ])

  for (const [path, handler] of dashboardActions(desk))
    routes.set(path, { methods: { POST: handler }, bodyLimit: 16 * kib })

  return {
    bodyLimit: (path) => routes.get(path)?.bodyLimit ?? 0,
    find(method, path) {
      const route = routes.get(path)
      if (!route) return () => nothingAt(path)
      const wanted = method === 'HEAD' ? 'GET' : method
      const handler = Object.entries(route.methods).find(([name]) => name === wanted)?.[1]
      return handler ?? (() => notWith(method, path, Object.keys(route.methods)))
    },
  }
}

const isApi = (path: string) => path.startsWith('/api/')

function nothingAt(path: string): Answer {
  return isApi(path)
    ? refusal(404, 'not_found', 'The sandbox has nothing at this path.')
    : wordPage(404, 'Nothing here', 'The sandbox has no page at this address.')
}

function notWith(method: string, path: string, allowed: readonly string[]): Answer {
  const headers = { Allow: allowed.join(', ') }
  const message = `Use ${headers.Allow} here, not ${method}.`
  return isApi(path)
    ? refusal(405, 'method_not_allowed', message, headers)
    : plain(405, message, headers)
}
