import type { Clock } from '#engine/platform/clock.ts'

/** Every wait is over at once, and takes as long as it should. */
export function instantClock(): Clock {
  let now = 0
  return {
    now: () => now,
    after: (ms, callback) => {
      now += ms
      queueMicrotask(callback)
      return () => undefined
    },
  }
}
