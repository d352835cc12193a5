import type { Timer } from './retry.ts'

export interface Throttle {
  /** Calls `work` immediately, or when the minimum interval has passed. */
  readonly wanted: () => void
  readonly flush: () => void
  /** Stops permanently and discards a pending call. */
  readonly stop: () => void
}

/** Calls `work` on request, at most once in `everyMs`. */
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
