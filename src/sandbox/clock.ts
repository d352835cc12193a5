/** Time as an argument, so that tests do not sleep. */
export interface Clock {
  /** Monotonic time in milliseconds, from an arbitrary start. Use it for pacing and durations. */
  now(): number
  /** The wall-clock time, used for `createdAt`. */
  date(): Date
  /** Calls back once after `ms` milliseconds. Returns a function that cancels the call. */
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
