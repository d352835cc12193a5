import type { ServerResponse } from 'node:http'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** No inline code, no other origins, no frames. The WebSocket to this server counts as 'self'. */
export const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

export interface Asset {
  readonly bytes: Buffer
  readonly type: string
  /** Its name contains its hash, so its content never changes. */
  readonly immutable: boolean
}

/** Null if the file does not exist or is outside the folder. */
export async function readAsset(folder: string, target: string): Promise<Asset | null> {
  let pathname: string
  try {
    pathname = decodeURIComponent(new URL(target, 'http://interface').pathname)
  } catch {
    return null
  }
  const file = path.resolve(folder, `.${pathname === '/' ? '/index.html' : pathname}`)
  const type = types[path.extname(file)]
  if (!file.startsWith(folder + path.sep) || !type) return null
  try {
    return { bytes: await readFile(file), type, immutable: pathname.startsWith('/assets/') }
  } catch {
    return null
  }
}

export function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}
