/*
 * The sandbox's HTTP server.
 *
 * Threat model. It is thrown away after use, and knows no secret but its own; yet what it holds lets tests and demonstrations of
 * others be meddled with, and it runs on a developer's machine:
 *  - another machine: it is bound to 127.0.0.1.
 *  - DNS rebinding (a foreign name that resolves to 127.0.0.1): every request needs an exact `Host`.
 *  - a page of another origin in the user's browser: nothing is allowed over CORS; forms of the dashboard need our `Origin`, the
 *    authorization page's form needs its one-time value.
 *  - framing and script injection: `frame-ancestors 'none'`, no script in any page, and everything put into one is escaped.
 * Not defended: other users of this machine, and who reads this process's memory or its terminal.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { SandboxError } from '../errors.ts'
import { plain, readBody } from './http.ts'
import type { Answer } from './http.ts'
import type { Router } from './router.ts'

/** `same-origin` and not `no-referrer`, under which a browser names no origin for a form either. */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

export interface ServiceServer {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string
  /** From now on requests are answered. Called in the turn in which the server was opened. */
  serve(router: Router): void
  close(): Promise<void>
}

/**
 * Listens on 127.0.0.1; port 0 lets the system choose. Rejects with `SandboxError` (`port_in_use`) when it cannot be had.
 */
export async function openServer(port: number): Promise<ServiceServer> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
  })
  server.maxConnections = 256
  const closing = new AbortController()
  const got = await listen(server, port)
  const host = `127.0.0.1:${got}`
  return {
    baseUrl: `http://${host}`,
    serve: (router) => {
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
      `Port ${port} cannot be had: it is taken, or not allowed. Choose another, or 0 to let the system choose.`,
      { cause },
    )
  }
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

interface Serving {
  readonly host: string
  readonly router: Router
  readonly closing: AbortSignal
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<void> {
  // A client that goes is no fault of ours.
  response.on('error', () => undefined)
  let answer: Answer
  try {
    answer = await answerTo(message, response, serving)
  } catch {
    answer = plain(500, 'Something went wrong in the sandbox.')
  }
  if (answer === null || message.socket.destroyed) return void message.socket.destroy()
  const body = Buffer.from(answer.body, 'utf8')
  response.writeHead(answer.status, {
    ...commonHeaders,
    ...answer.headers,
    'Content-Length': body.length,
  })
  response.end(message.method === 'HEAD' ? undefined : body)
}

async function answerTo(
  message: IncomingMessage,
  response: ServerResponse,
  { host, router, closing }: Serving,
): Promise<Answer> {
  const target = message.url ?? ''
  const at = target.indexOf('?')
  const path = at === -1 ? target : target.slice(0, at)
  const rawQuery = at === -1 ? '' : target.slice(at + 1)
  const limit = router.bodyLimit(path)
  const body = await readBody(message, limit)
  if (message.headers.host !== host) return plain(421, 'This server has another name.')
  // An absolute form would name a host of its own.
  if (!target.startsWith('/')) return plain(400, 'Send a path.')
  if (body === null) return plain(413, `Send at most ${limit} bytes here.`)

  const gone = new AbortController()
  response.on('close', () => gone.abort())
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
    signal: AbortSignal.any([gone.signal, closing]),
  })
}
