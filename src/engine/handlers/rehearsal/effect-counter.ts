import type { Clock } from '../../platform/clock.ts'

/** The number of effects that an observer prints. Throws an error with a sentence. */
export type ReadEffects = () => Promise<number>

/** The number must not change for this long before it is judged. */
const quietMs = 300
const limitMs = 5000
const pollMs = 25

export function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}

/** A handler may process an event after its response. */
export class EffectCounter {
  readonly read: ReadEffects
  readonly #clock: Clock
  #current: number | null = null

  constructor(read: ReadEffects, clock: Clock) {
    this.read = read
    this.#clock = clock
  }

  requestSent(): void {
    this.#current = null
  }

  /** Waits for the effects of earlier requests. Null if the number could not be read. */
  async before(): Promise<number | null> {
    return this.#current ?? this.after(Number.NEGATIVE_INFINITY)
  }

  /** Waits until the number is at least `expected`, and no longer changes. Null if it could not be read. */
  async after(expected: number): Promise<number | null> {
    try {
      this.#current = await this.#settled(expected)
    } catch {
      this.#current = null
    }
    return this.#current
  }

  async #settled(expected: number): Promise<number> {
    const clock = this.#clock
    const began = clock.now()
    let readAt = began
    let count = await this.read()
    let since = clock.now()
    for (;;) {
      const isQuiet = clock.now() - since >= quietMs && count >= expected
      // The last number must be one that was read after the time was over: this process may have been stopped.
      if (isQuiet || readAt - began >= limitMs) return count
      await wait(clock, pollMs)
      readAt = clock.now()
      const next = await this.read()
      if (next !== count) since = clock.now()
      count = next
    }
  }
}
