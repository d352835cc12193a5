import type { ServerResponse } from 'node:http'
import { loopbackService } from './loopback-service.ts'

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
  const service = await loopbackService(({ body, ...request }, response) => {
    const received = { ...request, body: body.toString() }
    const isProbe = received.method === 'GET' && received.url.endsWith('/manager/oauth')
    endpoint[isProbe ? 'probes' : 'received'].push(received)
    endpoint[isProbe ? 'page' : 'answer'](response, received)
  })
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => (closed ??= Promise.resolve(service[Symbol.asyncDispose]()))
  const endpoint: HostileEndpoint = {
    port: service.port,
    origin: service.baseUrl,
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
