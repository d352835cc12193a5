import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { portHolder } from '../../capture/listening/port-owner.ts'
import { createHash } from 'node:crypto'
import { systemCodeOf } from '#shared/text/errors.ts'
import { RunFailureError } from '../failures.ts'

const requestTimeoutMs = 10_000
/** Leaves room for a long code. */
const maxHeadBytes = 32 * 1024
const maxConnections = 32

export interface Loopback {
  /** Resolves when all pending responses are sent. */
  close(): Promise<void>
}

/**
 * Listens on the redirect URL's host and port, for one flow (RFC 8252, section 7.3). `visit` receives the complete address of each GET and returns the
 * page to show. Throws `RunFailureError`.
 *
 * Any program on this machine can send requests, and any web page can through the browser. Therefore the `Host` must be the redirect URL's (a name
 * rebound to this machine is rejected), only a GET has an effect, and that depends on the state in its query.
 */
export async function openLoopback(
  redirectUrl: string,
  visit: (address: string) => LoopbackPage,
): Promise<Loopback> {
  const url = new URL(redirectUrl)
  const port = Number(url.port || '80')
  const servers: Server[] = []
  const pending = new Set<ServerResponse>()
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => closeServer(server, pending)))
  }
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    pending.add(response)
    response.on('close', () => pending.delete(response))
    request.resume()
    show(response, request.method === 'HEAD', pageFor(request, url, visit))
  }
  try {
    for (const host of hostsOf(url.hostname)) {
      const server = createServer(
        {
          maxHeaderSize: maxHeadBytes,
          headersTimeout: requestTimeoutMs,
          requestTimeout: requestTimeoutMs,
          connectionsCheckingInterval: 1000,
          keepAlive: false,
        },
        respond,
      )
      server.maxConnections = maxConnections
      server.setTimeout(requestTimeoutMs)
      if (await listen(server, host, port, servers.length > 0)) servers.push(server)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

/** A browser may resolve `localhost` to either address. A program that listened on the other one would receive the code. */
function hostsOf(hostname: string): string[] {
  if (hostname === 'localhost') return ['127.0.0.1', '::1']
  return [hostname.replace(/^\[(.*)\]$/, '$1')]
}

/** Returns false if the machine does not have the address and it is `optional`. */
async function listen(
  server: Server,
  host: string,
  port: number,
  optional: boolean,
): Promise<boolean> {
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    const code = systemCodeOf(error)
    if (optional && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) return false
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
      { cause: error },
    )
  }
  return new RunFailureError(
    'redirect_port_forbidden',
    code === 'EACCES'
      ? `Tabscope has no permission to listen on port ${port}, which the redirect URL uses.`
      : `Tabscope cannot listen on port ${port} on ${host}, which the redirect URL uses (${code || 'unknown reason'}).`,
    { cause: error },
  )
}

function pageFor(
  { method, headers, url: target = '' }: IncomingMessage,
  redirect: URL,
  visit: (address: string) => LoopbackPage,
): LoopbackPage {
  const host = headers.host?.toLowerCase()
  if (host !== redirect.host && host !== `${redirect.hostname}:${redirect.port || '80'}`) {
    return {
      status: 421,
      title: 'Unknown host',
      text: 'The Host header does not match this address. Check the address.',
    }
  }
  if (method === 'HEAD') return { status: 200, title: '', text: '' }
  if (method !== 'GET') {
    return { status: 405, title: 'Method not allowed', text: 'Open this address in a browser.' }
  }
  // Browsers report what they fetch: an image or a frame in another page is not the user's redirect.
  const { 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers
  if ((destination !== undefined && destination !== 'document') || purpose !== undefined) {
    return { status: 403, title: 'Not allowed', text: 'Open this address in a browser tab.' }
  }
  const address = `${redirect.protocol}//${redirect.host}${target}`
  if (!target.startsWith('/') || !URL.canParse(address)) {
    return { status: 400, title: 'Invalid address', text: 'Check the address.' }
  }
  return visit(address)
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
