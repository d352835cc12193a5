import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { backoff } from '#shared/async/retry.ts'
import { throttle } from '#shared/async/throttle.ts'
import { systemCodeOf } from '#shared/text/errors.ts'
import { steadyClock } from '../../platform/clock.ts'
import { TunnelFailure, type ProviderEvents } from '../provider.ts'

/** In milliseconds, except `attempts`. */
const limits = {
  connect: 10_000,
  /** Keep-alive detects a server that disappears silently and a router that drops idle connections. */
  keepAlive: 15_000,
  /** A connection that closes sooner without having carried a request counts as a failure. */
  settled: 200,
  /** Between attempts after a failure. */
  pauses: { shortest: 50, longest: 30_000 },
  /** If so many fail in a row while no other connection works, the tunnel has ended. */
  attempts: 4,
  /** Between two reports of trouble. */
  trouble: 5000,
  counts: 100,
  /** For pending responses when the tunnel is closed. */
  grace: 250,
  /** After our end is closed, the server has this long to receive the rest and close its own end. */
  closing: 10_000,
}

const unavailable =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

interface Connection {
  readonly socket: Socket
  /** Null: it is not open yet. */
  since: number | null
  carried: boolean
  /** A request was received, and nothing of its response. */
  pending: boolean
}

export interface ConnectionsParts {
  readonly server: TcpNetConnectOpts
  /** The server's address, for messages. */
  readonly label: string
  readonly most: number
  /** Of the tunnel listener. */
  readonly port: number
  readonly opened: () => void
  readonly events: ProviderEvents
}

/** The connections to the tunnel's server. Each carries requests one after the other, and is replaced when it closes. */
export class Connections {
  readonly #parts: ConnectionsParts
  readonly #connections = new Set<Connection>()
  readonly #over = new AbortController()
  readonly #counted = throttle(steadyClock, limits.counts, () => this.#reportCount())
  #reason = ''
  #troubleAt = -Infinity
  #failure: TunnelFailure | null = null

  constructor(parts: ConnectionsParts) {
    this.#parts = parts
  }

  /** Why the last connection failed. */
  get reason(): string {
    return this.#reason
  }

  /** Resolves when all connections are closed: to the reason, or to null after `close`. */
  async run(): Promise<TunnelFailure | null> {
    await Promise.all(Array.from({ length: this.#parts.most }, () => this.#keepOne()))
    this.#counted.stop()
    return this.#failure
  }

  /** Waits a moment for pending responses. */
  async close(): Promise<void> {
    this.#over.abort()
    const until = performance.now() + limits.grace
    while (performance.now() < until) {
      for (const one of this.#connections) if (!isBusy(one)) one.socket.destroy()
      if (![...this.#connections].some(isBusy)) return
      await pause(10)
    }
    this.#destroy()
  }

  async #keepOne(): Promise<void> {
    const { signal } = this.#over
    let failures = 0
    while (!signal.aborted) {
      failures = (await this.#runOne()) ? 0 : failures + 1
      if (failures === 0 || signal.aborted) continue
      this.#reportTrouble()
      if (failures >= limits.attempts && ![...this.#connections].some(isSettled)) this.#end()
      const ms = backoff(limits.pauses, failures - 1)
      await pause(ms, undefined, { signal }).catch(() => undefined)
    }
  }

  /** From connecting until it is closed. Resolves to whether it worked. */
  #runOne(): Promise<boolean> {
    const { server, label, port, opened } = this.#parts
    const socket = connect({
      ...server,
      keepAlive: true,
      keepAliveInitialDelay: limits.keepAlive,
    })
    const connection: Connection = { socket, since: null, carried: false, pending: false }
    this.#connections.add(connection)
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' }))
    }, limits.connect)
    let code = ''
    socket.on('error', (error) => {
      code = systemCodeOf(error)
    })
    socket.once('connect', () => {
      clearTimeout(timer)
      connection.since = performance.now()
      relay(connection, port)
      opened()
      this.#counted.wanted()
    })
    return new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(timer)
        this.#connections.delete(connection)
        this.#counted.wanted()
        const worked = isSettled(connection)
        resolve(worked)
        if (this.#over.signal.aborted) return
        if (connection.since !== null) {
          this.#reason = worked ? '' : `${label} closes each connection as soon as it is open`
        } else if (code === 'ECONNREFUSED') this.#reason = `${label} refuses connections`
        else this.#reason = `${label} cannot be reached${code === '' ? '' : ` (${code})`}`
      })
    })
  }

  #reportTrouble(): void {
    const now = performance.now()
    if (now - this.#troubleAt < limits.trouble) return
    this.#troubleAt = now
    this.#parts.events.trouble(`${this.#reason}. Was the tunnel's server restarted?`)
  }

  #reportCount(): void {
    if (this.#over.signal.aborted) return
    const open = [...this.#connections].filter(({ since }) => since !== null).length
    this.#parts.events.connections(open, this.#parts.most)
  }

  #end(): void {
    this.#failure ??= new TunnelFailure(
      'ended',
      `The tunnel closed: ${this.#reason}. Its server was restarted or dropped the tunnel.`,
    )
    this.#over.abort()
    this.#destroy()
  }

  #destroy(): void {
    for (const { socket } of this.#connections) socket.destroy()
  }
}

function isSettled({ since, carried }: Connection): boolean {
  return carried || (since !== null && performance.now() - since >= limits.settled)
}

function isBusy({ socket, pending }: Connection): boolean {
  return !socket.destroyed && (pending || socket.writableLength > 0)
}

/** Connects to the tunnel listener when the first request is received. */
function relay(connection: Connection, port: number): void {
  const { socket } = connection
  socket.on('data', () => {
    connection.carried = true
    connection.pending = true
  })
  socket.once('data', (chunk: Buffer) => {
    const local = connect({ port, host: '127.0.0.1' })
    local.write(chunk)
    socket.pipe(local).pipe(socket)
    local.on('data', () => {
      connection.pending = false
    })
    local.on('error', () => undefined)
    local.once('close', () => {
      connection.pending = false
      if (local.bytesRead === 0) socket.end(unavailable)
      else socket.end()
      // Unread data would keep it open.
      socket.unpipe(local).resume()
      const timer = setTimeout(() => socket.destroy(), limits.closing)
      socket.once('close', () => clearTimeout(timer))
    })
    socket.once('close', () => void local.unpipe(socket).resume().end())
  })
}
