/** Milliseconds, never 0: Electron emits `exit` when a process begins to end, and the process holds the data folder until it is gone. */
const delays = [250, 1_000, 5_000]
const windowMs = 60_000

/** An error at every start must not cause an endless loop. */
export interface RestartPlan {
  /** Milliseconds until the next start; null if the process ended too often and the user must decide. `now`: of a monotonic clock. */
  ended(now: number): number | null
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
