import { throttle } from '#shared/async/throttle.ts'
import type { Clock } from './clock.ts'

const minInterval = 100

export interface Changes<T> {
  /** Calls listeners immediately, or when the minimum interval has passed. */
  touch(): void
  listen(listener: (state: T) => void): () => void
  close(): void
}

/** Notifies listeners at most ten times a second. The latest state is always delivered. */
export function createChanges<T>(clock: Clock, read: () => T): Changes<T> {
  const listeners = new Set<(state: T) => void>()
  const { wanted, stop } = throttle(clock, minInterval, () => {
    const state = read()
    for (const listener of listeners) listener(state)
  })
  return {
    touch: wanted,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      stop()
      listeners.clear()
    },
  }
}
