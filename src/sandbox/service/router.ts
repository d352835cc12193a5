import { authorizationHandlers, intermediatePagePath } from './authorization.ts'
import { authorizePath, wordPage } from './authorize-page.ts'
import type { Desk } from './desk.ts'
import { type Answer, formOf, type Handler, plain, redirect, refusal, sameOrigin } from './http.ts'
import { echoHandler, echoPath, locationsHandler, locationsPath } from './resource.ts'
import { stylesheetPath } from './page.ts'
import { stylesheet } from './stylesheet.ts'
import { tokenHandler, tokenPath } from './token.ts'
import { SandboxError } from '../errors.ts'
import { type Action, actions } from './dashboard-actions.ts'
import { dashboardPage } from './dashboard-page.ts'

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
