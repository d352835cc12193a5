import type { Clock } from './clock.ts'

export interface Throttle {
  /** There is something to do: at once, or as soon as the last time is long enough ago. */
  wanted(): void
  /** Does at once what is wanted and has not been done yet. */
  flush(): void
}

/** Calls `work` when it is wanted, but at most once in `everyMs` milliseconds. */
export function throttle(clock: Clock, everyMs: number, work: () => void): Throttle {
  let last = Number.NEGATIVE_INFINITY
  let callOff: (() => void) | null = null
  const run = (): void => {
    callOff?.()
    callOff = null
    last = clock.now()
    work()
  }
  return {
    wanted: () => {
      // What follows in the same turn goes along.
      callOff ??= clock.after(Math.max(0, last + everyMs - clock.now()), run)
    },
    flush: () => {
      if (callOff) run()
    },
  }
}
