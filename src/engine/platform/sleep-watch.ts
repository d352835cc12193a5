import type { Clock } from './clock.ts'

const tickMs = 2000
/** If a tick is later than this, the computer was asleep. */
const asleepAfterMs = 10_000
/** Two reports within this time are about the same sleep. */
const sameSleepMs = 10_000

/** Either the host reports sleep, or the clock jumped ahead. */
export type SleepWatch = ReturnType<typeof watchSleep>

/** Calls `slept` once for each sleep, in milliseconds since the epoch, accurate to two seconds. */
export function watchSleep(clock: Clock, slept: (from: number, to: number) => void) {
  let last = clock.now()
  let reportedAt = -Infinity
  let cancel: (() => void) | null = null

  const check = (minimum: number): void => {
    const now = clock.now()
    // A clock that was set back is not a sleep.
    const from = Math.min(last, now)
    const asleep = now - from
    last = now
    if (asleep < minimum) return
    if (asleep < sameSleepMs && Math.abs(now - reportedAt) < sameSleepMs) return
    reportedAt = now
    slept(from, now)
  }
  const schedule = (): void => {
    cancel = clock.after(tickMs, () => {
      schedule()
      check(tickMs + asleepAfterMs + 1)
    })
  }
  schedule()
  return {
    /** Call when the host reports that the computer woke up. */
    woke: () => check(0),
    end: () => cancel?.(),
  }
}
