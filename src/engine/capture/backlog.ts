import type { Progress } from './progress.ts'

/** Capture slows down while deliveries in the journal that are not stored yet exceed these bytes or this age. */
export const backlogLimits = { bytes: 64 * 1024 * 1024, ms: 5000 } as const
/** The longest delay of one group: less than the timeout of any sender. */
const maxDelayMs = 1000
/** The store counts as stalled without progress for this long, which is longer than any transaction. */
const stalledMs = 5000
/** Delayed requests that exceed this memory are written anyway, before new ones would have to be rejected. */
const maxHeldBytes = 64 * 1024 * 1024
const markEveryMs = 100

interface Mark {
  readonly position: number
  readonly at: number
}

/**
 * Bounds what is captured and not stored yet: over its limits, each group is delayed, so that senders that wait for a response slow down to the speed
 * of the store. Nothing is rejected. Nothing is delayed while the store is not writable or stalled: capture continues into the journal.
 */
export class Backlog {
  readonly #progress: Progress
  readonly #now: () => number
  /** Positions at an interval that may not be stored yet, oldest first. */
  #marks: Mark[] = []
  #delayedSince: number | null = null
  #storedPosition = 0
  #advancedAt: number

  constructor(progress: Progress, now: () => number) {
    this.#progress = progress
    this.#now = now
    this.#advancedAt = now()
  }

  published(position: number): void {
    const at = this.#now()
    const last = this.#marks.at(-1)
    if (last === undefined || at - last.at >= markEveryMs) this.#marks.push({ position, at })
    this.#update(at)
  }

  /** Whether to delay the next group. If so, call again soon. `heldBytes`: memory of the requests that wait. */
  delays(heldBytes: number): boolean {
    const now = this.#now()
    this.#update(now)
    if (!this.#isOverLimit(now) || heldBytes > maxHeldBytes || this.#isStalled(now)) {
      this.#delayedSince = null
      return false
    }
    this.#delayedSince ??= now
    if (now - this.#delayedSince < maxDelayMs) return true
    this.#delayedSince = null
    return false
  }

  #update(now: number): void {
    const stored = this.#progress.storedPosition
    if (stored !== this.#storedPosition) {
      this.#storedPosition = stored
      this.#advancedAt = now
    }
    const oldest = this.#marks.findIndex(({ position }) => position > stored)
    if (oldest !== 0) this.#marks = oldest === -1 ? [] : this.#marks.slice(oldest)
    // With nothing to store, the store is not stalled.
    if (this.#marks.length === 0) this.#advancedAt = now
  }

  #isOverLimit(now: number): boolean {
    const [oldest] = this.#marks
    if (oldest === undefined) return false
    const bytes = this.#progress.position - this.#storedPosition
    return bytes > backlogLimits.bytes || now - oldest.at > backlogLimits.ms
  }

  #isStalled(now: number): boolean {
    return this.#progress.isStoreFailing || now - this.#advancedAt > stalledMs
  }
}
