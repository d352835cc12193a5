import { readTrace, readRelated } from '../../search/traces/queries.ts'
import { createSearch } from '../../search/search.ts'
import { createGroups } from '../../search/groups.ts'
import { signaturesOf } from '../../payload/signature/verify.ts'
import { readPayloadFields } from '../../deliveries/health/observed.ts'
import { readConformance, readHeaderChecks } from '../../deliveries/conformance-store.ts'
import { decodeBody } from '../../payload/decode-body.ts'
import {
  readBody,
  readByIds,
  readDelivery,
  readActivity,
  readPerMinute,
  readSince,
  readStats,
} from '../../deliveries/store.ts'
import { diagnoseStored, findSecret } from '../../diagnosis/diagnose.ts'
import { type Db, prepare, withDb } from '../../platform/sqlite.ts'
import {
  readExchange,
  readExchangeBody,
  readExchangeSecret,
  readHistory,
  readSaved,
} from '../../authorization/api-console/store.ts'
import { readLogAuthorization } from '../../authorization/oauth/log-authorization.ts'
import { checkAgain, readProvenSecret, readUndiagnosed } from '../../diagnosis/recheck-store.ts'
import { readLastRuns, readRun, readRuns, readRunSecret } from '../../authorization/oauth/store.ts'
import { readObserved } from '../../handlers/generate/read-observed.ts'
import { readOverview } from '../../deliveries/health/overview.ts'
import { readHealthState } from '../../deliveries/health/store.ts'
import { readFailures } from '../../sending/scripts/store.ts'
import { readFilters } from '../../search/saved-filters-store.ts'
import {
  readAttempt,
  readAttemptBody,
  readAttempts,
  readLastUrl,
} from '../../sending/store/attempts.ts'
import {
  readRehearsal,
  readRehearsalRequests,
  readRehearsalResults,
  readRehearsals,
} from '../../event-logs/rehearsal-store.ts'
import { readScenarioDeliveries } from '../../event-logs/scenarios/store.ts'
import { readDraft, readDrafts } from '../../sending/store/drafts.ts'
import { readJobItems, readJob, readJobs, readOpenJobs } from '../../sending/store/jobs.ts'
import { readCoverage } from '../../deliveries/health/coverage.ts'
import { readRelayFacts, readRelayedIds } from '../../deliveries/relay-store.ts'
import { readSuggestions } from '../../search/suggest.ts'
import type { SignatureReport } from '#contract/models.ts'
import { createLogExtrasReader } from '../../deliveries/log-extras.ts'
import { signatureReport } from '../../diagnosis/report.ts'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import { parsePath, valueAtPath } from '#shared/json/path.ts'
import { searchedBytes, searchedText } from '../../deliveries/searchable.ts'
import { readJson } from '../../payload/parse-body.ts'

const queries = {
  /** In this order. Missing ones are omitted. */
  rows: readByIds,
  get: readDelivery,
  recheck: checkAgain,
  /** As it was captured, for an event log. */
  loggedSignature: readLoggedSignature,
  headerChecks: readHeaderChecks,
  trace: readTrace,
  related: readRelated,
  diagnose: diagnoseStored,
  findSecret,
  provenSecret: readProvenSecret,
  undiagnosed: readUndiagnosed,
  runs: readRuns,
  run: readRun,
  lastRuns: readLastRuns,
  stats: readStats,
  exchanges: readHistory,
  exchange: readExchange,
  exchangeBody: readExchangeBody,
  exchangeSecret: readExchangeSecret,
  savedRequests: readSaved,
  conformance: readConformance,
  payloadFields: readPayloadFields,
  savedFilters: readFilters,
  bodyValues: readBodyValues,
  suggest: readSuggestions,
  attempts: readAttempts,
  attempt: readAttempt,
  attemptBody: readAttemptBody,
  /** Where it was last sent manually. */
  lastUrl: readLastUrl,
  /** Newest first. */
  jobs: readJobs,
  /** Running, paused or interrupted. */
  openJobs: readOpenJobs,
  job: readJob,
  jobItems: readJobItems,
  drafts: readDrafts,
  draft: readDraft,
  logAuthorization: readLogAuthorization,
  coverage: readCoverage,
  observed: readObserved,
  relayFacts: readRelayFacts,
  relayedIds: readRelayedIds,
  /** Newest first. */
  overview: readOverview,
  healthState: readHealthState,
  rehearsals: readRehearsals,
  rehearsal: readRehearsal,
  rehearsalResults: readRehearsalResults,
  rehearsalRequests: readRehearsalRequests,
  /** Of the log of a scenario. */
  scenarioDeliveries: readScenarioDeliveries,
}

/** A separate read-only connection, so that a long query delays neither responses nor writes. */
export type ReaderApi = ReturnType<typeof createQueries> & {
  /** The search index was created again. */
  reopen: () => void
  /** See `createMemoryRelease`. */
  releaseMemory: () => void
  stop: () => void
}

export function createQueries(db: Db) {
  const search = createSearch(db)
  const groups = createGroups(db)
  const completeBody = (id: number): Uint8Array | null =>
    readBody(db, id, 0, Number.MAX_SAFE_INTEGER)?.bytes ?? null
  return {
    ...withDb(db, queries),
    page: search.page,
    newer: search.newer,
    idsOf: search.idsOf,
    touched: (ids: readonly number[]): void => {
      search.touched(ids)
      groups.touched(ids)
    },
    groups: groups.query,
    since: ({ after, limit }: { after: number; limit: number }) => readSince(db, after, limit),
    body: ({ id, offset, length, decoded }: BodyInput): BodyPart | null => {
      if (!decoded) return readBody(db, id, offset, length)
      const delivery = readDelivery(db, id)
      const body = completeBody(id)
      if (!delivery || !body) return null
      const plain = decodeBody(body, delivery.headers)
      return { bytes: plain.subarray(offset, offset + length), size: plain.byteLength }
    },
    signature: ({ id, secrets, brand }: SignatureInput): SignatureReport | null => {
      const delivery = readDelivery(db, id)
      const body = completeBody(id)
      if (!delivery || !body) return null
      return signatureReport({
        body,
        ...signaturesOf(delivery, brand),
        secrets,
        recorded: delivery.verdict,
        bodyWhole: delivery.arrival === 'complete',
      })
    },
    runSecret: ({ runId, name }: { runId: number; name: string }) => readRunSecret(db, runId, name),
    sqliteVersion: () =>
      prepare<[], { version: string }>(db, 'SELECT sqlite_version() AS version').get()?.version ??
      '',
    scriptFailures: (scripts: Parameters<typeof readFailures>[1]) => readFailures(db, scripts),
    perMinute: ({ nowMs, minutes }: { nowMs: number; minutes: number }) =>
      readPerMinute(db, nowMs, minutes),
    activity: ({ endpointIds, nowMs }: { endpointIds: readonly number[]; nowMs: number }) =>
      readActivity(db, endpointIds, nowMs),
  }
}

interface BodyInput {
  readonly id: number
  readonly offset: number
  readonly length: number
  readonly decoded: boolean
}

interface BodyPart {
  readonly bytes: Uint8Array
  readonly size: number
}

interface SignatureInput {
  readonly id: number
  readonly secrets: readonly { name: string; secret: string }[]
  /** The current one of the integration; undefined: the endpoint was deleted. */
  readonly brand: string | undefined
}

function readLoggedSignature(db: Db, id: number): SignatureReport | null {
  const delivery = readDelivery(db, id)
  if (!delivery) return null
  const logged = createLogExtrasReader(db)(id)
  return {
    verdict: delivery.verdict,
    ...signaturesOf(delivery),
    computed: [],
    bytes: delivery.bytes,
    steps: [],
    changedSince: false,
    ofLog: { bodyRedacted: logged?.bodyRedacted ?? false, omitted: logged?.omitted ?? null },
  }
}

interface ContentRow {
  readonly headers: string
  readonly body: Uint8Array
}

/** For columns of the list, after decoding `Content-Encoding`. Null for a path that is not valid. */
function readBodyValues(
  db: Db,
  { ids, paths }: Pick<CallInput<'deliveries.values'>, 'ids' | 'paths'>,
): CallOutput<'deliveries.values'> {
  const steps = paths.map(parsePath)
  const read = prepare<[{ id: number; most: number }], ContentRow>(
    db,
    'SELECT headers, body FROM delivery_content WHERE id = $id AND length(body) <= $most',
  )
  return ids.flatMap((id) => {
    const content = read.get({ id, most: searchedBytes })
    if (!content) return []
    const { bytes } = searchedText({ ...content, trailers: '', size: content.body.byteLength })
    const body = bytes === null ? undefined : readJson(bytes)
    return [{ id, values: steps.map((path) => path && valueAtPath(body, path)) }]
  })
}
