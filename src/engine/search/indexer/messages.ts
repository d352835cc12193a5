import type { MessagePort } from 'node:worker_threads'
import type { AlertCheck } from '../../deliveries/health/alerts.ts'
import type { Removed } from '../../deliveries/retention.ts'

export interface IndexerThreadData {
  readonly storePath: string
  readonly searchPath: string
  /** From the writer: `ToIndexer`; to it: `Observed`. */
  readonly writerPort: MessagePort
  readonly shared: SharedArrayBuffer
}

/** `reload`: the observer continues from what is stored. */
export type ToIndexer = Removed | 'reload'

export type IndexerEvent =
  /** `repeating`: deliveries that repeat others, the newest if they are many. */
  | { event: 'indexed'; indexedId: number; repeating: number[] }
  /** Null: the index can be written again. This delays nothing else. */
  | { event: 'failing'; reason: string | null }
  /** The WAL of the store is long, and the writer must copy the rest of it. */
  | { event: 'walLong' }
  /** The file of the index was damaged and created again. Other connections to it must be opened again. */
  | { event: 'recreated' }

export type IndexerApi = {
  /** Once a minute: the reader may rest. */
  alertFacts: AlertCheck
  releaseMemory: () => void
  /** Builds the index again if it is damaged. Returns whether it is. */
  repair: () => boolean
  stop: () => Promise<void>
}
