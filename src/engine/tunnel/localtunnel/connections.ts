import type { Socket } from 'node:net'
import { backoff } from '#shared/async/retry.ts'
import { systemCodeOf } from '#shared/text/errors.ts'

interface Followed {
  readonly socket: Socket
  readonly since: number
  carried: boolean
  /** Bytes sent when the last part of a request was received; null: nothing was received. */
  sentBefore: number | null
  /** Our end was closed first, because the local connection was closed. */
  endedHere: boolean
}

/** Keep-alive detects a server that disappears silently and a router that drops idle connections. */
const keepAliveMs = 15_000
/** After our end is closed, the server has this long to receive the rest and close its own end. */
const closingMs = 10_000

function follow(socket: Socket): Followed {
  const followed: Followed = {
    socket,
    since: performance.now(),
    carried: false,
    sentBefore: null,
    endedHere: false,
  }
  socket.setKeepAlive(true, keepAliveMs)
  socket.on('data', () => {
    followed.carried = true
    followed.sentBefore = socket.bytesWritten
  })
  // After a local error the client ends the socket and leaves it paused: unread data would keep it open forever.
  socket.once('finish', () => {
    followed.endedHere = !socket.readableEnded && !socket.errored
    const drain = (): void => void socket.resume()
    socket.on('pause', () => setImmediate(drain))
    drain()
    const limit = setTimeout(() => socket.destroy(), closingMs)
    socket.once('close', () => clearTimeout(limit))
  })
  return followed
}

/** A response is pending or being sent. */
function busy({ socket, sentBefore }: Followed): boolean {
  if (socket.destroyed || socket.writableEnded) return false
  return socket.writableLength > 0 || (sentBefore !== null && socket.bytesWritten === sentBefore)
}

/** In milliseconds. */
const outageLimits = {
  /** Without any connection for this long, an outage is reported: a server may replace each connection after use. */
  noticed: 150,
  /** Then the tunnel counts as closed. Sooner if the port refuses connections, which rarely recovers. */
  ended: { refused: 300, otherwise: 3000 },
  /** Between two reports while other connections are open. */
  trouble: 5000,
  check: 50,
}

interface OutageMonitorParts {
  /** The server's address, for messages. */
  readonly server: string
  readonly served: () => boolean
  readonly trouble: (reason: string) => void
  /** No connection is possible any more. Called once. */
  readonly ended: (reason: string) => void
}

/** Decides when the lack of connections is reported, and when it means that the tunnel has closed. */
class OutageMonitor {
  readonly #parts: OutageMonitorParts
  #lastReason = ''
  #refused = false
  #checks = 0
  #watch: NodeJS.Timeout | null = null
  #reportedAt = -Infinity
  #isReported = false

  constructor(parts: OutageMonitorParts) {
    this.#parts = parts
  }

  get reason(): string {
    return this.#lastReason === ''
      ? `no connection to ${this.#parts.server} is left`
      : this.#lastReason
  }

  /** `code`: the system's error code. */
  unreachable(code: string): void {
    const { server } = this.#parts
    this.#refused = code === 'ECONNREFUSED'
    this.#lastReason = this.#refused
      ? `${server} refuses connections`
      : `${server} cannot be reached${code === '' ? '' : ` (${code})`}`
  }

  closedEarly(again: boolean): void {
    this.#refused = false
    this.#lastReason = again
      ? `${this.#parts.server} closes each connection as soon as it is open`
      : ''
  }

  begin(): void {
    if (this.#watch) return
    this.#checks = 0
    this.#watch = setInterval(() => this.#check(), outageLimits.check)
  }

  end(): void {
    if (this.#watch) clearInterval(this.#watch)
    this.#watch = null
    this.#isReported = false
  }

  recover(): void {
    this.#refused = false
    this.#lastReason = ''
    this.end()
  }

  /** Reports repeatedly while other connections are open, once while there are none. */
  report(others: boolean): void {
    if (others ? performance.now() - this.#reportedAt < outageLimits.trouble : this.#isReported)
      return
    this.#isReported = !others
    this.#reportedAt = performance.now()
    this.#parts.trouble(`${this.reason}. Was the tunnel's server restarted?`)
  }

  #check(): void {
    // Not by the clock: while this process is stalled, it cannot connect either.
    this.#checks += 1
    const lasts = this.#checks * outageLimits.check
    if (this.#parts.served()) this.end()
    else if (lasts >= (this.#refused ? outageLimits.ended.refused : outageLimits.ended.otherwise)) {
      this.end()
      this.#parts.ended(this.reason)
    } else if (lasts >= outageLimits.noticed) this.report(false)
  }
}

export interface ConnectionsParts {
  readonly most: number
  /** The server's address, for messages. */
  readonly server: string
  /** Returns the sockets of another connection, which are not connected yet. */
  readonly connect: () => readonly Socket[]
  readonly opened: () => void
  readonly counted: (open: number) => void
  readonly trouble: (reason: string) => void
  /** No connection is possible any more. Called once. */
  readonly none: (reason: string) => void
}

/** In milliseconds. */
const limits = {
  /** A connection that closes sooner without having carried a request counts as a failure. */
  settled: 200,
  connect: 10_000,
  /**
   * Between attempts after a failure. The first pause doubles up to `none` while no connection is open, `some` while others are, `local` if it was closed
   * locally: short, because a server may refuse a connection until it notices that the previous one is closed.
   */
  pauses: { first: 20, none: 500, some: 30_000, local: 1000 },
}

/**
 * Decides when to open another connection to the server by observing the sockets. On its own, the client never replaces one that was refused, timed out
 * or was reset locally, until none is left without any event; and if one closes as soon as it opens, the client opens the next without a pause.
 */
export class Connections {
  readonly #parts: ConnectionsParts
  readonly #outage: OutageMonitor
  readonly #connecting = new Set<Socket>()
  readonly #open = new Map<Socket, Followed>()
  #last: Socket | null = null
  #failures = 0
  #counted = false
  #endedHere = false
  #everOpen = false
  #over = false
  #retry: NodeJS.Timeout | null = null

  constructor(parts: ConnectionsParts) {
    this.#parts = parts
    this.#outage = new OutageMonitor({
      server: parts.server,
      served: () => [...this.#open.values()].some((followed) => this.#isSettled(followed)),
      trouble: parts.trouble,
      ended: (reason) => this.#end(reason),
    })
  }

  get count(): number {
    return this.#open.size
  }

  add(socket: Socket): void {
    this.#connecting.add(socket)
    this.#last = socket
    let error: Error | null = null
    const limit = setTimeout(() => {
      error ??= Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })
      socket.destroy()
    }, limits.connect)
    socket.on('error', (cause) => {
      error ??= cause
    })
    socket.once('connect', () => {
      clearTimeout(limit)
      this.#connected(socket)
    })
    socket.once('close', () => {
      clearTimeout(limit)
      this.#closed(socket, error)
    })
  }

  /** Opens the missing connections: immediately, or after a pause if the last attempt failed. */
  fill(): void {
    if (this.#over || this.#retry) return
    if (this.#failures > 0) {
      if (this.#missing() > 0) this.#retryLater()
      return
    }
    for (let missing = this.#missing(); missing > 0; missing -= 1) this.#connect()
  }

  /** Opens no more connections, closes idle ones, and waits up to `graceMs` for pending responses. */
  async close(graceMs: number): Promise<void> {
    this.#stop()
    const until = performance.now() + graceMs
    for (;;) {
      const pending = [...this.#open].filter(([, followed]) => busy(followed))
      for (const [socket, followed] of this.#open) if (!busy(followed)) socket.end()
      if (pending.length === 0 || performance.now() >= until) return
      await new Promise((resolve) => {
        setTimeout(resolve, 10)
      })
    }
  }

  #connect(): void {
    this.#counted = false
    for (const socket of this.#parts.connect()) this.add(socket)
  }

  #missing(): number {
    return this.#parts.most - this.#open.size - this.#connecting.size
  }

  #stop(): void {
    this.#over = true
    if (this.#retry) clearTimeout(this.#retry)
    this.#outage.end()
  }

  #connected(socket: Socket): void {
    this.#connecting.delete(socket)
    this.#open.set(socket, follow(socket))
    if (this.#over) return
    if (!this.#everOpen) {
      this.#everOpen = true
      this.#parts.opened()
    }
    this.#parts.counted(this.#open.size)
  }

  #closed(socket: Socket, error: Error | null): void {
    const followed = this.#open.get(socket)
    this.#open.delete(socket)
    this.#connecting.delete(socket)
    if (this.#over) return
    this.#endedHere = followed?.endedHere ?? false
    if (followed && this.#isSettled(followed)) this.#worked()
    else if (this.#endedHere) this.#countFailure()
    else this.#failed(error, followed !== undefined)
    if (followed) this.#parts.counted(this.#open.size)
    // Connections closed locally are not lost: they return when the tunnel listener does.
    if (this.#open.size === 0 && !this.#endedHere) this.#lost()
    this.fill()
  }

  #worked(): void {
    this.#failures = 0
    if (this.#retry) clearTimeout(this.#retry)
    this.#retry = null
    this.#outage.recover()
  }

  #failed(error: Error | null, wasOpen: boolean): void {
    this.#countFailure()
    if (wasOpen) this.#outage.closedEarly(this.#failures > 1)
    else this.#outage.unreachable(systemCodeOf(error))
    const others = this.#open.size > 0
    if (this.#everOpen && !(wasOpen && others)) this.#outage.report(others)
  }

  /** Connections that were opened together count as one failure. */
  #countFailure(): void {
    if (!this.#counted) this.#failures += 1
    this.#counted = true
  }

  #isSettled({ since, carried }: Followed): boolean {
    return carried || performance.now() - since >= limits.settled
  }

  #retryLater(): void {
    const { first, none, some, local } = limits.pauses
    const others = this.#endedHere ? local : some
    const longest = this.#open.size === 0 ? none : others
    const pause = backoff({ shortest: first, longest }, this.#failures - 1)
    this.#retry = setTimeout(() => {
      this.#retry = null
      // Retry fully only if the last connection works.
      const last = this.#last ? this.#open.get(this.#last) : undefined
      if (last && this.#isSettled(last)) this.#worked()
      else if (this.#missing() > 0 && this.#connecting.size === 0) this.#connect()
      this.fill()
    }, pause)
  }

  #lost(): void {
    if (this.#everOpen) this.#outage.begin()
    else if (this.#connecting.size === 0) this.#end(this.#outage.reason)
  }

  #end(reason: string): void {
    this.#stop()
    this.#parts.none(reason)
  }
}
