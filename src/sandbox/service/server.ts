/*
 * The HTTP server of the sandbox.
 *
 * Threat model. The sandbox is short-lived and has no secrets except its own, but it runs on a developer's computer, and access to it
 * would allow an attacker to interfere with tests and demonstrations. Defended against:
 *  - other computers: the server listens on 127.0.0.1 only.
 *  - DNS rebinding (a foreign name that resolves to 127.0.0.1): every request needs an exact `Host`.
 *  - pages of another origin in the user's browser: CORS is not allowed; the form of the authorization page needs this `Origin` and
 *    its one-time value.
 *  - framing and script injection: `frame-ancestors 'none'`, no scripts on any page, and all inserted values are escaped.
 * Not defended against: other users of this computer, and anyone who can read the memory or the terminal of this process.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { SandboxError } from '../errors.ts'
import { plain, readBody, type HttpResponse } from './http.ts'
import type { Router } from './router.ts'

/** The referrer policy is `same-origin` because with `no-referrer` browsers do not send the origin of a form either. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

/** On 127.0.0.1. With port 0, the system chooses a port. Rejects with `SandboxError` (`port_in_use`) if the port is not available. */
export async function openServer(port: number) {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
  })
  server.maxConnections = 256
  const closing = new AbortController()
  const boundPort = await listen(server, port)
  const host = `127.0.0.1:${boundPort}`
  return {
    baseUrl: `http://${host}`,
    /** Must be called synchronously after the server is opened. */
    serve: (router: Router) => {
      server.on('request', (message, response) => {
        void serve(message, response, { host, router, closing: closing.signal })
      })
    },
    close: async () => {
      closing.abort()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port, host: '127.0.0.1' }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (cause) {
    throw new SandboxError(
      'port_in_use',
      `Port ${port} is in use or not permitted. Choose another port, or 0 to let the system choose.`,
      { cause },
    )
  }
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

interface ServingOptions {
  readonly host: string
  readonly router: Router
  readonly closing: AbortSignal
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  options: ServingOptions,
): Promise<void> {
  response.on('error', () => undefined)
  let result: HttpResponse
  try {
    result = await handleRequest(message, response, options)
  } catch {
    result = plain(500, 'Internal error in the sandbox.')
  }
  if (result === null || message.socket.destroyed) return void message.socket.destroy()
  const body = Buffer.from(result.body, 'utf8')
  response.writeHead(result.status, {
    ...commonHeaders,
    ...result.headers,
    'Content-Length': body.length,
  })
  response.end(message.method === 'HEAD' ? undefined : body)
}

async function handleRequest(
  message: IncomingMessage,
  response: ServerResponse,
  { host, router, closing }: ServingOptions,
): Promise<HttpResponse> {
  const target = message.url ?? ''
  const at = target.indexOf('?')
  const path = at === -1 ? target : target.slice(0, at)
  const rawQuery = at === -1 ? '' : target.slice(at + 1)
  const limit = router.bodyLimit(path)
  const body = await readBody(message, limit)
  if (message.headers.host !== host) return plain(421, `Use the host ${host}.`)
  // A request target in absolute form would name a second host.
  if (!target.startsWith('/')) return plain(400, 'Send a path as request target.')
  if (body === null) return plain(413, `Request body too large. Send at most ${limit} bytes.`)

  const disconnected = new AbortController()
  response.on('close', () => disconnected.abort())
  return await router.find(
    message.method ?? '',
    path,
  )({
    method: message.method ?? '',
    path,
    query: new URLSearchParams(rawQuery),
    rawQuery,
    headers: message.headers,
    body,
    signal: AbortSignal.any([disconnected.signal, closing]),
  })
}
