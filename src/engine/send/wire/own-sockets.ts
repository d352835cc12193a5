import type { Socket } from 'node:net'
import { placeOfAddress } from '../target/place.ts'
import type { OwnPorts } from './own-ports.ts'

/** So long a port stays marked when its connection was given up before the answer: the listener may not have read the request yet. */
const lingerMs = 10_000

/** Marks the ports from which we talk to our own listener. */
export class OwnSockets {
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
