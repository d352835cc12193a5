import type { MessagePort } from 'node:worker_threads'
import type { Run } from '#contract/authorization.ts'
import type { SavedFilter } from '#contract/deliveries.ts'
import type { DeliverySummary, Settings, StoreStats } from '#contract/models.ts'
import type { RedactionRule } from '#contract/logs.ts'
import type { ForwardTarget, ResponseRule } from '#contract/answering.ts'
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
import type { LogFields } from '../event-logs/store.ts'
import type { FilterFields } from '../search/saved-filters-store.ts'
import type { StoredToken, TokenFields } from '../tokens/store.ts'
import type { DraftSummary } from '#contract/compose.ts'
import type { DraftFields } from '../sending/store/drafts.ts'
import type { RunFields, SealedPart } from '../oauth/store.ts'

export interface WriterThreadData {
  /** To the sender thread: `SendWrites`. */
  readonly sendPort: MessagePort
  readonly storePath: string
  readonly journalDir: string
  /** Logical position from which on the journal is not in the store yet. */
  readonly journalFrom: number
  readonly shared: SharedArrayBuffer
  readonly keep: KeepLimits
}

/** What the writer thread says unasked. */
export type WriterEvent =
  | {
      event: 'arrived'
      /** The newest of what came, in order; not all of it under a flood. */
      rows: DeliverySummary[]
      stats: StoreStats
    }
  /** The newest of those whose answer became known after they were stored, or that were found to repeat another; all whose last attempt is another. */
  | { event: 'changed'; rows: DeliverySummary[] }
  | { event: 'removed'; stats: StoreStats }
  /** The search index has come further. */
  | { event: 'indexed'; stats: StoreStats }
  /** The search index cannot be written (null: it can again). Nothing else waits for it. */
  | { event: 'indexFailing'; reason: string | null }
  /** The store cannot be written (null: it can again). What was answered waits in the journal. */
  | { event: 'failing'; reason: string | null }

/** Every write to the store goes through this thread: SQLite has one writer, and so have we. */
export type WriterApi = {
  /** Resolves when all that was answered before this call is in the store. */
  level: () => Promise<void>
  /** Resolves when the store is within the limits. */
  keep: (limits: KeepLimits) => Promise<void>
  pin: (input: { id: number; pinned: boolean }) => DeliverySummary | null
  /** Returns the rows that are still there. */
  recheck: (input: RecheckWrite) => DeliverySummary[]
  /** Throws `not_found`. */
  annotate: (annotation: Annotation) => DeliverySummary
  /** Throws `name_taken`, `not_found`, `bad_input`. */
  writeFilter: (fields: FilterFields) => SavedFilter
  deleteFilter: (id: number) => void
  /** `rows`: those that changed. `full`: how many have as many tags as they can. */
  mark: (marks: Marks) => { rows: DeliverySummary[]; full: number }
  /** Those that are not here are not counted. */
  deleteDeliveries: (ids: readonly number[]) => { deleted: number; stats: StoreStats }
  clear: () => { deleted: number; stats: StoreStats }
  insertEndpoint: (fields: EndpointFields) => number
  updateEndpoint: (input: { id: number; fields: EndpointFields }) => void
  deleteEndpoint: (id: number) => void
  writeSecrets: (input: { id: number; sealed: StoredEndpoint['sealed'] }) => void
  insertIntegration: (fields: IntegrationFields) => number
  updateIntegration: (integration: StoredIntegration) => void
  deleteIntegration: (id: number) => void
  insertToken: (fields: TokenFields) => number
  /** With `wipe` what it had sealed before is gone from the WAL and from the records of runs as well. */
  updateToken: (input: { token: StoredToken; wipe: boolean }) => void
  deleteToken: (id: number) => void
  insertRun: (run: RunFields) => number
  updateRun: (input: { run: Run; secrets: readonly SealedPart[] }) => void
  /** False when a code with this hash has been exchanged before. */
  claimCode: (input: { runId: number; hash: string }) => boolean
  clearRuns: (input: { integrationId: number; upTo: number; except: readonly number[] }) => void
  /** Makes room among the oldest. */
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
  /** The rules of an endpoint, in place of those before. */
  writeResponses: (input: { endpointId: number; rules: readonly RuleFields[] }) => ResponseRule[]
  /** Null: of all endpoints. */
  switchResponsesOff: (endpointId: number | null) => void
  /** In place of those before. */
  writeRedactionRules: (rules: readonly RedactionRule[]) => void
  writeTunnel: (stored: StoredTunnel) => void
  /** A stretch of the tunnel's history, or how it has gone on. */
  writeSpan: (span: TunnelSpan) => void
  /** In the place of one with the same content, whose number it keeps. Returns its number. */
  putLog: (fields: LogFields) => number
  deleteLog: (id: number) => void
  /** Takes in what is left and closes the store. */
  stop: () => Promise<void>
}
