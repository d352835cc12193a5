import type { Timer } from './retry.ts'

export interface Throttle {
  /** There is something to do: at once, or as soon as the last time is long enough ago. */
  readonly wanted: () => void
  /** Does at once what is wanted and has not been done yet. */
  readonly flush: () => void
  /** From now on nothing is done, also not what was wanted before. */
  readonly stop: () => void
}

/** Calls `work` when it is wanted, but at most once in `everyMs` milliseconds. */
export function throttle(
  clock: Timer & { now(): number },
  everyMs: number,
  work: () => void,
): Throttle {
  let last = Number.NEGATIVE_INFINITY
  let callOff: (() => void) | null = null
  let stopped = false
  const run = (): void => {
    callOff?.()
    callOff = null
    last = clock.now()
    work()
  }
  return {
    wanted: () => {
      if (stopped) return
      // What follows in the same turn goes along.
      callOff ??= clock.after(Math.max(0, last + everyMs - clock.now()), run)
    },
    flush: () => {
      if (callOff) run()
    },
    stop: () => {
      stopped = true
      callOff?.()
      callOff = null
    },
  }
}
