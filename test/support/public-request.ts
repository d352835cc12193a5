import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Resolves `*.localhost` to this computer (RFC 6761), independent of the system's resolver. */
const toLoopback: LookupFunction = (_name, options, callback) => {
  if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
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
  /** Request target, if different from that of the URL. */
  readonly target?: string
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number
}

/** Sends a request to a public URL. Rejects without a complete response. */
export async function publicRequest(
  url: string,
  options: PublicRequest = {},
): Promise<PublicAnswer> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const bytes = Buffer.from(options.body ?? '')
  const hasBody = options.body !== undefined
  const req = request({
    hostname,
    port,
    lookup: toLoopback,
    method: options.method ?? 'POST',
    path: options.target ?? pathname + search,
    agent: new Agent({ keepAlive: false }),
    headers: {
      Host: host,
      'User-Agent': 'Service-WebhookAgent/1.0',
      ...(hasBody ? { 'Content-Length': String(bytes.byteLength) } : {}),
      ...options.headers,
    },
    signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    req.on('response', resolve).on('error', reject).end(bytes)
  })
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: await buffer(response) }
}
