/** One timer for many deadlines: it rings at the earliest, and is set anew then, so that what ends in time costs nothing. */
export class Alarm {
  /** Given the time; returns when to ring next, infinity for never. */
  readonly #ring: (now: number) => number
  #at = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(ring: (now: number) => number) {
    this.#ring = ring
  }

  /** It rings at this time by `performance.now()`, or before. */
  by(time: number): void {
    if (time >= this.#at) return
    clearTimeout(this.#timer)
    this.#at = time
    // A timer may go off a little early by this clock.
    this.#timer = setTimeout(
      () => {
        this.#at = Number.POSITIVE_INFINITY
        this.by(this.#ring(performance.now()))
      },
      Math.max(1, Math.ceil(time - performance.now())),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#at = Number.NEGATIVE_INFINITY
  }
}
