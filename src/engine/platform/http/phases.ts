import type { Socket } from 'node:net'
import type { Timings } from '#contract/http.ts'

/** Times the phases of one request, by the events of its socket or as it is told. */
export class Phases {
  readonly #start = performance.now()
  #looked: number | null = null
  #connected: number | null = null
  #secured: number | null = null
  #sent: number | null = null
  #answered: number | null = null

  watch(socket: Socket): void {
    // Names with several addresses say so once for each.
    socket.once('lookup', () => this.looked())
    socket.once('connect', () => this.connected())
    socket.once('secureConnect', () => this.secured())
    socket.prependListener('data', () => this.answered())
  }

  /** The name is looked up. */
  looked(): void {
    this.#looked = performance.now()
  }

  connected(): void {
    this.#connected = performance.now()
  }

  /** The handshake of TLS is over. */
  secured(): void {
    this.#secured = performance.now()
  }

  /** The request is out. */
  sent(): void {
    this.#sent ??= performance.now()
  }

  /** The first byte of the answer is here. */
  answered(): void {
    this.#answered ??= performance.now()
  }

  /** What came was an interim answer (RFC 9110, 15.2): the answer is still to come. */
  interim(): void {
    this.#answered = null
  }

  /** As of now. */
  timings(): Timings {
    const ready = this.#secured ?? this.#connected
    // An answer may come before the whole request is out.
    const out = Math.max(ready ?? this.#start, Math.min(this.#sent ?? 0, this.#answered ?? 0))
    return {
      dns: this.#looked === null ? null : this.#looked - this.#start,
      connect: this.#connected === null ? null : this.#connected - (this.#looked ?? this.#start),
      tls:
        this.#secured === null || this.#connected === null ? null : this.#secured - this.#connected,
      firstByte: this.#answered === null ? null : Math.max(0, this.#answered - out),
      total: performance.now() - this.#start,
    }
  }
}
