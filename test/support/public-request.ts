import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'

/** `*.localhost` is this machine (RFC 6761), whatever the resolver here makes of it. */
const toLoopback: LookupFunction = (_name, options, told) => {
  if (options.all === true) told(null, [{ address: '127.0.0.1', family: 4 }])
  else told(null, '127.0.0.1', 4)
}

export interface PublicAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface PublicRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Uint8Array | string
  /** True: without `Content-Length`, in chunks. */
  readonly chunked?: boolean
  /** Keeps connections for further requests; absent: one connection for this one. */
  readonly agent?: Agent
  /** The target as it stands in the request line, where it is another than the address's. */
  readonly target?: string
  /** Milliseconds until it is given up. */
  readonly timeoutMs?: number
}

/** Asks a public address as somebody outside would. Rejects when no whole answer comes. */
export function publicRequest(url: string, options: PublicRequest = {}): Promise<PublicAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PublicAnswer>()
  const { hostname, port, host, pathname, search } = new URL(url)
  const bytes = Buffer.from(options.body ?? '')
  const hasBody = options.body !== undefined
  const req = request({
    hostname,
    port,
    lookup: toLoopback,
    method: options.method ?? 'POST',
    path: options.target ?? pathname + search,
    agent: options.agent ?? new Agent({ keepAlive: false }),
    headers: {
      Host: host,
      'User-Agent': 'Service-WebhookAgent/1.0',
      ...(options.chunked === true ? { 'Transfer-Encoding': 'chunked' } : {}),
      ...(hasBody && options.chunked !== true
        ? { 'Content-Length': String(bytes.byteLength) }
        : {}),
      ...options.headers,
    },
    signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
  })
  req.on('error', reject)
  req.on('response', (res) => {
    const parts: Buffer[] = []
    res.on('data', (part: Buffer) => parts.push(part))
    res.on('error', reject)
    res.on('end', () => {
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) })
    })
  })
  req.end(bytes)
  return promise
}

/** Keeps up to `most` connections. */
export const publicAgent = (most: number): Agent => new Agent({ keepAlive: true, maxSockets: most })
