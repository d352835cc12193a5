import { protocol } from 'electron'
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

/** Serves the built interface in `folder` as `app://tabscope/`. */
export function serveInterface(folder: string): void {
  protocol.handle(APP_SCHEME, (request) => serveFile(folder, request))
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
