import { app, protocol } from 'electron'
import { contentSecurityPolicy, readAsset, securityHeaders } from '../static-files.ts'
import { APP_SCHEME, isAppUrl } from './app-url.ts'

/** Before the app is ready: later it has no effect, and the page would have no origin. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** As `app://tabscope/`; in a checkout under `npm run dev`, the interface of the development server. */
export function serveInterface(folder: string): void {
  const server = developmentServer(app.isPackaged, process.env)
  const serve = (request: Request): Promise<Response> =>
    server === null ? serveFile(folder, request) : serveFrom(server, request)
  protocol.handle(APP_SCHEME, serve)
}

/** A packaged app has none: otherwise the environment could replace its pages. Throws if the address is not on this computer. */
export function developmentServer(isPackaged: boolean, env: NodeJS.ProcessEnv): URL | null {
  const address = env['ELECTRON_RENDERER_URL']
  if (isPackaged || address === undefined || address === '') return null
  const server = URL.parse(address)
  if (server?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(server.hostname))
    return server
  throw new Error(
    `ELECTRON_RENDERER_URL must be an http:// address of this computer, not ${address}.`,
  )
}

function developmentPolicy({ host }: URL): string {
  const directives = contentSecurityPolicy.split('; ').map((directive) => {
    if (/^(?:script|style)-src /.test(directive)) return `${directive} 'unsafe-inline'`
    return directive.startsWith('connect-src ') ? `${directive} ws://${host}` : directive
  })
  return directives.join('; ')
}

/** The page keeps its origin, so its protections apply in development too. The policy also allows what Vite needs: inline code, and the WebSocket for reloads. */
export async function serveFrom(server: URL, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseWith(405)
  const parsed = isAppUrl(request.url) ? URL.parse(request.url) : null
  if (parsed === null) return refuseWith(404)
  // Not resolved against the server's URL: a path that begins with `//` would name another server.
  const url = new URL(server)
  url.pathname = parsed.pathname
  url.search = parsed.search
  try {
    // Vite uses the Accept header to tell an imported style from a linked one.
    const response = await fetch(url, {
      method: request.method,
      headers: { accept: request.headers.get('accept') ?? '*/*' },
    })
    return new Response(response.body, {
      status: response.status,
      headers: {
        ...securityHeaders,
        'Content-Security-Policy': developmentPolicy(server),
        'content-type': response.headers.get('content-type') ?? 'text/plain',
        'cache-control': 'no-store',
      },
    })
  } catch {
    return refuseWith(502)
  }
}

/** 404 for everything that is not a file in `folder`, wherever its path leads. */
export async function serveFile(folder: string, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseWith(405)
  const asset = isAppUrl(request.url) ? await readAsset(folder, request.url) : null
  if (asset === null) return refuseWith(404)
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(asset.bytes), {
    headers: { ...securityHeaders, 'content-type': asset.type },
  })
}

function refuseWith(status: number): Response {
  return new Response(null, { status, headers: securityHeaders })
}
