import { reasonOf } from '../../platform/storage-failure.ts'
import type { Indexer } from './indexer.ts'

/** Before its commit, which takes about as long again. A call to the writer waits for one transaction at most. */
const batchMs = 6
/** Without new deliveries for this long, indexing continues without pauses. */
const quietMs = 30
/** While deliveries keep arriving. Short, because a commit cannot be interrupted and would delay more than one in a hundred responses. */
const busyBatchMs = 2
const busyIntervalMs = 80
/** Threads that respond to deliveries wait for the processor. */
const breakEveryMs = 0.3
/** Load of the capture thread (0 to 1) above which nothing is indexed. */
const highLoad = 0.3
const highLoadDelayMs = 100
const retryMs = 5000

export interface IndexSchedulerPorts {
  readonly indexer: Indexer
  readonly busy: () => number
  readonly arrived: () => boolean
  readonly now: () => number
  readonly giveWay: () => void
  /** `repeating`: deliveries of the batch that repeat others. */
  readonly advanced: (repeating: readonly number[]) => void
  /** Null: the index can be written again. */
  readonly failing: (reason: string | null) => void
}

export interface IndexScheduler {
  readonly ingested: () => void
  /** Returns the delay before the next call in milliseconds, or null if the index is up to date until more deliveries are stored. */
  readonly turn: () => number | null
}

/**
 * Never indexes while the capture thread is busy. Otherwise batch after batch, each of which ends as soon as a delivery arrives; while deliveries keep
 * arriving, one batch at an interval, so that the index does not fall behind.
 */
export function createIndexScheduler(ports: IndexSchedulerPorts): IndexScheduler {
  const { indexer, now } = ports
  let ingestedAt = Number.NEGATIVE_INFINITY
  let batchAt = Number.NEGATIVE_INFINITY
  let retryAt = Number.NEGATIVE_INFINITY
  let failing = false

  const batch = (startedAt: number, isQuiet: boolean): void => {
    let resumedAt = startedAt
    const enough = (): boolean => {
      if (isQuiet) return now() - startedAt >= batchMs || ports.arrived()
      if (now() - resumedAt >= breakEveryMs) {
        ports.giveWay()
        resumedAt = now()
      }
      return now() - startedAt >= busyBatchMs
    }
    try {
      ports.advanced(indexer.step(enough))
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
    ingested: () => {
      ingestedAt = now()
    },
    turn: () => {
      if (indexer.isUpToDate()) return null
      const at = now()
      if (at < retryAt) return retryAt - at
      if (ports.busy() > highLoad) return highLoadDelayMs
      const quiet = ingestedAt + quietMs - at
      const due = batchAt + busyIntervalMs - at
      if (quiet > 0 && due > 0) return Math.min(quiet, due)
      batch(at, quiet <= 0)
      return 0
    },
  }
}
