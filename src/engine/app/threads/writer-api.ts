import type { MessagePort } from 'node:worker_threads'
import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import type { Observed } from '../../deliveries/health/observed.ts'
import type { KeepLimits, Removed } from '../../deliveries/retention.ts'
import type { BackupTarget } from '../../platform/store/backup.ts'
import type { Writes } from './writes.ts'

export interface WriterThreadData {
  /** To the sender thread (`SendWrites`). */
  readonly sendPort: MessagePort
  /** From the capture thread: `ToWriter` in, `FromWriter` out. */
  readonly capturePort: MessagePort
  /** From the relay thread: `RelayedGroup` in, `RelayedReply` out. */
  readonly relayPort: MessagePort
  readonly storePath: string
  readonly shared: SharedArrayBuffer
  readonly keep: KeepLimits
}

export type WriterEvent =
  | {
      event: 'arrived'
      /** In order. Older ones are omitted under high load. */
      rows: DeliverySummary[]
      stats: WriterStats
    }
  /** Those with a late response or a new last attempt. */
  | { event: 'changed'; ids: number[] }
  | { event: 'removed'; stats: WriterStats }
  | { event: 'deleted'; removed: Removed }
  /** It is tried again. */
  | { event: 'retentionFailing'; reason: string }

/** Without what the indexer knows. */
export type WriterStats = Omit<StoreStats, 'indexedId'>

/** One thread makes all writes, since SQLite allows only one writer. */
export type WriterApi = Writes & {
  /** Resolves when the store is within the limits. */
  keep: (limits: KeepLimits) => Promise<void>
  /** Copies the rest of the WAL, so that SQLite starts it again: otherwise it would grow while deliveries keep arriving. */
  restartWal: () => void
  /** Counts only deliveries that existed. */
  deleteDeliveries: (ids: readonly number[]) => { deleted: number; stats: WriterStats }
  clear: () => { deleted: number; stats: WriterStats }
  /** Returns false if it does not continue what is stored. */
  storeObserved: (observed: Observed) => boolean
  /** Throws `bad_input`. */
  backUp: (target: BackupTarget) => Promise<void>
  /** See `createMemoryRelease`. */
  releaseMemory: () => void
  stop: () => void
}
