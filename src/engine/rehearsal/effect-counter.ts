import type { Clock } from '../platform/clock.ts'
import type { Received } from './judge.ts'
import { quietTime, settled, type Observer } from './observer.ts'

/** Without a response, nothing says when the handler has read a request: its effects must not change for this long. */
const unansweredMs = 1000

export class EffectCounter {
  readonly #observer: Observer
  readonly #clock: Clock
  /** How long the number must not change before it is judged. */
  #quietMs: number | undefined
  /** As last read; null: unknown, because of later requests. */
  #current: number | null = null
  #unit = 1

  constructor(observer: Observer, clock: Clock) {
    this.#observer = observer
    this.#clock = clock
  }

  get unit(): number {
    return this.#unit
  }

  requestSent(): void {
    this.#current = null
  }

  /** Waits for the effects of earlier requests, which a handler may process later. Null if the number could not be read. */
  async before(): Promise<number | null> {
    this.#current ??= (await this.#settled(Number.NEGATIVE_INFINITY, this.#quietMs))?.count ?? null
    return this.#current
  }

  /** The number once it has settled. `expected`: the number to wait for. Null if it could not be read. */
  async after(expected: number, received: readonly Received[] = []): Promise<number | null> {
    const hasAll = received.every(({ status }) => status !== null)
    const quietMs = hasAll ? this.#quietMs : Math.max(this.#quietMs ?? 0, unansweredMs)
    this.#current = (await this.#settled(expected, quietMs))?.count ?? null
    return this.#current
  }

  /** Learns from one effect what it adds to the number, and how late effects come. Returns the number after it. */
  async learnUnit(before: number): Promise<number> {
    const seen = await this.#settled(before + 1, this.#quietMs)
    const after = seen?.count ?? before
    this.#unit = after - before
    this.#quietMs = quietTime(seen?.changedMs ?? 0)
    return after
  }

  read(): Promise<number> {
    return this.#observer.read()
  }

  async #settled(
    expected: number,
    quietMs: number | undefined,
  ): Promise<Awaited<ReturnType<typeof settled>> | null> {
    try {
      return await settled(this.#observer, expected, quietMs, this.#clock)
    } catch {
      return null
    }
  }
}
