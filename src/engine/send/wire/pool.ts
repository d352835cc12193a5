import type { Connection } from './connection.ts'
import type { WireOptions } from './wire.ts'

interface Idle {
  readonly connection: Connection
  /** By `performance.now()`. */
  readonly until: number
}

/** Connections that wait for the next request of their kind. */
export class Pool {
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
export function poolKey(url: URL, { verifyTls, publicAllowed, own }: WireOptions): string {
  return `${originOf(url)} ${verifyTls ? 1 : 0}${publicAllowed ? 1 : 0} ${own}`
}
