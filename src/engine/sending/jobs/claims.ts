import type { Job } from '#contract/sending.ts'
import type { Clock } from '../../platform/clock.ts'

export interface Item {
  readonly position: number
  readonly deliveryId: number
  /** Microseconds since the epoch; null if it is unknown or not needed. */
  readonly receivedUs: number | null
}

export interface ItemStore {
  waiting(after: number, limit: number): Item[]
  /** Marks the next `count` waiting items as about to be sent, durably. Skips items of deleted deliveries and counts them in `deleted`. */
  claim(count: number): Promise<{ readonly items: readonly Item[]; readonly deleted: number }>
  unclaim(positions: readonly number[]): Promise<void>
}

const windowSize = 512

export class Claims {
  readonly #store: ItemStore
  readonly #claimed: Item[] = []
  #waiting: Item[] = []
  #after = -1

  constructor(store: ItemStore) {
    this.#store = store
  }

  get claimed(): readonly Item[] {
    return this.#claimed
  }

  /** Up to `count` items that are not claimed; at least one if there is any. */
  waiting(count: number): readonly Item[] {
    if (this.#waiting.length < count) {
      const more = this.#store.waiting(this.#after, windowSize)
      this.#after = more.at(-1)?.position ?? this.#after
      this.#waiting = [...this.#waiting, ...more]
    }
    return this.#waiting.slice(0, count)
  }

  async claim(count: number): Promise<number> {
    const { items, deleted } = await this.#store.claim(count)
    // Fewer than requested: all waiting items have been read.
    const last = items.length < count ? Number.MAX_SAFE_INTEGER : (items.at(-1)?.position ?? -1)
    this.#waiting = this.#waiting.filter(({ position }) => position > last)
    this.#after = Math.max(this.#after, last)
    this.#claimed.push(...items)
    return deleted
  }

  take(): void {
    this.#claimed.shift()
  }

  async release(): Promise<void> {
    const positions = this.#claimed.splice(0).map(({ position }) => position)
    if (positions.length > 0) await this.#store.unclaim(positions)
  }
}

export interface ItemResult {
  /** `left`: aborted because Tabscope closed, so it is unknown whether the request was received. */
  readonly as: 'ok' | 'failed' | 'skipped' | 'left'
  readonly status: number | null
  readonly error: string | null
  readonly bytes: number
  readonly stored: Promise<unknown>
}

/** The item could not be started, and no other item can. */
export interface Halted {
  readonly as: 'halted'
  readonly reason: string
}

export interface RunStore extends ItemStore {
  setState(state: Job['state'], reason: string | null, endedAt: number | null): Promise<void>
  job(): Job
}

export interface RunParts {
  readonly store: RunStore
  readonly clock: Clock
  /** Resolves when the response was received or the request failed; never rejects. `next`: the claimed items after it. */
  send(item: Item, next: readonly Item[], signal: AbortSignal): Promise<ItemResult | Halted>
  /** Lets the event loop read other responses that have arrived. */
  yieldToOthers(): Promise<void>
  changed(): void
  failed(error: unknown): void
  /** The job ended, or paused without pending requests, and everything is stored. */
  settled(): void
}
