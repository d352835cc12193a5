/** A batch is to last about so long, in milliseconds: then the disk is never waited for, and a crash leaves few in doubt. */
const soonMs = 50
const lateMs = 200
const largest = 512

/** How many are claimed together: more of them while they are used up soon, fewer while they last. */
export class BatchSize {
  readonly #least: number
  #size: number
  #at: number | null = null
  #claims = 0

  /** `width`: so many are under way at once. */
  constructor(width: number) {
    this.#least = Math.min(width, largest)
    this.#size = this.#least
  }

  /** For a batch that is claimed now, in milliseconds of the clock. */
  next(now: number): number {
    // The second one is claimed as soon as the first is there: that says nothing yet.
    const lasted = this.#at === null || this.#claims < 2 ? null : now - this.#at
    this.#at = now
    this.#claims += 1
    if (lasted !== null && lasted < soonMs) this.#size = Math.min(largest, this.#size * 2)
    if (lasted !== null && lasted > lateMs) {
      this.#size = Math.max(this.#least, Math.floor(this.#size / 2))
    }
    return this.#size
  }
}
