import type { Socket } from 'node:net'
import { backoff } from '#shared/async/retry.ts'
import { Absence } from './absence.ts'

/** An open connection to the server, as far as it shows what it does. */
interface Followed {
  readonly socket: Socket
  /** When it was opened, on `performance.now()`. */
  readonly since: number
  /** Whether a request has come over it. */
  carried: boolean
  /** What had been sent when the last of a request came; null: nothing has come. */
  sentBefore: number | null
  /** Whether our end was closed before the server's, because the local one was. */
  endedHere: boolean
}

/** In milliseconds. A server that goes away without a word, and a router that forgets what is idle, are known by it. */
const keepAliveMs = 15_000
/** Our end is closed: the server has so many milliseconds to take the rest and close its own. */
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
  // After a local error the client ends it and leaves it paused: what lies unread would keep it open for ever.
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

/** Whether an answer is awaited or on its way. */
function busy({ socket, sentBefore }: Followed): boolean {
  if (socket.destroyed || socket.writableEnded) return false
  return socket.writableLength > 0 || (sentBefore !== null && socket.bytesWritten === sentBefore)
}

export interface ConnectionsParts {
  /** How many there are to be. */
  readonly most: number
  /** The server's end, as it is named in sentences. */
  readonly place: string
  /** Makes one more; returns its socket, which is not connected yet. */
  readonly connect: () => readonly Socket[]
  /** The first is open. */
  readonly opened: () => void
  readonly counted: (open: number) => void
  readonly trouble: (reason: string) => void
  /** None can be had (any more). Said once. */
  readonly none: (reason: string) => void
}

/** In milliseconds. */
const limits = {
  /** A connection that has carried nothing and ends before, was not worth opening. */
  settled: 200,
  /** An attempt to connect. */
  connect: 10_000,
  /**
   * Between attempts after one that failed, doubling; while none is open, while others are, and where it was closed at the local end. The first
   * is short: a server may not have seen yet that a connection is gone, and then refuses the one in its place.
   */
  pauses: { first: 20, none: 500, some: 30_000, local: 1000 },
}

/**
 * The connections that the client keeps to its server. By itself it forgets the place of one that the server refused, that timed out, or whose
 * local end was reset, until none is left and nothing says so; and where one is closed as soon as it is open, it opens the next without a pause.
 * So when another is opened is decided here, by what becomes of the sockets.
 */
export class Connections {
  readonly #parts: ConnectionsParts
  readonly #absence: Absence
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
    this.#absence = new Absence({
      place: parts.place,
      served: () => [...this.#open.values()].some((followed) => this.#isSettled(followed)),
      trouble: parts.trouble,
      ended: (reason) => this.#end(reason),
    })
  }

  get count(): number {
    return this.#open.size
  }

  /** Takes in a socket of the client's that is about to connect. */
  add(socket: Socket): void {
    this.#connecting.add(socket)
    this.#last = socket
    let error: Error | null = null
    const limit = setTimeout(() => {
      error ??= Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })
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

  /** Opens what is missing: at once, or after a pause where it has just failed. */
  fill(): void {
    if (this.#over || this.#retry) return
    if (this.#failures > 0) {
      if (this.#missing() > 0) this.#retryLater()
      return
    }
    for (let missing = this.#missing(); missing > 0; missing -= 1) this.#connect()
  }

  /** Opens no more, closes what is idle, and waits for answers on their way for up to so many milliseconds. */
  async close(graceMs: number): Promise<void> {
    this.#stop()
    const until = performance.now() + graceMs
    for (;;) {
      const working = [...this.#open].filter(([, followed]) => busy(followed))
      for (const [socket, followed] of this.#open) if (!busy(followed)) socket.end()
      if (working.length === 0 || performance.now() >= until) return
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
    this.#absence.end()
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
    // What was closed here is not lost: it comes again when the door does.
    if (this.#open.size === 0 && !this.#endedHere) this.#lost()
    this.fill()
  }

  #worked(): void {
    this.#failures = 0
    if (this.#retry) clearTimeout(this.#retry)
    this.#retry = null
    this.#absence.forget()
  }

  #failed(error: Error | null, wasOpen: boolean): void {
    this.#countFailure()
    if (wasOpen) this.#absence.shut(this.#failures > 1)
    else {
      const code = error && 'code' in error && typeof error.code === 'string' ? error.code : ''
      this.#absence.unreachable(code)
    }
    const others = this.#open.size > 0
    if (this.#everOpen && !(wasOpen && others)) this.#absence.tell(others)
  }

  /** Several that were opened together fail once. */
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
      // The one opened last time tells whether it is worth it.
      const last = this.#last ? this.#open.get(this.#last) : undefined
      if (last && this.#isSettled(last)) this.#worked()
      else if (this.#missing() > 0 && this.#connecting.size === 0) this.#connect()
      this.fill()
    }, pause)
  }

  #lost(): void {
    if (this.#everOpen) this.#absence.begin()
    else if (this.#connecting.size === 0) this.#end(this.#absence.reason)
  }

  #end(reason: string): void {
    this.#stop()
    this.#parts.none(reason)
  }
}
