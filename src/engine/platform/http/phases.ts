import type { Socket } from 'node:net'
import type { Timings } from '#contract/http.ts'

export class Phases {
  readonly #start = performance.now()
  #looked: number | null = null
  #connected: number | null = null
  #secured: number | null = null
  #sent: number | null = null
  #answered: number | null = null

  watch(socket: Socket): void {
    socket.prependListener('data', () => this.answered())
  }

  looked(): void {
    this.#looked ??= performance.now()
  }

  connected(): void {
    this.#connected = performance.now()
  }

  secured(): void {
    this.#secured = performance.now()
  }

  sent(): void {
    this.#sent ??= performance.now()
  }

  /** The first byte of the response was received. */
  answered(): void {
    this.#answered ??= performance.now()
  }

  /** The response was interim (RFC 9110, section 15.2): the final one is still to come. */
  interim(): void {
    this.#answered = null
  }

  timings(): Timings {
    const ready = this.#secured ?? this.#connected
    // A response may begin before the request is sent completely.
    const out = Math.max(ready ?? this.#start, Math.min(this.#sent ?? 0, this.#answered ?? 0))
    return {
      dnsMs: this.#looked === null ? null : this.#looked - this.#start,
      connectMs: this.#connected === null ? null : this.#connected - (this.#looked ?? this.#start),
      tlsMs:
        this.#secured === null || this.#connected === null ? null : this.#secured - this.#connected,
      firstByteMs: this.#answered === null ? null : Math.max(0, this.#answered - out),
      totalMs: performance.now() - this.#start,
    }
  }
}
