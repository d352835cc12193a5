import { app, protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { APP_SCHEME, isAppUrl } from './app-url.ts'

/** The interface loads only from its own origin, cannot be embedded, and sends nothing to other origins. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Also of errors: an error response is a page of this origin too, if something navigates to it. */
const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** Other file types are not served; with `nosniff` the browser refuses scripts and styles of another type. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

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
  const directives = CONTENT_SECURITY_POLICY.split('; ').map((directive) => {
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
        ...SECURITY_HEADERS,
        'content-security-policy': developmentPolicy(server),
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
  const file = fileOf(folder, request.url)
  const type = file === null ? undefined : TYPES[path.extname(file)]
  if (file === null || type === undefined) return refuseWith(404)
  try {
    const bytes = await readFile(file)
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
      headers: { ...SECURITY_HEADERS, 'content-type': type },
    })
  } catch {
    return refuseWith(404)
  }
}

/** Null if it is not part of the interface. */
function fileOf(folder: string, url: string): string | null {
  const parsed = isAppUrl(url) ? URL.parse(url) : null
  if (parsed === null) return null
  let name: string
  try {
    name = decodeURIComponent(parsed.pathname)
  } catch {
    return null
  }
  if (name.includes('\0') || name.includes('\\')) return null
  const file = path.join(folder, name === '/' ? 'index.html' : name)
  // Checked after decoding and joining, so that an encoded `..` is found too.
  return file.startsWith(folder + path.sep) ? file : null
}

function refuseWith(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS })
}
