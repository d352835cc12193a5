/** A parameter, so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls back once after `ms`. Returns a function that cancels it. Never keeps the process alive. */
  after(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Only increases, equally in all threads, even if the system's clock is changed. For durations and order: it does not say what time it is. */
export const steadyClock: Clock = {
  now: () => Number(process.hrtime.bigint()) / 1e6,
  after: (ms, callback) => systemClock.after(ms, callback),
}

/** A clock that is set back by more was changed by somebody; by less, it is corrected in small steps. */
const setBackMs = 1000

/**
 * Returns a function that returns the system's time in microseconds since the epoch. It is never behind the system's clock, which a steady clock is after
 * sleep, and goes back only if the system's clock was set back.
 */
export function createTimeUs(system = () => Date.now(), steady = () => performance.now()) {
  let offset = system() - steady()
  return (): number => {
    const ms = steady()
    const behind = system() - (ms + offset)
    if (behind > 0 || behind < -setBackMs) offset += behind
    return Math.round((ms + offset) * 1000)
  }
}
