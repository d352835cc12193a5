import { reasonOf } from '../../platform/storage-failure.ts'
import type { Indexer } from './indexer.ts'

/**
 * Duration of a transaction before its commit, in milliseconds. The commit, sometimes with a checkpoint, takes about as long again. A call to
 * the writer waits for one transaction at most.
 */
const batchMs = 6
/** Time without new deliveries after which indexing continues without pauses, in milliseconds. */
const quietMs = 30
/**
 * Duration of a batch while deliveries keep arriving, and the interval between two, in milliseconds. Short, because the commit cannot be interrupted:
 * it would delay the responses to more than one in a hundred deliveries.
 */
const busyBatchMs = 2
const busyIntervalMs = 80
/** How long a batch runs without a break while deliveries arrive, in milliseconds: the threads that respond to them wait for the processor. */
const breakEveryMs = 0.3
/** Load of the capture thread (0 to 1) above which nothing is indexed, and the delay before it is checked again, in milliseconds. */
const highLoad = 0.3
const highLoadDelayMs = 100
/** Delay before a failed batch is retried, in milliseconds. */
const retryMs = 5000

export interface IndexSchedulerPorts {
  readonly indexer: Indexer
  /** Load of the capture thread, from 0 to 1. */
  readonly busy: () => number
  /** Whether there are records to ingest. */
  readonly arrived: () => boolean
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  /** Gives way to other threads for a moment. */
  readonly giveWay: () => void
  /** Called after a batch, with the IDs of deliveries that repeat others. */
  readonly advanced: (repeating: readonly number[]) => void
  /** Called when the index cannot be written, with the reason, and with null when it can be written again. */
  readonly failing: (reason: string | null) => void
}

export interface IndexScheduler {
  /** Must be called after deliveries were stored. */
  readonly ingested: () => void
  /**
   * Indexes one batch if the load allows it. Returns the delay before the next call in milliseconds, or null if the index is up to date until
   * more deliveries are stored.
   */
  readonly turn: () => number | null
}

/**
 * Decides when to index stored deliveries. Never while the capture thread is busy. In quiet times, batch after batch, each of which ends as
 * soon as a delivery arrives. While deliveries keep arriving, one batch at an interval, so that the index does not fall behind. Failed batches
 * are retried, since no response waits for the index.
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
