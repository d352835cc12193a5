import { Network } from '#engine/platform/http/network.ts'
import type { WireOptions, WireOutcome } from '#engine/sending/wire/exchange.ts'
import { OwnPorts } from '#engine/receiving/listener/messages.ts'
import type { WireRequest } from '#engine/sending/wire/request-bytes.ts'
import { createWire, type Wire } from '#engine/sending/wire/wire.ts'

export const MiB = 1024 * 1024

const usual: WireOptions = {
  timeout: 10_000,
  maxResponseBytes: MiB,
  verifyTls: true,
  publicAllowed: false,
  keepAlive: false,
  own: 'send',
}

export interface WireClient extends AsyncDisposable {
  readonly wire: Wire
  readonly ownPorts: OwnPorts
  /** A GET without headers by default. */
  readonly send: (
    url: string,
    request?: Partial<Omit<WireRequest, 'url'>>,
    options?: Partial<WireOptions>,
  ) => Promise<WireOutcome>
}

export function wireClient(listener: () => string | null = () => null): WireClient {
  const ownPorts = new OwnPorts()
  const wire = createWire(ownPorts, listener, new Network())
  return {
    wire,
    ownPorts,
    send: (url, request, options) =>
      wire.exchange(
        {
          method: 'GET',
          url: new URL(url),
          headers: [],
          body: new Uint8Array(),
          trailers: [],
          ...request,
        },
        { ...usual, ...options },
      ),
    [Symbol.asyncDispose]: () => wire.close(),
  }
}

export const ok = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

export const textOf = ({ response }: WireOutcome): string | null =>
  response && Buffer.from(response.body).toString('latin1')
