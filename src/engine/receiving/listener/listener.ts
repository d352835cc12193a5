import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ReceivedRequest, nowUs } from './received-request.ts'
import type { OtherProtocol } from '../../payload/inspect.ts'
import { Connections, type ConnectionState, hasBegun } from './connections.ts'
import type { CaptureLimits } from './messages.ts'
import type { InspectedEndpoint } from '../../payload/endpoint.ts'
import { RequestReader, type HeldMemory, type RequestReaderContext } from './request-reader.ts'
import type { Arrival } from '#contract/models.ts'
import { formatLimit } from '#shared/text/format.ts'

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
  readonly reason?: string
}

interface Fault {
  readonly status: number
  readonly arrival: Arrival
  readonly reason: string
  readonly protocol?: OtherProtocol
}

/** How much is stored of a packet that is not HTTP. */
const packetLimit = 64 * 1024

/** Not printable, so that they can be compared as text with one character per byte. */
const proxyProtocol = ['PROXY ', '\r\n\r\n\0\r\nQUIT\n']

/**
 * The protocol of the first bytes on a connection, if it is known. The parser stops at the first byte that HTTP/1.1 cannot have there: that may be only
 * a part of what the sender writes, and bytes before it may have come in an earlier packet.
 */
function protocolOf(error: ParserError, socket: Socket): OtherProtocol | null {
  const { code, rawPacket } = error
  // The parser knows the HTTP/2 preface (RFC 9113, section 3.4).
  if (code === 'HPE_PAUSED_H2_UPGRADE' || error.reason === 'Expected HTTP/2 Connection Preface') {
    return 'http2'
  }
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return null
  const earlier = socket.bytesRead - rawPacket.byteLength
  if (earlier === 0 && isTls(rawPacket)) return 'tls'
  const start = rawPacket.toString('latin1', 0, 16)
  if (earlier + start.length < 4) return null
  const isProxy = proxyProtocol.some((signature) => {
    const rest = signature.slice(earlier)
    return rest !== '' && rest.startsWith(start.slice(0, rest.length))
  })
  return isProxy ? 'proxy_protocol' : null
}

/** A handshake record of any version (RFC 8446, section 5.1). */
function isTls([type, major = 3, minor = 1]: Buffer): boolean {
  return type === 0x16 && major === 3 && minor <= 4
}

const protocolReasons: Readonly<Record<OtherProtocol, string>> = {
  tls: 'The sender started a TLS connection, and this port is for plain HTTP.',
  http2: 'The sender started an HTTP/2 connection, and this port is for HTTP/1.1.',
  proxy_protocol: 'The sender began with the PROXY protocol, and this port is for plain HTTP.',
}

function faultOf(error: ParserError, limits: CaptureLimits, socket: Socket): Fault {
  const protocol = protocolOf(error, socket)
  if (protocol !== null) {
    return { status: 400, arrival: 'malformed', reason: protocolReasons[protocol], protocol }
  }
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        arrival: 'malformed',
        reason: `The request head is larger than ${limits.headBytes} bytes.`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        arrival: 'cut_off',
        reason: `The sender was too slow. The limit is ${formatLimit(limits.headMs)} for the request head and ${formatLimit(limits.bodyMs)} for the whole request.`,
      }
    case 'HPE_INVALID_EOF_STATE':
      return {
        status: 400,
        arrival: 'cut_off',
        reason: 'The sender closed the connection before the request was complete.',
      }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ETIMEDOUT':
      return {
        status: 400,
        arrival: 'cut_off',
        reason: 'The connection was lost before the request was complete.',
      }
    default:
      return {
        status: 400,
        arrival: 'malformed',
        reason: `The request could not be parsed: ${error.message.replace(/^Parse Error: /, '')}.`,
      }
  }
}

/**
 * The packet in which the parser stopped, without a complete request before the invalid part. That is only possible if the invalid part starts with an
 * invalid method. Null if there are no bytes to store.
 */
function packetOf(error: ParserError, { socket, readAtEnd }: ConnectionState): Buffer | null {
  const { rawPacket, bytesParsed = 0 } = error
  if (!rawPacket || rawPacket.byteLength === 0) return null
  if (error.code !== 'HPE_INVALID_METHOD' || readAtEnd !== socket.bytesRead) return rawPacket
  const isLetter = (at: number): boolean => /[A-Z]/.test(String.fromCodePoint(rawPacket[at] ?? 0))
  let start = bytesParsed
  while (start > 0 && isLetter(start - 1)) start -= 1
  return rawPacket.subarray(start)
}

/** An idle connection leaves no record. */
function endsRequest(error: ParserError, state: ConnectionState): boolean {
  switch (error.code) {
    case 'HPE_INVALID_EOF_STATE':
      return true
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return !isIdleTimeout(error, state)
    default:
      return error.rawPacket !== undefined || hasBegun(state)
  }
}

/** The timeout expired on a connection that never sent a byte. */
function isIdleTimeout(error: ParserError, { socket }: ConnectionState): boolean {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
}

function describeIncompleteHead(state: ConnectionState): string {
  const bytes = state.socket.bytesRead - state.readAtEnd
  return bytes > 0 ? ` ${bytes} bytes of an incomplete request head were received.` : ''
}

function invalidRequest(
  { socket }: ConnectionState,
  packet: Buffer | null,
  { own, via }: Pick<ReceivedRequest, 'own' | 'via'>,
): Omit<ReceivedRequest, 'status' | 'channel' | 'arrival' | 'reason'> {
  const first = packet ? packet.toString('latin1', 0, 2048).split('\r\n', 1)[0] : ''
  const line = /^([A-Z]{1,20}) (\S{1,2000}) HTTP\/(\d\.\d)$/.exec(first ?? '')
  return {
    receivedUs: nowUs(),
    method: line?.[1] ?? '',
    path: line?.[2] ?? '',
    httpVersion: line?.[3] ?? '',
    remoteAddress: socket.remoteAddress ?? '',
    rawHeaders: [],
    rawTrailers: [],
    body: packet ? packet.subarray(0, packetLimit) : Buffer.alloc(0),
    bodyBytes: Math.min(packet?.byteLength ?? 0, packetLimit),
    bytes: packet?.byteLength ?? 0,
    endpoint: null,
    own,
    via,
  }
}

export interface ListenerOptions {
  readonly limits: () => CaptureLimits
  readonly held: HeldMemory
  readonly endpointOf: (target: string) => InspectedEndpoint | null
  /** See `EndpointPaths`. */
  readonly nearPath: (target: string) => string | null
  /** Tunnel clients keep idle connections open for hours, so these are not closed. */
  readonly via: ReceivedRequest['via']
  /** What our own sender uses the connection from this remote port for; null if the connection is not ours. */
  readonly ownOf: (remotePort: number | undefined) => ReceivedRequest['own']
  /** Called once for every request that ended, complete or not. */
  readonly received: (request: ReceivedRequest) => void
}

/** The longest interval for closing connections that are idle for too long or too slow. */
const sweepMs = 5_000
/** For incomplete heads and trailers, for which Node's parser emits no event. */
const headSweepMs = 100

/** Plain `node:http`. Records every request and has no access to anything else. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #server: Server
  readonly #connections: Connections
  readonly #context: RequestReaderContext
  readonly #sweep: NodeJS.Timeout
  readonly #headSweep: NodeJS.Timeout

  constructor(options: ListenerOptions) {
    this.#options = options
    const limits = options.limits()
    this.#connections = new Connections(limits.connections, (state) => this.#abandoned(state))
    const context: RequestReaderContext = {
      get limits() {
        return options.limits()
      },
      held: options.held,
      via: options.via,
      endpointOf: options.endpointOf,
      nearPath: options.nearPath,
      ownOf: ({ remotePort }) => options.ownOf(remotePort),
      done: options.received,
    }
    this.#context = context
    this.#server = createServer({
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.bodyMs,
      connectionsCheckingInterval: Math.min(1000, limits.headMs),
      // The sweep closes idle connections: one timer for each response costs more than the response itself.
      keepAliveTimeout: 0,
      noDelay: true,
      // A request without Host is recorded like any other.
      requireHostHeader: false,
    })
    // A sender that closes its side of the connection still expects the response (RFC 9112, section 9.6). Node has no option for this.
    Object.assign(this.#server, { httpAllowHalfOpen: true })
    this.#server.maxHeadersCount = 0
    this.#server.on('connection', (socket: Socket) => this.#connections.add(socket))
    this.#server.on('request', (request, response) => this.#readerFor(request, response)?.read())
    this.#server.on('checkContinue', (request, response) => this.#continue(request, response))
    this.#server.on('checkExpectation', (request, response) =>
      this.#readerFor(request, response)?.refuseExpectation(),
    )
    this.#server.on('connect', (request) => this.#connect(request))
    this.#server.on('clientError', (error, socket) => this.#fault(error, socket))
    this.#sweep = setInterval(
      () => this.#closeUnused(),
      Math.min(sweepMs, limits.idleMs, limits.rateGraceMs),
    ).unref()
    this.#headSweep = setInterval(() => {
      const { unfinishedHeadBytes, headBytes } = options.limits()
      this.#connections.boundUnfinishedHeads(unfinishedHeadBytes, headBytes)
    }, headSweepMs).unref()
  }

  get waiting(): number {
    return this.#connections.waiting
  }

  /** `host`: an address of this computer. Resolves to the port. Rejects with the system's error (EADDRINUSE, EACCES ...). */
  async open(port: number, host = '127.0.0.1'): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ port, host, backlog: 1024 }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, since it listens on a port and not on a pipe
    return (this.#server.address() as AddressInfo).port
  }

  /**
   * Stops accepting connections. Open ones stay for `graceMs`, so that requests in transit still get a response (with `Connection: close`); then idle
   * ones are closed, and busy ones at `deadlineMs`.
   */
  async close(graceMs: number, deadlineMs: number): Promise<void> {
    clearInterval(this.#sweep)
    clearInterval(this.#headSweep)
    const start = performance.now()
    // `close` of http.Server would cut idle connections immediately, even if a request is in transit.
    NetServer.prototype.close.call(this.#server)
    this.#connections.beginClosing()
    const step = async (): Promise<void> => {
      const waited = performance.now() - start
      if (this.#connections.size === 0) return
      if (waited >= deadlineMs) return this.#cutBusy()
      if (waited >= graceMs) this.#connections.closeAllIdle()
      await new Promise((resolve) => setTimeout(resolve, 10))
      return step()
    }
    await step()
    this.#server.closeAllConnections()
    this.#connections.destroyAll()
    // Also clears the server's interval timer, which would keep this object in memory until the thread ends.
    this.#server.close()
  }

  #closeUnused(): void {
    const { via, limits } = this.#options
    const now = limits()
    if (via !== 'tunnel') this.#connections.closeIdle(now.idleMs)
    for (const state of this.#connections.tooSlow(now)) {
      const { reader, socket } = state
      if (!reader) continue
      state.faulted = true
      state.closing = true
      const received = `${reader.bytes} bytes of the body in ${Math.round(reader.elapsedMs / 1000)} s`
      reader.cutOff(
        `The sender was too slow: ${received}. The minimum is ${now.bytesPerSecond} bytes per second.`,
        socket.writable ? 408 : null,
      )
    }
  }

  #continue(request: IncomingMessage, response: ServerResponse): void {
    const reader = this.#readerFor(request, response)
    if (Number(request.headers['content-length'] ?? 0) > this.#options.limits().bodyBytes) {
      response.setHeader('Connection', 'close')
      reader?.refuseUnread()
      return
    }
    if (reader) response.writeContinue()
    reader?.read()
  }

  /** Null if the connection already failed: its error is recorded. */
  #readerFor(request: IncomingMessage, response: ServerResponse): RequestReader | null {
    const connection = this.#connections.of(request.socket)
    if (connection && !connection.faulted) {
      return new RequestReader(this.#context, request, response, connection)
    }
    request.resume()
    return null
  }

  /** Records and rejects a CONNECT request, which asks for a tunnel (RFC 9110, section 9.3.6). */
  #connect(request: IncomingMessage): void {
    const { socket } = request
    // Node no longer handles errors of this socket.
    socket.on('error', () => socket.destroy())
    const state = this.#connections.of(socket)
    if (!state || state.faulted) return
    state.faulted = true
    state.unanswered += 1
    this.#options.received({
      ...this.#invalidRequest(state, null),
      method: 'CONNECT',
      path: request.url ?? '',
      httpVersion: request.httpVersion,
      rawHeaders: request.rawHeaders,
      arrival: 'complete',
      reason: null,
      status: 404,
      channel: { kind: 'socket', connection: state },
    })
  }

  #fault(error: ParserError, socket: Duplex): void {
    const state = socket instanceof Socket ? this.#connections.of(socket) : undefined
    if (!state) return void socket.destroy()
    if (this.#options.via === 'tunnel' && isIdleTimeout(error, state)) {
      // The timeout restarts with the first byte. Node no longer handles errors of this socket.
      socket.on('error', (later) => this.#fault(later, socket))
      return
    }
    if (state.reader?.isComplete) {
      // The parser is ahead of the stream: the invalid bytes follow a request that is about to end.
      setImmediate(() => this.#fault(error, socket))
      return
    }
    if (!state.faulted) this.#recordFault(error, state)
    state.faulted = true
    state.closing = true
    // Pending responses close the connection when they are sent.
    if (!socket.writable || state.unanswered === 0) state.socket.destroySoon()
  }

  #recordFault(error: ParserError, state: ConnectionState): void {
    const { writable } = state.socket
    const fault = faultOf(error, this.#options.limits(), state.socket)
    if (state.reader) {
      state.closing = true
      state.reader.cutOff(fault.reason, writable ? fault.status : null)
      return
    }
    if (state.draining || !endsRequest(error, state)) return
    const packet = packetOf(error, state)
    if (writable) state.unanswered += 1
    this.#options.received({
      ...this.#invalidRequest(state, packet),
      arrival: fault.arrival,
      reason: packet ? fault.reason : fault.reason + describeIncompleteHead(state),
      protocol: fault.protocol ?? null,
      status: writable ? fault.status : null,
      channel: writable ? { kind: 'socket', connection: state } : { kind: 'none' },
    })
  }

  #invalidRequest(
    state: ConnectionState,
    packet: Buffer | null,
  ): ReturnType<typeof invalidRequest> {
    const context = this.#context
    return invalidRequest(state, packet, { own: context.ownOf(state.socket), via: context.via })
  }

  #abandoned(state: ConnectionState): void {
    this.#options.received({
      ...this.#invalidRequest(state, null),
      arrival: 'cut_off',
      reason: `Tabscope closed the connection.${describeIncompleteHead(state)}`,
      status: null,
      channel: { kind: 'none' },
    })
  }

  #cutBusy(): void {
    for (const { reader } of this.#connections.busy()) {
      reader?.cutOff('Tabscope was closed before the body was complete.', null)
    }
    this.#connections.destroyAll()
  }
}
