import type { AlertCheck } from '../../deliveries/health/alerts.ts'
import type { Observed } from '../../deliveries/health/observed.ts'
import type { Removed } from '../../deliveries/retention.ts'

export interface IndexerThreadData {
  readonly storePath: string
  readonly searchPath: string
  readonly shared: SharedArrayBuffer
}

export type IndexerEvent =
  /** `repeating`: deliveries that repeat others, the newest if they are many. */
  | { event: 'indexed'; indexedId: number; repeating: number[] }
  /** Null: the index can be written again. This delays nothing else. */
  | { event: 'failing'; reason: string | null }
  | { event: 'observed'; observed: Observed }
  /** The WAL of the store is long, and the writer must copy the rest of it. */
  | { event: 'walLong' }
  /** The file of the index was damaged and created again. Other connections to it must be opened again. */
  | { event: 'recreated' }

export type IndexerApi = {
  alertFacts: AlertCheck
  releaseMemory: () => void
  /** Builds the index again if it is damaged. Returns whether it is. */
  repair: () => boolean
  remove: (removed: Removed) => void
  /** The observer continues from what is stored. */
  reload: () => void
  stop: () => Promise<void>
}
