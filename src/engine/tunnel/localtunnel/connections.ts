import { connect, type Socket } from 'node:net'
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
  socket.once('finish', () => {
    const limit = setTimeout(() => socket.destroy(), closingMs)
    socket.once('close', () => clearTimeout(limit))
  })
  return followed
}

function join(remote: Socket, localPort: number): void {
  const local = connect(localPort, '127.0.0.1')
  remote.pipe(local).pipe(remote)
  local.on('error', () => undefined)
  local.once('close', () => {
    // The rest is read, or the socket would never close.
    remote.resume()
    remote.end()
  })
  remote.once('close', () => local.destroy())
}

/** A response is pending or being sent. */
function busy({ socket, sentBefore }: Followed): boolean {
  if (socket.destroyed || socket.writableEnded) return false
  return socket.writableLength > 0 || (sentBefore !== null && socket.bytesWritten === sentBefore)
}

export interface ConnectionsParts {
  readonly most: number
  /** As named in messages. */
  readonly server: string
  readonly address: string
  readonly port: number
  /** Of the listener here. */
  readonly localPort: number
  readonly opened: () => void
  readonly counted: () => void
  /** No connection is possible any more. Called once. */
  readonly none: (reason: string) => void
}

/** In milliseconds. */
const limits = {
  /** A connection that closes sooner without having carried a request counts as a failure. */
  settled: 200,
  connect: 10_000,
  /** Between attempts after a failure. The first pause doubles up to `none` while no connection is open, or `some` while others are. */
  pauses: { first: 20, none: 500, some: 5000 },
  /** Without a connection that works for this long, the tunnel counts as closed: a server may replace each connection after use. */
  outage: 2000,
}

/** Keeps up to `most` connections to the server open, each joined to one of the listener here. */
export class Connections {
  readonly #parts: ConnectionsParts
  readonly #connecting = new Set<Socket>()
  readonly #open = new Map<Socket, Followed>()
  /** Since a connection worked. */
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

  #connect(): void {
    const { address: host, port, localPort } = this.#parts
    const socket = connect({ host, port })
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
      join(socket, localPort)
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

  destroy(): void {
    this.#stop()
    for (const socket of [...this.#connecting, ...this.#open.keys()]) socket.destroy()
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
    this.#parts.counted()
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
    if (wasOpen) this.#parts.counted()
    if (this.#everOpen && this.#open.size === 0) {
      this.#outage ??= setTimeout(() => this.#end(), limits.outage)
    } else if (!this.#everOpen && this.#connecting.size === 0) return this.#end()
    this.fill()
  }

  /** `code`: the system's error code. */
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
