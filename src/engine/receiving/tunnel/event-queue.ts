import type { Clock } from '../../platform/clock.ts'

/** Keeps events until they are taken, so that a busy reader misses none. One reader waits at a time. */
export class EventQueue<K extends string> {
  readonly #clock: Clock
  readonly #events = new Set<K>()
  #notify: () => void = () => undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(kind: K): void {
    this.#events.add(kind)
    this.#notify()
  }

  take(kind: K): boolean {
    return this.#events.delete(kind)
  }

  /** Resolves once one of the events happened, or after `ms`. Null: no timeout. */
  async wait(kinds: readonly K[], ms: number | null): Promise<void> {
    const isReady = (): boolean => kinds.some((kind) => this.#events.has(kind))
    if (isReady()) return
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        cancelTimer()
        this.#notify = () => undefined
        resolve()
      }
      const cancelTimer = ms === null ? () => undefined : this.#clock.after(ms, finish)
      this.#notify = () => {
        if (isReady()) finish()
      }
    })
  }
}
