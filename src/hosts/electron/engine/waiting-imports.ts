/** A file during whose import the engine ended so often is not tried again: it may be why. */
const mostTries = 2

/** Event logs that were handed over and are not imported yet. An engine that is started again is handed them again. */
export interface WaitingImports {
  add(paths: readonly string[]): void
  /** Its import has ended, well or not. */
  done(path: string): void
  /** The engine is open, and so began what it was handed. */
  opened(): void
  /** The engine ended. Answers those that are given up. */
  lost(): readonly string[]
  all(): readonly string[]
}

export function waitingImports(): WaitingImports {
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
