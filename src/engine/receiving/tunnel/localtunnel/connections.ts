import type { Socket } from 'node:net'
import { backoff } from '#shared/async/retry.ts'
import { systemCodeOf } from '#shared/text/errors.ts'

interface Followed {
  readonly socket: Socket
  /** Bytes sent when the last part of a request was received; null: nothing was received. */
  sentBefore: number | null
}

/** Keep-alive detects a server that disappears silently and a router that drops idle connections. */
const keepAliveMs = 15_000
/** After our end is closed, the server has this long to receive the rest and close its own end. */
const closingMs = 10_000

function follow(socket: Socket): Followed {
  const followed: Followed = { socket, sentBefore: null }
  socket.setKeepAlive(true, keepAliveMs)
  socket.on('data', () => (followed.sentBefore = socket.bytesWritten))
  // After a local error the client ends the socket and leaves it paused: unread data would keep it open forever.
  socket.once('finish', () => {
    const drain = (): void => void socket.resume()
    socket.on('pause', () => setImmediate(drain))
    drain()
    const limit = setTimeout(() => socket.destroy(), closingMs)
    socket.once('close', () => clearTimeout(limit))
  })
  return followed
}

function busy({ socket, sentBefore }: Followed): boolean {
  if (socket.destroyed || socket.writableEnded) return false
  return socket.writableLength > 0 || (sentBefore !== null && socket.bytesWritten === sentBefore)
}

export interface ConnectionsParts {
  readonly most: number
  /** The server's address, for messages. */
  readonly server: string
  /** Returns the sockets of another connection, which are not connected yet. */
  readonly connect: () => readonly Socket[]
  readonly opened: () => void
  readonly counted: (open: number) => void
  /** No connection is possible any more. Called once. */
  readonly none: (reason: string) => void
}

const limits = {
  /** A connection that closes sooner without having carried a request counts as a failure. */
  settled: 200,
  connect: 10_000,
  /** Between attempts after a failure. The first pause doubles up to `none` while no connection is open, or `some` while others are. */
  pauses: { first: 20, none: 500, some: 5000 },
  /** Without a connection that works for this long, the tunnel counts as closed: a server may replace each connection after use. */
  outage: 2000,
}

/**
 * Decides when to open another connection to the server by observing the sockets. On its own, the client never replaces one that was refused, timed out
 * or was reset locally, until none is left without any event; and if one closes as soon as it opens, the client opens the next without a pause.
 */
export class Connections {
  readonly #parts: ConnectionsParts
  readonly #connecting = new Set<Socket>()
  readonly #open = new Map<Socket, Followed>()
  #failures = 0
  #reason: string
  #everOpen = false
  #over = false
  #retry: NodeJS.Timeout | null = null
  #outage: NodeJS.Timeout | null = null

  constructor(parts: ConnectionsParts) {
    this.#parts = parts
    this.#reason = `no connection to ${parts.server} is left`
  }

  get count(): number {
    return this.#open.size
  }

  add(socket: Socket): void {
    this.#connecting.add(socket)
    let error: Error | null = null
    let hasWorked = false
    const limit = setTimeout(() => {
      error ??= Object.assign(new Error('no response'), { code: 'ETIMEDOUT' })
      socket.destroy()
    }, limits.connect)
    let settling: NodeJS.Timeout | undefined
    const works = (): void => {
      clearTimeout(settling)
      hasWorked = true
      this.#worked()
    }
    socket.on('error', (cause) => {
      error ??= cause
    })
    socket.once('connect', () => {
      clearTimeout(limit)
      settling = setTimeout(works, limits.settled)
      socket.once('data', works)
      this.#connected(socket)
    })
    socket.once('close', () => {
      clearTimeout(limit)
      clearTimeout(settling)
      this.#closed(socket, error, hasWorked)
    })
  }

  /** Opens the missing connections: immediately, or one after a pause if the last attempt failed. */
  fill(): void {
    if (this.#over || this.#retry) return
    if (this.#failures === 0) {
      for (let missing = this.#missing(); missing > 0; missing -= 1) this.#connect()
      return
    }
    const { first, none, some } = limits.pauses
    const longest = this.#open.size === 0 ? none : some
    this.#retry = setTimeout(
      () => {
        this.#retry = null
        if (this.#missing() > 0 && this.#connecting.size === 0) this.#connect()
      },
      backoff({ shortest: first, longest }, this.#failures - 1),
    )
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
    for (const socket of this.#parts.connect()) this.add(socket)
  }

  #missing(): number {
    return this.#parts.most - this.#open.size - this.#connecting.size
  }

  #stop(): void {
    this.#over = true
    for (const timer of [this.#retry, this.#outage]) if (timer) clearTimeout(timer)
  }

  #connected(socket: Socket): void {
    this.#connecting.delete(socket)
    this.#open.set(socket, follow(socket))
    if (this.#over) return
    if (!this.#everOpen) this.#parts.opened()
    this.#everOpen = true
    this.#parts.counted(this.#open.size)
  }

  #worked(): void {
    if (this.#over) return
    for (const timer of [this.#retry, this.#outage]) if (timer) clearTimeout(timer)
    this.#retry = null
    this.#outage = null
    this.#failures = 0
    this.fill()
  }

  #closed(socket: Socket, error: Error | null, hasWorked: boolean): void {
    const wasOpen = this.#open.delete(socket)
    this.#connecting.delete(socket)
    if (this.#over) return
    if (!hasWorked) this.#failed(wasOpen, systemCodeOf(error))
    if (wasOpen) this.#parts.counted(this.#open.size)
    if (this.#everOpen && this.#open.size === 0) {
      this.#outage ??= setTimeout(() => this.#end(), limits.outage)
    } else if (!this.#everOpen && this.#connecting.size === 0) return this.#end()
    this.fill()
  }

  #failed(wasOpen: boolean, code: string): void {
    this.#failures += 1
    const { server } = this.#parts
    if (wasOpen) this.#reason = `${server} closes each connection as soon as it is open`
    else if (code === 'ECONNREFUSED') this.#reason = `${server} refuses connections`
    else this.#reason = `${server} cannot be reached${code === '' ? '' : ` (${code})`}`
  }

  #end(): void {
    this.#stop()
    this.#parts.none(this.#reason)
  }
}
