import type { Clock } from '../clock.ts'

/** In milliseconds. */
const tickEvery = 2000
const networkEvery = 5000

export interface LookOutParts {
  readonly clock: Clock
  /** Another text when the machine has other addresses. */
  readonly network: () => string
  readonly tick: () => void
  readonly networkChanged: () => void
}

/** Looks whether the computer has joined another network. Returns the end of it. */
export function lookOut({ clock, network, tick, networkChanged }: LookOutParts): () => void {
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
    repeat(tickEvery, tick),
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
