import type { Clock } from './clock.ts'

/** In milliseconds. */
const tickEvery = 2000
/** A tick that comes so much too late comes from a computer that was asleep. */
const asleepAfter = 10_000
/** What is heard so soon after one sleep is the same one, heard in the other way. */
const sameSleepWithin = 10_000

/** Knows when the computer has slept, in two ways: the host hears it from the system, or the clock has moved on without us. */
export interface SleepWatch {
  /** The host has heard it. */
  woke(): void
  end(): void
}

/** `slept` is told once for each sleep, with its beginning and end in milliseconds since the epoch, right to two seconds. */
export function watchSleep(clock: Clock, slept: (from: number, to: number) => void): SleepWatch {
  let last = clock.now()
  let told = -Infinity
  let callOff: (() => void) | null = null

  const look = (least: number): void => {
    const now = clock.now()
    // A clock that was set back is no sleep.
    const from = Math.min(last, now)
    const asleep = now - from
    last = now
    if (asleep < least) return
    if (asleep < sameSleepWithin && Math.abs(now - told) < sameSleepWithin) return
    told = now
    slept(from, now)
  }
  const plan = (): void => {
    callOff = clock.after(tickEvery, () => {
      plan()
      look(tickEvery + asleepAfter + 1)
    })
  }
  plan()
  return {
    woke: () => look(0),
    end: () => callOff?.(),
  }
}
