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
  reset(): void
}

export function planRestarts(): RestartPlan {
  let ends: number[] = []
  return {
    ended(now) {
      ends = [...ends.filter((at) => now - at < within), now]
      return waits[ends.length - 1] ?? null
    },
    reset() {
      ends = []
    },
  }
}

/** A file during whose import the engine ended so often is not tried again: it may be why. */
const mostTries = 2

/** Event logs that were handed over and are not imported yet. An engine that is started again is handed them again. */
export interface PendingImports {
  add(paths: readonly string[]): void
  /** Its import has ended, well or not. */
  done(path: string): void
  /** The engine is open, and so began what it was handed. */
  opened(): void
  /** The engine ended. Answers those that are given up. */
  lost(): readonly string[]
  all(): readonly string[]
}

export function createPendingImports(): PendingImports {
  /** How often each was begun. */
  const waiting = new Map<string, number>()
  let open = false
  return {
    add(paths) {
      for (const path of paths) waiting.set(path, 0)
    },
    done: (path) => void waiting.delete(path),
    opened: () => void (open = true),
    lost() {
      // Before it was open it read none of them.
      if (!open) return []
      open = false
      const givenUp: string[] = []
      for (const [path, tries] of waiting) {
        if (tries + 1 < mostTries) waiting.set(path, tries + 1)
        else {
          waiting.delete(path)
          givenUp.push(path)
        }
      }
      return givenUp
    },
    all: () => [...waiting.keys()],
  }
}
