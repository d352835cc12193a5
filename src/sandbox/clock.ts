/** Time as an argument, so that no test sleeps. */
export interface Clock {
  /** Milliseconds that only grow, from any beginning: for pacing and durations. */
  now(): number
  /** The time of day: for `createdAt`. */
  date(): Date
  /** Calls back once after `ms` milliseconds; returns the way to call it off. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
