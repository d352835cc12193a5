import { reasonOf } from '../../platform/storage-failure.ts'
import type { Indexer } from './indexer.ts'

/**
 * A transaction takes so long before its commit, in milliseconds; the commit, with a checkpoint now and then, about as long again.
 * Whoever calls the writer waits for one of them at most.
 */
const batchMs = 6
/** After the last arrival it is quiet when so long nothing came, in milliseconds. */
const quietMs = 30
/** While deliveries keep arriving one batch is done each time so long has passed, in milliseconds. */
const everyMs = 250
/** Above this share of the capture thread's time nothing is indexed; so much later, in milliseconds, it is looked at again. */
const crowded = 0.3
const standBackMs = 100
/** After a failure the next try comes this much later, in milliseconds. */
const retryMs = 5000

export interface BehindPorts {
  readonly indexer: Indexer
  /** Share of its time that the capture thread is at work. */
  readonly busy: () => number
  /** Whether there is something to take in. */
  readonly arrived: () => boolean
  /** Milliseconds, from any beginning. */
  readonly now: () => number
  /** Ids of deliveries that were found to repeat others. */
  readonly moved: (repeating: readonly number[]) => void
  /** The index cannot be written (null: it can again). */
  readonly failing: (reason: string | null) => void
}

export interface Behind {
  /** Something was taken in. */
  readonly took: () => void
  /**
   * Does one batch where it may. Returns after how many milliseconds to ask again: 0 at once, null: there is nothing to do until something
   * is taken in.
   */
  readonly turn: () => number | null
}

/**
 * When the search index goes on: strictly behind. Never while the capture thread is busy; in quiet times one batch after the other, each
 * of which ends as soon as something arrives; and while deliveries keep arriving, a batch now and then, so that it follows all the same.
 * What fails is tried again later, since nothing that was answered waits for it.
 */
export function createBehind(ports: BehindPorts): Behind {
  const { indexer, now } = ports
  let tookAt = Number.NEGATIVE_INFINITY
  let batchAt = Number.NEGATIVE_INFINITY
  let retryAt = Number.NEGATIVE_INFINITY
  let failing = false

  const batch = (begun: number, yields: boolean): void => {
    try {
      const enough = (): boolean => now() - begun >= batchMs || (yields && ports.arrived())
      ports.moved(indexer.step(enough))
      if (failing) ports.failing(null)
      failing = false
    } catch (error) {
      if (!failing) ports.failing(reasonOf(error))
      failing = true
      retryAt = now() + retryMs
    }
    batchAt = now()
  }

  return {
    took: () => {
      tookAt = now()
    },
    turn: () => {
      if (indexer.level()) return null
      const at = now()
      if (at < retryAt) return retryAt - at
      if (ports.busy() > crowded) return standBackMs
      const quiet = tookAt + quietMs - at
      const due = batchAt + everyMs - at
      if (quiet > 0 && due > 0) return Math.min(quiet, due)
      batch(at, quiet <= 0)
      return 0
    },
  }
}
