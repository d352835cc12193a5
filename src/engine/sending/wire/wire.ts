import type { Socket } from 'node:net'
import { abortedFault } from '../../platform/http/failures.ts'
import type { Network } from '../../platform/http/network.ts'
import type { AttemptError } from '#contract/sending.ts'
import type { Connection } from './connection.ts'
import { locationOfAddress } from '../../platform/http/addresses.ts'
import { Exchange, type WireOptions, type WireOutcome } from './exchange.ts'
import type { OwnPorts, OwnSender } from '../../receiving/listener/messages.ts'
import { asksToClose, faultOfRequest, type WireRequest } from './request-bytes.ts'

export interface Wire {
  exchange(request: WireRequest, options: WireOptions): Promise<WireOutcome>
  /** Ends pending exchanges as `aborted`. */
  close(): Promise<void>
}

interface Idle {
  readonly connection: Connection
  readonly timer: NodeJS.Timeout
}

class Pool {
  readonly #idle = new Map<string, Idle[]>()

  /** Returns the most recently used connection, so that those no longer needed time out. */
  take(key: string): Connection | null {
    const waiting = this.#idle.get(key)
    for (;;) {
      const last = waiting?.pop()
      if (!last) return null
      clearTimeout(last.timer)
      if (last.connection.usable) return last.connection
      last.connection.destroy()
    }
  }

  put(key: string, connection: Connection, keepMs: number): void {
    const waiting = this.#idle.get(key) ?? []
    const idle = { connection, timer: setTimeout(() => connection.destroy(), keepMs) }
    waiting.push(idle)
    this.#idle.set(key, waiting)
    connection.release(() => {
      clearTimeout(idle.timer)
      const at = waiting.indexOf(idle)
      if (at !== -1) waiting.splice(at, 1)
      if (waiting.length === 0 && this.#idle.get(key) === waiting) this.#idle.delete(key)
    })
  }

  close(): void {
    for (const waiting of this.#idle.values()) {
      for (const { connection } of waiting.slice()) connection.destroy()
    }
  }
}

function poolKey(url: URL, { verifyTls, publicAllowed, own }: WireOptions): string {
  return `${url.origin} ${verifyTls ? 1 : 0}${publicAllowed ? 1 : 0} ${own}`
}

/** A port stays marked this long if its connection closed without a response: the listener may not have read the request yet. */
const lingerMs = 10_000

class OwnConnections {
  readonly #ports: OwnPorts
  readonly #listener: () => string | null
  /** Marks that outlive their connection, by port. */
  readonly #lingering = new Map<number, NodeJS.Timeout>()

  constructor(ports: OwnPorts, listener: () => string | null) {
    this.#ports = ports
    this.#listener = listener
  }

  /** Call before the first byte is written. `answered`: whether the last request got a response. */
  mark(socket: Socket, as: OwnSender, answered: () => boolean): void {
    const { localPort, remoteAddress, remotePort } = socket
    if (localPort === undefined || remoteAddress === undefined) return
    if (this.#lingering.has(localPort)) this.#unmark(localPort)
    const listener = this.#listener()
    if (listener === null || remotePort !== Number(new URL(listener).port || 80)) return
    if (locationOfAddress(remoteAddress) !== 'loopback') return
    this.#ports.mark(localPort, as)
    socket.once('close', () => {
      if (answered()) this.#unmark(localPort)
      else {
        const timer = setTimeout(() => this.#unmark(localPort), lingerMs)
        this.#lingering.set(localPort, timer.unref())
      }
    })
  }

  #unmark(localPort: number): void {
    clearTimeout(this.#lingering.get(localPort))
    this.#lingering.delete(localPort)
    this.#ports.mark(localPort, null)
  }
}

interface Pending {
  readonly exchange: Exchange
  readonly signal: AbortSignal | undefined
}

/**
 * Not a `Set`, which copies itself after some dozens of changes: the old copies keep the data of half of all requests in memory until the next major
 * garbage collection.
 */
class PendingExchanges {
  readonly #entries: Pending[] = []
  /** One listener per signal: a job uses one signal for all of its requests. */
  readonly #signals = new WeakSet<AbortSignal>()

  add(exchange: Exchange, signal: AbortSignal | undefined): void {
    this.#entries.push({ exchange, signal })
    if (!signal || this.#signals.has(signal)) return
    this.#signals.add(signal)
    signal.addEventListener('abort', () => this.#abort((entry) => entry.signal === signal), {
      once: true,
    })
  }

  delete(exchange: Exchange): void {
    const at = this.#entries.findIndex((entry) => entry.exchange === exchange)
    if (at === -1) return
    const last = this.#entries.pop()
    if (last && at < this.#entries.length) this.#entries[at] = last
  }

  abortAll(): void {
    this.#abort(() => true)
  }

  #abort(isAborted: (entry: Pending) => boolean): void {
    for (const { exchange } of this.#entries.filter(isAborted)) exchange.abort()
  }
}

const idleMs = 2000

export function createWire(
  ownPorts: OwnPorts,
  listener: () => string | null,
  network: Network,
): Wire {
  const pending = new PendingExchanges()
  const pool = new Pool()
  const own = new OwnConnections(ownPorts, listener)
  let closed = false

  return {
    exchange: (request, options) => {
      if (closed || options.signal?.aborted) return Promise.resolve(notSent(abortedFault))
      const fault = faultOfRequest(request)
      if (fault) return Promise.resolve(notSent({ code: 'invalid_request', message: fault }))
      const key = poolKey(request.url, options)
      return new Promise((resolve) => {
        const opened = (connection: Connection): void =>
          own.mark(connection.socket, options.own, () => connection.answered)
        const over = (connection: Connection | null, keepMs: number): void => {
          pending.delete(exchange)
          const ms = Math.min(keepMs, idleMs)
          if (ms > 0 && options.keepAlive && !closed && !asksToClose(request.headers)) {
            if (connection) pool.put(key, connection, ms)
          } else connection?.destroy()
        }
        const exchange = new Exchange(request, options, network, { opened, over }, resolve)
        pending.add(exchange, options.signal)
        exchange.start(options.keepAlive ? pool.take(key) : null)
      })
    },
    close: async () => {
      closed = true
      pending.abortAll()
      pool.close()
    },
  }
}

export function notSent(error: AttemptError): WireOutcome {
  return {
    response: null,
    error,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
    sent: false,
    remoteAddress: null,
    proxy: null,
    reused: false,
    tlsVerified: null,
  }
}
