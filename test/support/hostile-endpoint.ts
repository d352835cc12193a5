import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export interface HostileEndpoint extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
  readonly received: ReceivedRequest[]
  /** Requests of the authorization page, which Tabscope makes to see whether the service answers. */
  readonly probes: ReceivedRequest[]
  page: HostileEndpoint['answer']
  answer: (response: ServerResponse, request: ReceivedRequest) => void
  close(): Promise<void>
}

export async function openHostileEndpoint(): Promise<HostileEndpoint> {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks).toString(),
    }
    const isProbe = received.method === 'GET' && received.url.endsWith('/manager/oauth')
    endpoint[isProbe ? 'probes' : 'received'].push(received)
    endpoint[isProbe ? 'page' : 'answer'](response, received)
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  const endpoint: HostileEndpoint = {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    received: [],
    probes: [],
    page: (response) => response.writeHead(400).end(),
    answer: (response) => response.writeHead(500).end(),
    close,
    [Symbol.asyncDispose]: close,
  }
  return endpoint
}

export function respondWith(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): HostileEndpoint['answer'] {
  return (response) => void response.writeHead(status, headers).end(body)
}
