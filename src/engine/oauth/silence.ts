import type { Clock } from '../clock.ts'

/** Calls back once when nothing was heard for as long as it bears. */
export class Silence {
  readonly #clock: Clock
  readonly #patience: number
  readonly #over: () => void
  #callOff: (() => void) | null = null

  /** `patience` in milliseconds. */
  constructor(clock: Clock, patience: number, over: () => void) {
    this.#clock = clock
    this.#patience = patience
    this.#over = over
  }

  /** Something was heard: it begins anew. Returns when it will be over, in milliseconds since the epoch. */
  begin(): number {
    this.end()
    this.#callOff = this.#clock.after(this.#patience, this.#over)
    return this.#clock.now() + this.#patience
  }

  end(): void {
    this.#callOff?.()
    this.#callOff = null
  }
}
