import type { Job } from '#contract/sending.ts'
import type { Clock } from '../../platform/clock.ts'

/** One delivery of a job. */
export interface Item {
  readonly position: number
  readonly deliveryId: number
  /** Microseconds since the epoch; null: not known, or not asked for. */
  readonly receivedUs: number | null
}

/** Where the items of a job are kept. */
export interface ItemStore {
  /** Those that wait, behind a position, in order. */
  waiting(after: number, limit: number): Item[]
  /**
   * The next `count` of those that wait are about to be sent; on the disk when it resolves. Those whose delivery is gone are skipped, and
   * counted in `gone`.
   */
  claim(count: number): Promise<{ readonly items: readonly Item[]; readonly gone: number }>
  /** They were not begun, and wait again. */
  unclaim(positions: readonly number[]): Promise<void>
}

/** So many are looked at together. */
const windowSize = 512

/** The items that come next: first those that are claimed, and so may be sent, then those that wait. */
export class Claims {
  readonly #store: ItemStore
  readonly #claimed: Item[] = []
  #waiting: Item[] = []
  /** The last position that was looked at. */
  #after = -1

  constructor(store: ItemStore) {
    this.#store = store
  }

  get claimed(): readonly Item[] {
    return this.#claimed
  }

  /** Up to `count` of those that are not claimed, and at least one where there is one. */
  waiting(count: number): readonly Item[] {
    if (this.#waiting.length < count) {
      const more = this.#store.waiting(this.#after, windowSize)
      this.#after = more.at(-1)?.position ?? this.#after
      this.#waiting = [...this.#waiting, ...more]
    }
    return this.#waiting.slice(0, count)
  }

  /** Claims the next ones; returns how many were left out, since their delivery is gone. */
  async claim(count: number): Promise<number> {
    const { items, gone } = await this.#store.claim(count)
    // Fewer than asked for: then all that wait have been looked at.
    const last = items.length < count ? Number.MAX_SAFE_INTEGER : (items.at(-1)?.position ?? -1)
    this.#waiting = this.#waiting.filter(({ position }) => position > last)
    this.#after = Math.max(this.#after, last)
    this.#claimed.push(...items)
    return gone
  }

  /** The next one that is claimed is begun. */
  take(): void {
    this.#claimed.shift()
  }

  /** What was claimed and not begun waits again. */
  async giveBack(): Promise<void> {
    const positions = this.#claimed.splice(0).map(({ position }) => position)
    if (positions.length > 0) await this.#store.unclaim(positions)
  }
}

/** How one ended. */
export interface Ended {
  /** `left`: cut off because Tabscope ends, so that nobody knows whether it arrived. */
  readonly as: 'ok' | 'failed' | 'skipped' | 'left'
  readonly status: number | null
  /** As a sentence. */
  readonly error: string | null
  /** What it takes in memory until it is stored. */
  readonly bytes: number
  readonly stored: Promise<unknown>
}

/** It was not begun, and neither can the others be. */
export interface Halted {
  readonly as: 'halted'
  readonly reason: string
}

export interface RunStore extends ItemStore {
  setState(state: Job['state'], reason: string | null, endedAt: number | null): Promise<void>
  /** As it is stored. */
  job(): Job
}

export interface RunParts {
  readonly store: RunStore
  readonly clock: Clock
  /** Resolves when the target is done with it; never rejects. `next`: what is claimed behind it. */
  send(item: Item, next: readonly Item[], signal: AbortSignal): Promise<Ended | Halted>
  /** Something has changed. */
  changed(): void
  /** It has ended, or is paused with nothing under way: the store has all of it. */
  atRest(): void
}
