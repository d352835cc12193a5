import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ReceivedRequest } from './received-request.ts'
import { Connections, type ConnectionState } from './connections.ts'
import {
  endsRequest,
  faultOf,
  faultyRequest,
  halfHead,
  isIdleTimeout,
  packetOf,
  type ParserError,
} from './faults.ts'
import type { InspectedEndpoint } from './inspected-endpoint.ts'
import { RequestReader, type HeldMemory, type RequestReaderContext } from './request-reader.ts'
import type { CaptureLimits } from './limits.ts'

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
      intake?.cutOff('Tabscope was closed before the body was whole.', null)
    }
    this.#connections.destroyAll()
  }
}
