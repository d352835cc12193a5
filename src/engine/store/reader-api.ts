import type { CallOutput } from '#contract/calls.ts'
import type {
  HeaderCheck,
  Related,
  Trace,
  Diagnosis,
  SavedFilter,
  TypeConformance,
} from '#contract/deliveries.ts'
import type { Run, RunSummary } from '#contract/authorization.ts'
import type { Delivery, DeliverySummary, SignatureReport, StoreStats } from '#contract/models.ts'
import type { ApiExchange, ApiSummary, SavedRequest } from '#contract/api.ts'
import type { CaseResult, Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import type { Draft, DraftSummary } from '#contract/compose.ts'
import type { Attempt, Job, JobItem } from '#contract/sending.ts'
import type { TunnelSpan } from '#contract/tunnel.ts'
import type { AttemptBodyInput, AttemptsInput, AttemptsPage } from '../sending/store/attempts.ts'
import type { JobItemsInput } from '../sending/store/jobs.ts'
import type { ConformanceInput, HeaderChecksQuery } from '../conformance/store.ts'
import type { Search } from '../search/search.ts'
import type { Timelines } from '../search/timeline.ts'
import type { DiagnoseQuery } from '../signature/diagnose/diagnose.ts'
import type { RecheckQuery, Rechecked } from '../signature/recheck-store.ts'
import type { RunsInput, SealedPart } from '../oauth/store.ts'
import type { SuggestInput } from '../search/suggest.ts'

export interface ReaderThreadData {
  readonly storePath: string
}

/** A separate read-only connection, so that a long query delays neither responses nor writes. */
export type ReaderApi = {
  page: Search['page']
  newer: Search['newer']
  idsOf: Search['idsOf']
  touched: Search['touched']
  timeline: Timelines['query']
  since: (input: { after: number; limit: number }) => DeliverySummary[]
  /** In this order. Missing ones are omitted. */
  rows: (ids: readonly number[]) => DeliverySummary[]
  get: (id: number) => Delivery | null
  body: (input: {
    id: number
    offset: number
    length: number
    decoded: boolean
  }) => Promise<{ bytes: Uint8Array; size: number } | null>
  signature: (input: {
    id: number
    secrets: readonly { name: string; secret: string }[]
  }) => SignatureReport | null
  recheck: (input: RecheckQuery) => Rechecked
  /** As it was captured, for an event log. */
  loggedSignature: (id: number) => SignatureReport | null
  headerChecks: (input: HeaderChecksQuery) => HeaderCheck[] | null
  trace: (id: number) => Trace | null
  related: (id: number) => Related | null
  diagnose: (input: DiagnoseQuery) => Promise<Diagnosis | null>
  runs: (input: RunsInput) => RunSummary[]
  run: (id: number) => Run | null
  lastRuns: () => Run[]
  runSecret: (input: { runId: number; name: string }) => Uint8Array | null
  runSecrets: (runId: number) => SealedPart[]
  sqliteVersion: () => string
  stats: () => StoreStats
  perMinute: (input: { nowMs: number; minutes: number }) => number[]
  exchanges: (input: {
    integrationId?: number | undefined
    before?: number | undefined
    limit: number
  }) => ApiSummary[]
  exchange: (id: number) => ApiExchange | null
  exchangeBody: (input: {
    id: number
    offset: number
    length: number
    decoded: boolean
  }) => Promise<{ bytes: Uint8Array; size: number } | null>
  exchangeSecret: (input: {
    id: number
    name: string
  }) => { sealed: Uint8Array | null; endedAt: number } | null
  savedRequests: () => SavedRequest[]
  conformance: (input: ConformanceInput) => Promise<TypeConformance[]>
  savedFilters: () => SavedFilter[]
  suggest: (input: SuggestInput) => string[]
  attempts: (input: AttemptsInput) => AttemptsPage
  attempt: (id: number) => Attempt | null
  attemptBody: (input: AttemptBodyInput) => Promise<{ bytes: Uint8Array; size: number } | null>
  /** Where it was last sent manually. */
  lastUrl: (deliveryId: number) => string | null
  /** Newest first. */
  jobs: () => Job[]
  /** Running, paused or interrupted. */
  openJobs: () => Job[]
  job: (id: number) => Job | null
  jobItems: (input: JobItemsInput) => JobItem[]
  drafts: () => DraftSummary[]
  draft: (id: number) => Draft | null
  /** The newest `limit` spans that end after `since`, oldest first. */
  tunnelSpans: (input: { since: number; limit: number }) => TunnelSpan[]
  /** Newest first. */
  rehearsals: () => Rehearsal[]
  rehearsal: (id: number) => Rehearsal | null
  rehearsalResults: (id: number) => CaseResult[]
  rehearsalRequests: (input: { id: number; caseId: string }) => RehearsalRequest[]
  /** For an event log. */
  logAuthorization: () => CallOutput<'logs.authorization'>
  /** The search index was created again. */
  reopen: () => void
  /** See `createMemoryRelease`. */
  releaseMemory: () => void
  stop: () => void
}
