import type { Clock } from '../../clock.ts'
import { mayPass } from '../store-trouble.ts'

/** After a failed write the next try comes this much later, in milliseconds. */
const retryMs = 500

export interface Retrying {
  /** Does the work until it succeeds; rejects with a failure that will not pass by itself, and with any once it has ended. */
  insist<T>(work: () => Promise<T>): Promise<T>
  end(): void
}

/** For writes while the store cannot be written: a disk that is full has room again some time. */
export function createRetry(clock: Clock): Retrying {
  let ended = false
  const waiting = new Set<() => void>()
  return {
    insist: async (work) => {
      for (;;) {
        try {
          return await work()
        } catch (error) {
          if (ended || !mayPass(error)) throw error
        }
        await new Promise<void>((resolve) => {
          const goOn = (): void => {
            callOff()
            waiting.delete(goOn)
            resolve()
          }
          const callOff = clock.after(retryMs, goOn)
          waiting.add(goOn)
        })
      }
    },
    end: () => {
      ended = true
      for (const goOn of waiting) goOn()
    },
  }
}
