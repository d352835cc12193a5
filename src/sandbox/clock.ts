/** An argument, so that tests do not sleep. */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary start, for pacing and durations. */
  now(): number
  date(): Date
  /** Calls back once after `ms`. Returns a function that cancels the call. */
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
