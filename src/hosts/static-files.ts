import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** No inline code, no other origins, no frames. The WebSocket to its server counts as 'self'. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Also of errors: an error response is a page of this origin too, if something navigates to it. */
export const securityHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Other file types are not served; with `nosniff` the browser refuses scripts and styles of another type. */
const types: Readonly<Record<string, string>> = {
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

interface Asset {
  readonly bytes: Buffer
  readonly type: string
  /** Its name contains its hash, so its content never changes. */
  readonly immutable: boolean
}

/** A file of the interface. Null if it does not exist or is outside the folder, wherever its path leads. */
export async function readAsset(folder: string, target: string): Promise<Asset | null> {
  let pathname: string
  try {
    pathname = decodeURIComponent(new URL(target, 'http://interface').pathname)
  } catch {
    return null
  }
  // Checked after decoding and joining, so that an encoded `..` is found too.
  const file = path.resolve(folder, `.${pathname === '/' ? '/index.html' : pathname}`)
  const type = types[path.extname(file)]
  if (!file.startsWith(folder + path.sep) || !type) return null
  try {
    return { bytes: await readFile(file), type, immutable: pathname.startsWith('/assets/') }
  } catch {
    return null
  }
}
