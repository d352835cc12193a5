/**
 * How long (ms) is waited before the first, second and third start after an end that nobody asked for. Never 0: Electron emits `exit` when a
 * process that ends itself begins to, and until it is gone it holds the data folder.
 */
const waits = [250, 1_000, 5_000]
/** Ends within this time (ms) count together. */
const within = 60_000

/** When something that ended unasked is started again, so that a fault that comes at every start is no endless loop. */
export interface RestartPlan {
  /** Milliseconds to wait before the next start; null: it ended too often, and a person has to decide. `now` only grows. */
  ended(now: number): number | null
  /** A person has decided: counted from the beginning. */
  beginAnew(): void
}

export function planRestarts(): RestartPlan {
  let ends: number[] = []
  return {
    ended(now) {
      ends = [...ends.filter((at) => now - at < within), now]
      return waits[ends.length - 1] ?? null
    },
    beginAnew() {
      ends = []
    },
  }
}
