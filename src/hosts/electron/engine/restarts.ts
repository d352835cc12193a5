/**
 * Delays before the first, second and third restart, in milliseconds. Never 0: Electron emits `exit` when a process begins to end, and the process holds the
 * data folder until it is gone.
 */
const delays = [250, 1_000, 5_000]
/** Unexpected ends within this time count together, in milliseconds. */
const windowMs = 60_000

/** Decides when to restart a process that ended unexpectedly, so that an error at every start does not cause an endless loop. */
export interface RestartPlan {
  /**
   * Milliseconds to wait before the next start; null if the process ended too often and the user must decide. `now` is in milliseconds of a monotonic clock.
   */
  ended(now: number): number | null
  /** The user has decided to restart: starts counting again. */
  reset(): void
}

export function planRestarts(): RestartPlan {
  let ends: number[] = []
  return {
    ended(now) {
      ends = [...ends.filter((at) => now - at < windowMs), now]
      return delays[ends.length - 1] ?? null
    },
    reset() {
      ends = []
    },
  }
}
