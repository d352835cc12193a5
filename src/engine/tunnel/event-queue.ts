import type { Clock } from '../platform/clock.ts'

/** What has happened and was not taken yet. It is remembered, so that whoever is busy misses nothing. One waits at a time. */
export class EventQueue<K extends string> {
  readonly #clock: Clock
  readonly #untaken = new Set<K>()
  #look: () => void = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  happen(kind: K): void {
    this.#untaken.add(kind)
    this.#look()
  }

  /** Whether it has happened since it was last taken. */
  take(kind: K): boolean {
    return this.#untaken.delete(kind)
  }

  /** Resolves as soon as one of the kinds has happened that was not taken, or after `ms` milliseconds; null: however long it takes. */
  async wait(kinds: readonly K[], ms: number | null): Promise<void> {
    const isThere = (): boolean => kinds.some((kind) => this.#untaken.has(kind))
    if (isThere()) return
    await new Promise<void>((resolve) => {
      const go = (): void => {
        callOff()
        this.#look = () => undefined
        resolve()
      }
      const callOff = ms === null ? () => undefined : this.#clock.after(ms, go)
      this.#look = () => {
        if (isThere()) go()
      }
    })
  }
}
