import type { MessagePort } from 'node:worker_threads'
import type { Run } from '#contract/authorization.ts'
import type { SavedFilter } from '#contract/deliveries.ts'
import type { DeliverySummary, Settings, StoreStats } from '#contract/models.ts'
import type { RedactionRule } from '#contract/logs.ts'
import type { ForwardTarget, ResponseRule } from '#contract/endpoint-rules.ts'
import type { Target } from '#contract/sending.ts'
import type { TunnelSpan } from '#contract/tunnel.ts'
import type { StoredTunnel } from '../tunnel/record.ts'
import type { ForwardFields, RuleFields } from '../endpoints/rules-store.ts'
import type { Annotation, Marks } from '../deliveries/annotations-store.ts'
import type { EndpointFields, StoredEndpoint } from '../endpoints/store.ts'
import type { ExchangeFields, SavedFields } from '../api-console/store.ts'
import type { IntegrationFields, StoredIntegration } from '../integrations/store.ts'
import type { RecheckWrite } from '../signature/recheck-store.ts'
import type { KeepLimits } from '../deliveries/retention.ts'
import type { LogFields } from '../event-logs/writes.ts'
import type { FilterFields } from '../search/saved-filters-store.ts'
import type { StoredToken, TokenFields } from '../tokens/store.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import type { RehearsalRecord } from '../rehearsal/writes.ts'
import type { DraftSummary } from '#contract/compose.ts'
import type { DraftFields } from '../sending/store/drafts.ts'
import type { BackupTarget } from './backup.ts'
import type { RunFields, SealedPart } from '../oauth/store.ts'

export interface WriterThreadData {
  /** To the sender thread (`SendWrites`). */
  readonly sendPort: MessagePort
  /** From the capture thread: `ToWriter` in, `FromWriter` out. */
  readonly capturePort: MessagePort
  /** To the indexer thread: `Removed`. */
  readonly indexerPort: MessagePort
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
  /** It is tried again. */
  | { event: 'retentionFailing'; reason: string }

/** Without what the indexer knows. */
export type WriterStats = Omit<StoreStats, 'indexedId'>

/** One thread makes all writes, since SQLite allows only one writer. */
export type WriterApi = {
  /** Resolves when the store is within the limits. */
  keep: (limits: KeepLimits) => Promise<void>
  /** Copies the rest of the WAL, so that SQLite starts it again: otherwise it would grow while deliveries keep arriving. */
  restartWal: () => void
  pin: (input: { id: number; pinned: boolean }) => void
  recheck: (input: RecheckWrite) => void
  /** Throws `not_found`. */
  annotate: (annotation: Annotation) => void
  /** Throws `name_taken`, `not_found`, `bad_input`. */
  writeFilter: (fields: FilterFields) => SavedFilter
  deleteFilter: (id: number) => void
  /** `changed`: IDs. `full`: how many deliveries have the maximum number of tags. */
  mark: (marks: Marks) => { changed: number[]; full: number }
  /** Counts only deliveries that existed. */
  deleteDeliveries: (ids: readonly number[]) => { deleted: number; stats: WriterStats }
  clear: () => { deleted: number; stats: WriterStats }
  insertEndpoint: (fields: EndpointFields) => number
  updateEndpoint: (input: { id: number; fields: EndpointFields }) => void
  deleteEndpoint: (id: number) => void
  writeSecrets: (input: { id: number; sealed: StoredEndpoint['sealed'] }) => void
  insertIntegration: (fields: IntegrationFields) => number
  updateIntegration: (integration: StoredIntegration) => void
  deleteIntegration: (id: number) => void
  insertToken: (fields: TokenFields) => number
  /** `wipe`: also deletes the old sealed values from the WAL and from the records of runs. */
  updateToken: (input: { token: StoredToken; wipe: boolean }) => void
  deleteToken: (id: number) => void
  insertRun: (run: RunFields) => number
  updateRun: (input: { run: Run; secrets: readonly SealedPart[] }) => void
  /** False: a code with this hash was exchanged before. */
  claimCode: (input: { runId: number; hash: string }) => boolean
  clearRuns: (input: { integrationId: number; upTo: number; except: readonly number[] }) => void
  /** Deletes the oldest if there are too many. */
  insertExchange: (fields: ExchangeFields) => number
  clearExchanges: () => number
  writeSaved: (input: { id: number | null; fields: SavedFields }) => number
  deleteSaved: (id: number) => void
  writeSettings: (settings: Settings) => void
  /** Throws `name_taken`, `not_found`, `bad_input`. */
  writeDraft: (fields: DraftFields) => DraftSummary
  deleteDraft: (id: number) => void
  deleteJob: (id: number) => void
  writeTarget: (target: Target) => void
  insertForward: (fields: ForwardFields) => number
  updateForward: (forward: ForwardTarget) => void
  deleteForward: (id: number) => void
  writeResponses: (input: { endpointId: number; rules: readonly RuleFields[] }) => ResponseRule[]
  /** Null: all endpoints. */
  switchResponsesOff: (endpointId: number | null) => void
  writeRedactionRules: (rules: readonly RedactionRule[]) => void
  writeTunnel: (stored: StoredTunnel) => void
  writeSpan: (span: TunnelSpan) => void
  /** Returns the ID: that of a log with the same content, if there is one. */
  putLog: (fields: LogFields) => number
  deleteLog: (id: number) => void
  /** Deletes the oldest if there are too many. */
  insertRehearsal: (rehearsal: Omit<Rehearsal, 'id'>) => number
  updateRehearsal: (rehearsal: Rehearsal) => void
  recordRehearsalCase: (input: RehearsalRecord) => void
  deleteRehearsal: (id: number) => void
  /** Throws `bad_input`. */
  backUp: (target: BackupTarget) => Promise<void>
  /** See `createMemoryRelease`. */
  releaseMemory: () => void
  stop: () => void
}
