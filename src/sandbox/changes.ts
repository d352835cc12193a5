import type { Clock } from './clock.ts'

/** Milliseconds between two calls, at least. */
const apart = 100

export interface Changes<T> {
  /** Says that something changed: listeners are told at once, or as soon as they may be. */
  touch(): void
  listen(listener: (state: T) => void): () => void
  close(): void
}

/** Tells listeners of changes at most ten times a second; the last state is always told. */
export function createChanges<T>(clock: Clock, read: () => T): Changes<T> {
  const listeners = new Set<(state: T) => void>()
  let waiting: (() => void) | null = null
  let due = false

  const tell = () => {
    due = false
    waiting = clock.after(apart, () => {
      waiting = null
      if (due) tell()
    })
    const state = read()
    for (const listener of listeners) listener(state)
  }

  return {
    touch() {
      due = true
      if (!waiting) tell()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      waiting?.()
      listeners.clear()
    },
  }
}
