import type { Clock } from '../clock.ts'

/** In milliseconds. */
const tickEvery = 2000
const networkEvery = 5000
/** A tick that comes so much too late comes from a computer that was asleep. */
const asleepAfter = 10_000

export interface LookOutParts {
  readonly clock: Clock
  /** Another text when the machine has other addresses. */
  readonly network: () => string
  readonly tick: () => void
  /** The computer was asleep from the last tick until now, both in milliseconds since the epoch. */
  readonly woke: (from: number, to: number) => void
  readonly networkChanged: () => void
}

/** Looks whether the computer has slept, by a clock that has moved on without us, and whether it has joined another network. Returns the end of it. */
export function lookOut({ clock, network, tick, woke, networkChanged }: LookOutParts): () => void {
  let last = clock.now()
  let addresses = network()
  const repeat = (ms: number, work: () => void): (() => void) => {
    let callOff: (() => void) | null = null
    const plan = (): void => {
      callOff = clock.after(ms, () => {
        plan()
        work()
      })
    }
    plan()
    return () => callOff?.()
  }
  const ends = [
    repeat(tickEvery, () => {
      const from = last
      last = clock.now()
      if (last - from > tickEvery + asleepAfter) woke(from, last)
      tick()
    }),
    repeat(networkEvery, () => {
      const now = network()
      if (now === addresses) return
      addresses = now
      networkChanged()
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
