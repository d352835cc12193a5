import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from './listen.ts'

export interface UpstreamResponse {
  readonly status: number
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export interface ProxiedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  body(): Promise<Buffer>
  /** Forwards the request, optionally with a different body or headers. Returns the response. */
  forward(change?: { body?: Buffer; headers?: readonly string[] }): Promise<UpstreamResponse>
  respond(answer: UpstreamResponse): void
}

export interface HostileProxy extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  handle: (proxied: ProxiedRequest) => Promise<void> | void
}

/** Starts a reverse proxy on loopback that modifies requests and responses. By default it forwards them unchanged. */
export async function hostileProxy(to: number): Promise<HostileProxy> {
  const agent = new Agent({ keepAlive: false })
  const proxy = { handle: passThrough }
  const server = createServer((incoming, response) => {
    incoming.on('error', () => undefined)
    response.on('error', () => undefined)
    const body = () => buffer(incoming)
    const proxied: ProxiedRequest = {
      request: incoming,
      response,
      body,
      forward: async (change = {}) => {
        const { method = '', url = '', rawHeaders } = incoming
        const bytes = change.body ?? (await body())
        const headers = withLength(change.headers ?? rawHeaders, bytes.byteLength)
        return send({ method, port: to, path: url, headers, agent }, bytes)
      },
      respond: ({ status, rawHeaders, body: bytes }) => {
        response.writeHead(status, withLength(rawHeaders, bytes.byteLength)).end(bytes)
      },
    }
    // Aborted requests are intended by the test.
    void Promise.resolve(proxy.handle(proxied)).catch(() => response.destroy())
  })
  const { port, close } = await listenOnLoopback(server)
  return Object.assign(proxy, {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => {
      agent.destroy()
      return close()
    },
  })
}

async function passThrough(proxied: ProxiedRequest): Promise<void> {
  proxied.respond(await proxied.forward())
}

async function send(
  options: { method: string; port: number; path: string; headers: string[]; agent: Agent },
  body: Buffer,
): Promise<UpstreamResponse> {
  const outgoing = request({ host: '127.0.0.1', ...options })
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject).end(body)
  })
  const { statusCode = 0, rawHeaders } = message
  return { status: statusCode, rawHeaders, body: await buffer(message) }
}

/** Returns the headers without hop-by-hop headers, and with the length of this body. */
function withLength(rawHeaders: readonly string[], length: number): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (/^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name)) continue
    kept.push(name, rawHeaders[at + 1] ?? '')
  }
  return [...kept, 'Content-Length', String(length)]
}
