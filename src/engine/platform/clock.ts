/** Time as an argument, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms` milliseconds; returns the way to call it off. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** The time of day as it was at the beginning, and from then on milliseconds that only grow, whatever becomes of the system's clock. */
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, callback) => systemClock.after(ms, callback),
}
