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

/** Maximum number of attempts to import a file during which the engine ends: the file may be the cause. */
const maxAttempts = 2

/** Event logs that were passed to the app and are not imported yet. They are sent again to a restarted engine. */
export interface PendingImports {
  add(paths: readonly string[]): void
  /** The import of this file has ended, successfully or not. */
  done(path: string): void
  /** The engine has opened, so it has started the imports it was sent. */
  engineOpened(): void
  /** The engine ended. Returns the files that are not tried again. */
  engineEnded(): readonly string[]
  all(): readonly string[]
}

export function createPendingImports(): PendingImports {
  /** Number of attempts for each file. */
  const attempts = new Map<string, number>()
  let isOpen = false
  return {
    add(paths) {
      for (const path of paths) attempts.set(path, 0)
    },
    done: (path) => void attempts.delete(path),
    engineOpened: () => void (isOpen = true),
    engineEnded() {
      // Before the engine has opened, it does not read any of them.
      if (!isOpen) return []
      isOpen = false
      const skipped: string[] = []
      for (const [path, count] of attempts) {
        if (count + 1 < maxAttempts) attempts.set(path, count + 1)
        else {
          attempts.delete(path)
          skipped.push(path)
        }
      }
      return skipped
    },
    all: () => [...attempts.keys()],
  }
}
