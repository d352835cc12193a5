import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { portHolder } from '../../../receiving/listener/listening/port-owner.ts'
import { createHash } from 'node:crypto'
import { systemCodeOf } from '#shared/text/errors.ts'
import { isLoopback } from '#shared/text/address.ts'
import { RunFailureError } from '../failures.ts'
import type { Visit } from '../redirect.ts'

const requestTimeoutMs = 10_000
const maxHeadBytes = 32 * 1024
const maxConnections = 32

const maxFormBytes = 64 * 1024

export interface Loopback {
  /** Resolves when all pending responses are sent. */
  close(): Promise<void>
}

export interface LoopbackVisit extends Visit {
  /** The `Sec-Fetch-Dest` if a page loads the address instead of opening it in a tab; else null. */
  readonly loadedAs: string | null
}

/**
 * Listens on the redirect URL's port, for one flow (RFC 8252, section 7.3): on its host, and if possible on the other loopback address, since the service
 * may redirect to another name of this machine. `visit` receives each GET and POST and returns the page to show; `startedTls` is
 * called for a connection that starts with TLS. Throws `RunFailureError`.
 *
 * Any program on this machine can send requests, and any web page can through the browser. A `Host` that is not of this machine gets 421 (it may be a
 * name that was rebound to this machine), and everything that a visit changes depends on the state of the run.
 */
export async function openLoopback(
  redirectUrl: string,
  visit: (visit: LoopbackVisit) => LoopbackPage,
  startedTls: () => void,
): Promise<Loopback> {
  const url = new URL(redirectUrl)
  const port = Number(url.port || '80')
  const servers: Server[] = []
  const pending = new Set<ServerResponse>()
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => closeServer(server, pending)))
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    pending.add(response)
    response.on('close', () => pending.delete(response))
    show(response, request.method === 'HEAD', await pageFor(request, visit))
  }
  const own = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A program that listens on the other address of `localhost` would receive the code.
  const required = own === 'localhost' ? ['127.0.0.1', '::1'] : [own]
  try {
    for (const host of new Set([...required, '127.0.0.1', '::1'])) {
      const server = createServer(
        {
          maxHeaderSize: maxHeadBytes,
          headersTimeout: requestTimeoutMs,
          requestTimeout: requestTimeoutMs,
          connectionsCheckingInterval: 1000,
          keepAlive: false,
        },
        (request, response) => {
          respond(request, response).catch(() => response.destroy())
        },
      )
      server.on('clientError', (error: Error & { rawPacket?: Uint8Array }, socket) => {
        // The first byte of a TLS handshake (RFC 8446, section 5.1).
        if (error.rawPacket?.[0] === 0x16) startedTls()
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
      })
      server.maxConnections = maxConnections
      server.setTimeout(requestTimeoutMs)
      const isOptional = (code: string): boolean =>
        !required.includes(host) ||
        (servers.length > 0 && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'))
      if (await listen(server, host, port, isOptional)) servers.push(server)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

async function listen(
  server: Server,
  host: string,
  port: number,
  isOptional: (code: string) => boolean,
): Promise<boolean> {
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    const code = systemCodeOf(error)
    if (isOptional(code)) return false
    throw await failureFor(error, code, host, port)
  }
}

async function failureFor(
  error: unknown,
  code: string,
  host: string,
  port: number,
): Promise<RunFailureError> {
  if (code === 'EADDRINUSE') {
    const holder = await portHolder(port)
    return new RunFailureError(
      'redirect_port_in_use',
      `Port ${port} on ${host}, which the redirect URL uses, is already in use${holder ? ` by ${holder}` : ''}.`,
      error,
    )
  }
  return new RunFailureError(
    'redirect_port_forbidden',
    code === 'EACCES'
      ? `Tabscope has no permission to listen on port ${port}, which the redirect URL uses.`
      : `Tabscope cannot listen on port ${port} on ${host}, which the redirect URL uses (${code || 'unknown reason'}).`,
    error,
  )
}

async function pageFor(
  request: IncomingMessage,
  visit: (visit: LoopbackVisit) => LoopbackPage,
): Promise<LoopbackPage> {
  const { method, headers, url: target = '' } = request
  if (method !== 'HEAD' && !target.startsWith('/')) {
    return { status: 400, title: 'Invalid address', text: 'Check the address.' }
  }
  const host = headers.host ?? ''
  const address = `http://${host}${target}`
  const url = host === '' || /[\s/?#@\\]/.test(host) ? null : URL.parse(address)
  const isLocal = url !== null && isLoopback(url.hostname)
  const wrongHost: LoopbackPage = {
    status: 421,
    title: 'Unknown host',
    text: 'The Host header does not match this address. Check the address.',
  }
  if (url === null || (method === 'HEAD' && !isLocal)) return wrongHost
  if (method === 'HEAD') return { status: 200, title: '', text: '' }
  if (method !== 'GET' && method !== 'POST') {
    return isLocal
      ? { status: 405, title: 'Method not allowed', text: 'Open this address in a browser.' }
      : wrongHost
  }
  const form = method === 'POST' ? await formOf(request) : null
  // Browsers report what they fetch: an image or a frame in another page is not the user's redirect.
  const { 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers
  if (purpose !== undefined) {
    return { status: 403, title: 'Not allowed', text: 'Open this address in a browser tab.' }
  }
  const loadedAs =
    typeof destination === 'string' && destination !== 'document' ? destination : null
  const page = visit({ address, method, form, loadedAs: loadedAs?.slice(0, 40) ?? null })
  return isLocal ? page : wrongHost
}

/** Null if the body is not a form, or too large. */
async function formOf(request: IncomingMessage): Promise<string | null> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers['content-type'] ?? '',
  )
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += Buffer.byteLength(chunk)
    if (bytes > maxFormBytes) return null
    chunks.push(Buffer.from(chunk))
  }
  return isForm ? Buffer.concat(chunks).toString() : null
}

function show(response: ServerResponse, headOnly: boolean, page: LoopbackPage): void {
  const body = Buffer.from(headOnly ? '' : renderPage(page))
  response.writeHead(page.status, {
    ...pageHeaders,
    ...(page.status === 405 ? { Allow: 'GET, HEAD' } : {}),
    'Content-Length': body.byteLength,
  })
  response.end(body)
}

function closeServer(server: Server, pending: ReadonlySet<ServerResponse>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if (pending.size === 0) return server.closeAllConnections()
    // Each connection ends with its response.
    let left = pending.size
    for (const response of pending) {
      response.once('close', () => {
        left -= 1
        if (left === 0) server.closeAllConnections()
      })
    }
  })
}

export interface LoopbackPage {
  readonly status: number
  readonly title: string
  readonly text: string
}

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh}main{max-width:32rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0}'

/** The page runs no scripts, loads nothing, and sends no referrer: its address contains the code. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  Connection: 'close',
}

export function renderPage({ title, text }: LoopbackPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main></body>
</html>
`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
