import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ReceivedRequest, nowUs } from './received-request.ts'
import { Connections, type ConnectionState, hasBegun } from './connections.ts'
import type { InspectedEndpoint, CaptureLimits } from './messages.ts'
import { RequestReader, type HeldMemory, type RequestReaderContext } from './request-reader.ts'
import type { Arrival } from '#contract/models.ts'
import { formatLimit } from '#shared/text/format.ts'

interface Fault {
  readonly status: number
  readonly arrival: Arrival
  readonly reason: string
}

/** Of a packet that is not HTTP, this much is kept, in bytes. */
const packetLimit = 64 * 1024

/** What an error of the HTTP parser means, in words and as a status. */
function faultOf(error: NodeJS.ErrnoException, limits: CaptureLimits): Fault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        arrival: 'malformed',
        reason: `The head is larger than ${limits.headBytes} bytes.`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        arrival: 'cut_off',
        reason: `The sender was too slow: ${formatLimit(limits.headMs)} for the head, ${formatLimit(limits.bodyMs)} for all.`,
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
        reason: `The parser stopped: ${error.message.replace(/^Parse Error: /, '')}.`,
      }
  }
}

/** An error of Node's HTTP parser or of the socket, with the packet in which the parser stopped. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/**
 * The bytes in which the parser stopped, without a whole request that came in the same packet before them: as far as can be told,
 * which is when their first word is no method. Null when nothing came that could be kept.
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

/** True when the error ended something that had begun. A connection that was idle leaves no record. */
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

/** True when the time was over on a connection that has never said a word. */
function isIdleTimeout(error: ParserError, { socket }: ConnectionState): boolean {
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
}

/** How much had come of a head that never was whole, as a sentence. */
function halfHead(state: ConnectionState): string {
  const bytes = state.socket.bytesRead - state.readAtEnd
  return bytes > 0 ? ` ${bytes} bytes were received, which is not a complete request head.` : ''
}

/** The row of something that never became a request: what is known of it is its bytes. */
function faultyRequest(
  { socket }: ConnectionState,
  packet: Buffer | null,
  { own, via }: Pick<ReceivedRequest, 'own' | 'via'>,
): Omit<ReceivedRequest, 'status' | 'answerer' | 'arrival' | 'reason'> {
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
    bytes: packet?.byteLength ?? 0,
    endpoint: null,
    own,
    via,
  }
}

export interface ListenerOptions {
  readonly limits: () => CaptureLimits
  readonly held: HeldMemory
  readonly endpointOf: (path: string) => InspectedEndpoint | null
  /** How what comes in got here. The client of a tunnel keeps connections that say nothing for hours: they are left open. */
  readonly via: ReceivedRequest['via']
  /** What our own sender uses the connection from this port of its side for; null: it is not ours. */
  readonly ownOf: (remotePort: number | undefined) => ReceivedRequest['own']
  /** Called once for every request that ended, whole or not. */
  readonly arrived: (arrived: ReceivedRequest) => void
}

/** Connections are looked over at least this often for those that are idle for too long or too slow, in milliseconds. */
const sweepMs = 5_000
/** And this often for heads and trailers that are not whole: Node's parser tells nothing of them while they come. */
const headSweepMs = 100

/** The webhook listener: raw `node:http` on 127.0.0.1, which records whatever comes and can reach nothing else. */
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
      ownOf: ({ remotePort }) => options.ownOf(remotePort),
      done: options.arrived,
    }
    this.#context = context
    this.#server = createServer({
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.bodyMs,
      connectionsCheckingInterval: Math.min(1000, limits.headMs),
      // Idle connections are closed by the sweep: a timer for each answer costs more than the answer.
      keepAliveTimeout: 0,
      noDelay: true,
      // A request without Host is recorded like any other.
      requireHostHeader: false,
    })
    // A sender that has ended its side waits for the answer all the same (RFC 9112, 9.6). Node has no option for it.
    Object.assign(this.#server, { httpAllowHalfOpen: true })
    // Every header is kept, however many came.
    this.#server.maxHeadersCount = 0
    this.#server.on('connection', (socket: Socket) => this.#connections.add(socket))
    this.#server.on('request', (request, response) => this.#intake(request, response)?.read())
    this.#server.on('checkContinue', (request, response) => this.#continue(request, response))
    this.#server.on('checkExpectation', (request, response) =>
      this.#intake(request, response)?.refuseExpectation(),
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

  /** Connections whose answer waits by our own will: for a delay, or for a target. */
  get holding(): number {
    return this.#connections.holding
  }

  /** Begins to listen; resolves to the port. Rejects with the system's error (EADDRINUSE, EACCES ...). */
  async open(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ port, host: '127.0.0.1', backlog: 1024 }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an AddressInfo, since it listens on a port and not on a pipe
    return (this.#server.address() as AddressInfo).port
  }

  /**
   * Stops accepting. Connections stay open for `graceMs`, so that what is on its way is still answered (with `Connection: close`);
   * then the idle ones are closed, and the busy ones at `deadlineMs`.
   */
  async close(graceMs: number, deadlineMs: number): Promise<void> {
    clearInterval(this.#sweep)
    clearInterval(this.#headSweep)
    const begun = performance.now()
    // http's own close() would cut idle connections at once, with requests already on their way in them.
    NetServer.prototype.close.call(this.#server)
    this.#connections.beginClosing()
    const step = async (): Promise<void> => {
      const waited = performance.now() - begun
      if (this.#connections.size === 0) return
      if (waited >= deadlineMs) return this.#cutBusy()
      if (waited >= graceMs) this.#connections.closeAllIdle()
      await new Promise((resolve) => setTimeout(resolve, 10))
      return step()
    }
    await step()
    this.#server.closeAllConnections()
    this.#connections.destroyAll()
    // Ends its timer, which would keep all of this for as long as the thread lasts.
    this.#server.close()
  }

  #closeUnused(): void {
    const { via, limits } = this.#options
    const now = limits()
    if (via !== 'tunnel') this.#connections.closeIdle(now.idleMs)
    for (const state of this.#connections.tooSlow(now)) {
      const { intake, socket } = state
      if (!intake) continue
      state.faulted = true
      state.closing = true
      const came = `${intake.bytes} bytes of the body in ${Math.round(intake.elapsedMs / 1000)} s`
      intake.cutOff(
        `The sender was too slow: ${came}. The minimum is ${now.bytesPerSecond} bytes a second.`,
        socket.writable ? 408 : null,
      )
    }
  }

  #continue(request: IncomingMessage, response: ServerResponse): void {
    const intake = this.#intake(request, response)
    if (Number(request.headers['content-length'] ?? 0) > this.#options.limits().bodyBytes) {
      response.setHeader('Connection', 'close')
      intake?.refuseUnread()
      return
    }
    if (intake) response.writeContinue()
    intake?.read()
  }

  /** Null on a connection that is given up: what is wrong with it is recorded already. */
  #intake(request: IncomingMessage, response: ServerResponse): RequestReader | null {
    const connection = this.#connections.of(request.socket)
    if (connection && !connection.faulted) {
      return new RequestReader(this.#context, request, response, connection)
    }
    request.resume()
    return null
  }

  /** CONNECT asks for a tunnel (RFC 9110, 9.3.6): recorded like any method, and refused. */
  #connect(request: IncomingMessage): void {
    const { socket } = request
    // HTTP has taken its hands off the socket, so that nobody else would hear of an error.
    socket.on('error', () => socket.destroy())
    const state = this.#connections.of(socket)
    if (!state || state.faulted) return
    state.faulted = true
    state.unanswered += 1
    this.#options.arrived({
      ...this.#faulty(state, null),
      method: 'CONNECT',
      path: request.url ?? '',
      httpVersion: request.httpVersion,
      rawHeaders: request.rawHeaders,
      arrival: 'complete',
      reason: null,
      status: 404,
      answerer: { kind: 'socket', connection: state },
    })
  }

  #fault(error: ParserError, socket: Duplex): void {
    const state = socket instanceof Socket ? this.#connections.of(socket) : undefined
    if (!state) return void socket.destroy()
    if (this.#options.via === 'tunnel' && isIdleTimeout(error, state)) {
      // Its time begins anew with its first byte. Node has let go of its errors by now.
      socket.on('error', (later) => this.#fault(later, socket))
      return
    }
    if (state.intake?.isComplete) {
      // The parser is ahead of the stream: what is wrong comes behind a request that is about to end.
      setImmediate(() => this.#fault(error, socket))
      return
    }
    if (!state.faulted) this.#recordFault(error, state)
    state.faulted = true
    state.closing = true
    // Answers that are on their way close the connection behind them.
    if (!socket.writable || state.unanswered === 0) state.socket.destroySoon()
  }

  #recordFault(error: ParserError, state: ConnectionState): void {
    const { writable } = state.socket
    const fault = faultOf(error, this.#options.limits())
    if (state.intake) {
      state.closing = true
      state.intake.cutOff(fault.reason, writable ? fault.status : null)
      return
    }
    if (state.draining || !endsRequest(error, state)) return
    const packet = packetOf(error, state)
    if (writable) state.unanswered += 1
    this.#options.arrived({
      ...this.#faulty(state, packet),
      arrival: fault.arrival,
      reason: packet ? fault.reason : fault.reason + halfHead(state),
      status: writable ? fault.status : null,
      answerer: writable ? { kind: 'socket', connection: state } : { kind: 'none' },
    })
  }

  #faulty(state: ConnectionState, packet: Buffer | null): ReturnType<typeof faultyRequest> {
    const context = this.#context
    return faultyRequest(state, packet, { own: context.ownOf(state.socket), via: context.via })
  }

  /** We close the connection ourselves, with half a head in it. */
  #abandoned(state: ConnectionState): void {
    this.#options.arrived({
      ...this.#faulty(state, null),
      arrival: 'cut_off',
      reason: `Tabscope closed the connection.${halfHead(state)}`,
      status: null,
      answerer: { kind: 'none' },
    })
  }

  #cutBusy(): void {
    for (const { intake } of this.#connections.busy()) {
      intake?.cutOff('Tabscope was closed before the body was complete.', null)
    }
    this.#connections.destroyAll()
  }
}
