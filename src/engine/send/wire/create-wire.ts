import { abortedFault } from '../../http/failures.ts'
import type { AttemptError } from '#contract/sending.ts'
import { Connection } from './connection.ts'
import { Exchange, type Surroundings } from './exchange.ts'
import type { OwnPorts } from './own-ports.ts'
import { asksToClose, faultOfRequest } from './request-bytes.ts'
import type { Wire, WireOptions, WireOutcome } from './wire.ts'
import type { Socket } from 'node:net'
import { placeOfAddress } from '../target/place.ts'

interface Idle {
  readonly connection: Connection
  /** By `performance.now()`. */
  readonly until: number
}

/** Connections that wait for the next request of their kind. */
class Pool {
  readonly #idle = new Map<string, Idle[]>()

  /** The one that was used last, so that those that are not needed any more run out. Null: there is none. */
  take(key: string): Connection | null {
    const waiting = this.#idle.get(key)
    for (;;) {
      const last = waiting?.pop()
      if (!last) return null
      if (last.connection.usable && last.until > performance.now()) return last.connection
      last.connection.destroy()
    }
  }

  put(key: string, connection: Connection, until: number): void {
    const waiting = this.#idle.get(key) ?? []
    const one = { connection, until }
    waiting.push(one)
    this.#idle.set(key, waiting)
    connection.rest(() => {
      const at = waiting.indexOf(one)
      if (at !== -1) waiting.splice(at, 1)
    })
  }

  /** Closes those that have waited long enough. Returns when the next one will have; infinity: there is none. */
  sweep(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const [key, waiting] of this.#idle) {
      for (const { connection, until } of waiting.slice()) {
        if (until <= now) connection.destroy()
        else next = Math.min(next, until)
      }
      if (waiting.length === 0) this.#idle.delete(key)
    }
    return next
  }

  close(): void {
    this.sweep(Number.POSITIVE_INFINITY)
  }
}

/** By address, which is the same one for all that a job sends: taking one apart costs more than to look it up. */
const origins = new WeakMap<URL, string>()

function originOf(url: URL): string {
  const known = origins.get(url)
  if (known !== undefined) return known
  const origin = `${url.protocol}//${url.host}`
  origins.set(url, origin)
  return origin
}

/** Only what is alike in all of this may go over the same connection. */
function poolKey(url: URL, { verifyTls, publicAllowed, own }: WireOptions): string {
  return `${originOf(url)} ${verifyTls ? 1 : 0}${publicAllowed ? 1 : 0} ${own}`
}

/** So long a port stays marked when its connection was given up before the answer: the listener may not have read the request yet. */
const lingerMs = 10_000

/** Marks the ports from which we talk to our own listener. */
class OwnSockets {
  readonly #ports: OwnPorts
  readonly #listener: () => string | null
  /** Marks that outlive their connection, by port: until when, by `performance.now()`. */
  readonly #lingering = new Map<number, number>()

  constructor(ports: OwnPorts, listener: () => string | null) {
    this.#ports = ports
    this.#listener = listener
  }

  /** Before the first byte is written. Returns the port where it is our listener that we talk to, else null. */
  mark({ localPort, remoteAddress, remotePort }: Socket, as: 'forward' | 'send'): number | null {
    if (localPort === undefined || remoteAddress === undefined) return null
    // An earlier connection had this port.
    if (this.#lingering.delete(localPort)) this.#ports.mark(localPort, null)
    const listener = this.#listener()
    if (listener === null || remotePort !== Number(new URL(listener).port || 80)) return null
    if (placeOfAddress(remoteAddress) !== 'loopback') return null
    this.#ports.mark(localPort, as)
    return localPort
  }

  /** The connection is closed. Returns until when the mark stays; null: it is gone. */
  unmark(localPort: number, answered: boolean): number | null {
    if (answered) {
      this.#ports.mark(localPort, null)
      return null
    }
    const until = performance.now() + lingerMs
    this.#lingering.set(localPort, until)
    return until
  }

  /** Returns when the next mark has lingered long enough; infinity: there is none. */
  sweep(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const [port, until] of this.#lingering) {
      if (until > now) {
        next = Math.min(next, until)
        continue
      }
      this.#lingering.delete(port)
      this.#ports.mark(port, null)
    }
    return next
  }
}

/** One timer for many deadlines: it rings at the earliest, and is set anew then, so that what ends in time costs nothing. */
class Deadline {
  /** Given the time; returns when to ring next, infinity for never. */
  readonly #ring: (now: number) => number
  #at = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(ring: (now: number) => number) {
    this.#ring = ring
  }

  /** It rings at this time by `performance.now()`, or before. */
  by(time: number): void {
    if (time >= this.#at) return
    clearTimeout(this.#timer)
    this.#at = time
    // A timer may go off a little early by this clock.
    this.#timer = setTimeout(
      () => {
        this.#at = Number.POSITIVE_INFINITY
        this.by(this.#ring(performance.now()))
      },
      Math.max(1, Math.ceil(time - performance.now())),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#at = Number.NEGATIVE_INFINITY
  }
}

/** What ends when a signal says so. One listener for each signal, however many wait for it at once: a job has one for all that it sends. */
class Abortable<T extends { abort(): void }> {
  readonly #waiting = new WeakMap<AbortSignal, Set<T>>()

  add(one: T, signal: AbortSignal): void {
    const waiting = this.#waiting.get(signal)
    if (waiting) waiting.add(one)
    else this.#listen(signal, new Set([one]))
  }

  remove(one: T, signal: AbortSignal): void {
    this.#waiting.get(signal)?.delete(one)
  }

  /** It stays on for as long as the signal is there. */
  #listen(signal: AbortSignal, waiting: Set<T>): void {
    this.#waiting.set(signal, waiting)
    signal.addEventListener('abort', () => waiting.forEach((one) => one.abort()), { once: true })
  }
}

/** A connection that nobody uses is closed after so many milliseconds. */
const idleMs = 2000

/** Opens the sender's connections. `listener` tells where our own listener is now. */
export function createWire(ownPorts: OwnPorts, listener: () => string | null): Wire {
  const underWay = new Set<Exchange>()
  const abortable = new Abortable<Exchange>()
  const pool = new Pool()
  const own = new OwnSockets(ownPorts, listener)
  let closed = false

  const alarm = new Deadline((now) => {
    let next = Math.min(pool.sweep(now), own.sweep(now))
    for (const exchange of underWay) {
      exchange.tick(now)
      if (underWay.has(exchange)) next = Math.min(next, exchange.wakeAt)
    }
    return next
  })

  const around: Surroundings = {
    wakeBy: (time) => alarm.by(time),
    opened: (socket, incoming, exchange) => {
      const connection = new Connection(socket, incoming, exchange)
      const port = own.mark(socket, exchange.options.own)
      if (port !== null) {
        socket.once('close', () => {
          const until = own.unmark(port, connection.answered)
          if (until !== null) alarm.by(until)
        })
      }
      return connection
    },
    over: (exchange, connection, keepMs) => {
      underWay.delete(exchange)
      const { request, options } = exchange
      if (options.signal) abortable.remove(exchange, options.signal)
      const ms = Math.min(keepMs, idleMs)
      if (!connection) return
      if (ms > 0 && options.keepAlive && !closed && !asksToClose(request.headers)) {
        const until = performance.now() + ms
        pool.put(poolKey(request.url, options), connection, until)
        alarm.by(until)
      } else connection.destroy()
    },
  }

  return {
    exchange: (request, options) => {
      if (closed || options.signal?.aborted) return Promise.resolve(notSent(abortedFault))
      const fault = faultOfRequest(request)
      if (fault) return Promise.resolve(notSent({ code: 'invalid_request', message: fault }))
      return new Promise((resolve) => {
        const exchange = new Exchange(request, options, around, resolve)
        underWay.add(exchange)
        if (options.signal) abortable.add(exchange, options.signal)
        exchange.begin(options.keepAlive ? pool.take(poolKey(request.url, options)) : null)
      })
    },
    close: async () => {
      closed = true
      for (const exchange of underWay) exchange.abort()
      pool.close()
      alarm.stop()
    },
  }
}

/** Nothing went out. */
export function notSent(error: AttemptError): WireOutcome {
  return {
    answer: null,
    error,
    timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
    remoteAddress: null,
    reused: false,
    tlsVerified: null,
  }
}
