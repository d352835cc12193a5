import { app, protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { APP_SCHEME, isAppUrl } from './app-url.ts'

/** Everything the interface loads comes from its own origin; it is embedded nowhere and sends nothing anywhere. */
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

/** Of every answer: one that refuses is a page of this origin as well, should anything lead there. */
const GUARDS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** `nosniff` makes the browser refuse a script or style of another type: a file type that is not here is not served. */
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

/** Must run before the app is ready: later it has no effect, and the page would have no origin. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** Serves the built interface in `folder` as `app://tabscope/`, or, in a checkout under `npm run dev`, that of the development server. */
export function serveInterface(folder: string): void {
  const server = developmentServer(app.isPackaged, process.env)
  const serve = (request: Request): Promise<Response> =>
    server === null ? serveFile(folder, request) : serveFrom(server, request)
  protocol.handle(APP_SCHEME, serve)
}

/**
 * The development server of the interface; null: none. A packaged app never has one: whoever sets its environment would choose its pages.
 * Throws when the address is not one of this computer.
 */
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

/**
 * Answers one request for the interface with what the development server has. The page keeps its origin, so all that guards it holds under
 * development as well; its policy admits only what Vite adds: inline scripts and styles, and the socket that its reloads come over.
 */
export async function serveFrom(server: URL, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
  const parsed = isAppUrl(request.url) ? URL.parse(request.url) : null
  if (parsed === null) return refuse(404)
  // Not resolved against the server: a path that begins with `//` would name another one.
  const url = new URL(server)
  url.pathname = parsed.pathname
  url.search = parsed.search
  try {
    // By what is accepted Vite tells a style that is imported from one that is linked.
    const answer = await fetch(url, {
      method: request.method,
      headers: { accept: request.headers.get('accept') ?? '*/*' },
    })
    return new Response(answer.body, {
      status: answer.status,
      headers: {
        ...GUARDS,
        'content-security-policy': developmentPolicy(server),
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
        'cache-control': 'no-store',
      },
    })
  } catch {
    return refuse(502)
  }
}

/** Answers one request for the interface: 404 for all that is not a file in `folder`, wherever its path leads. */
export async function serveFile(folder: string, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
  const file = fileOf(folder, request.url)
  const type = file === null ? undefined : TYPES[path.extname(file)]
  if (file === null || type === undefined) return refuse(404)
  try {
    const bytes = await readFile(file)
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
      headers: { ...GUARDS, 'content-type': type },
    })
  } catch {
    return refuse(404)
  }
}

/** The file that a URL names; null when that is none of the interface. */
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
  // After decoding and joining: an encoded `..` is one like any other.
  return file.startsWith(folder + path.sep) ? file : null
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: GUARDS })
}
