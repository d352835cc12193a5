import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Arrived } from './arrived.ts'
import { Connections } from './connections.ts'
import { faultOf, faultyRequest } from './faults.ts'
import type { InspectedEndpoint } from './inspect.ts'
import { Intake, type IntakeContext } from './intake.ts'
import type { CaptureLimits } from './limits.ts'

export interface ListenerOptions {
  readonly limits: () => CaptureLimits
  readonly endpointOf: (path: string) => InspectedEndpoint | null
  /** Called once for every request that ended, whole or not. */
  readonly arrived: (arrived: Arrived) => void
}

/** How often connections are looked over for those that were idle for too long, in milliseconds. */
const sweepMs = 5_000

/** The webhook listener: raw `node:http` on 127.0.0.1, which records whatever comes and can reach nothing else. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #server: Server
  readonly #connections: Connections
  readonly #context: IntakeContext
  readonly #sweep: NodeJS.Timeout

  constructor(options: ListenerOptions) {
    this.#options = options
    const limits = options.limits()
    this.#connections = new Connections(limits.connections)
    const context: IntakeContext = {
      get limits() {
        return options.limits()
      },
      held: 0,
      endpointOf: options.endpointOf,
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
    // Every header is kept, however many came.
    this.#server.maxHeadersCount = 0
    this.#server.on('connection', (socket: Socket) => this.#connections.add(socket))
    this.#server.on('request', (request, response) => this.#take(request, response))
    this.#server.on('checkContinue', (request, response) => this.#continue(request, response))
    this.#server.on('checkExpectation', (request, response) =>
      this.#intake(request, response).refuseExpectation(),
    )
    this.#server.on('connect', (request, socket) => this.#connect(request, socket))
    this.#server.on('clientError', (error, socket) => this.#fault(error, socket))
    this.#sweep = setInterval(
      () => this.#connections.closeIdle(options.limits().idleMs),
      sweepMs,
    ).unref()
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
    const begun = performance.now()
    // http's own close() would cut idle connections at once, with requests already on their way in them.
    NetServer.prototype.close.call(this.#server)
    const step = async (): Promise<void> => {
      const waited = performance.now() - begun
      if (this.#connections.size === 0) return
      if (waited >= deadlineMs) return this.#cutBusy()
      if (waited >= graceMs) this.#connections.closeIdle(0)
      await new Promise((resolve) => setTimeout(resolve, 10))
      return step()
    }
    await step()
    this.#server.closeAllConnections()
    this.#connections.destroyAll()
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    this.#intake(request, response).read()
  }

  #continue(request: IncomingMessage, response: ServerResponse): void {
    const intake = this.#intake(request, response)
    if (Number(request.headers['content-length'] ?? 0) > this.#options.limits().bodyBytes) {
      response.setHeader('Connection', 'close')
      intake.refuseUnread()
      return
    }
    response.writeContinue()
    intake.read()
  }

  #intake(request: IncomingMessage, response: ServerResponse): Intake {
    const connection = this.#connections.of(request.socket)
    if (!connection) throw new Error('a request on a connection that was never opened')
    return new Intake(this.#context, request, response, connection)
  }

  /** CONNECT asks for a tunnel (RFC 9110, 9.3.6): recorded like any method, and refused. */
  #connect(request: IncomingMessage, socket: Duplex): void {
    this.#options.arrived({
      ...faultyRequest(socket, null),
      method: 'CONNECT',
      path: request.url ?? '',
      httpVersion: request.httpVersion,
      rawHeaders: request.rawHeaders,
      arrival: 'complete',
      reason: null,
      status: 404,
      answerer: { kind: 'socket', socket },
    })
  }

  #fault(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void {
    const state = socket instanceof Socket ? this.#connections.of(socket) : undefined
    const fault = faultOf(error, this.#options.limits())
    if (state?.intake) {
      state.intake.cutOff(fault.reason, socket.writable ? fault.status : null)
      if (!socket.writable) socket.destroy()
      return
    }
    const fresh = socket instanceof Socket ? socket.bytesRead - (state?.readAtEnd ?? 0) : 0
    if (fresh <= 0 && !error.rawPacket?.byteLength) {
      // A connection without a request: nothing was sent, so nothing is recorded.
      socket.destroy()
      return
    }
    if (state?.unanswered && !error.rawPacket?.byteLength) {
      socket.destroy()
      return
    }
    this.#options.arrived({
      ...faultyRequest(socket, error.rawPacket ?? null),
      bytes: error.rawPacket?.byteLength ?? 0,
      arrival: fault.arrival,
      reason: error.rawPacket
        ? fault.reason
        : `${fault.reason} ${fresh} bytes had come, which is not a whole head.`,
      status: socket.writable ? fault.status : null,
      answerer: socket.writable ? { kind: 'socket', socket } : { kind: 'none' },
    })
    if (!socket.writable) socket.destroy()
  }

  #cutBusy(): void {
    for (const { intake } of this.#connections.busy()) {
      intake?.cutOff('Tabscope was closed before the body was whole.', null)
    }
    this.#connections.destroyAll()
  }
}
