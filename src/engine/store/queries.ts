import { readTrace, readRelated } from '../traces/queries.ts'
import { createSearch } from '../search/search.ts'
import { createTimelines } from '../search/timeline.ts'
import { signaturesOf } from '../signature/received.ts'
import { readConformance, readHeaderChecks } from '../conformance/store.ts'
import { decodeBody } from '../deliveries/decode-body.ts'
import {
  readBody,
  readByIds,
  readDelivery,
  readPerMinute,
  readSince,
  readStats,
} from '../deliveries/store.ts'
import { diagnoseStored } from '../signature/diagnose/diagnose.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import {
  readExchange,
  readExchangeBody,
  readExchangeSecret,
  readHistory,
  readSaved,
} from '../api-console/store.ts'
import { readLogAuthorization } from '../oauth/log-authorization.ts'
import type { ReaderApi } from './reader-api.ts'
import { checkAgain } from '../signature/recheck-store.ts'
import { readLastRuns, readRun, readRuns, readRunSecret, readRunSecrets } from '../oauth/store.ts'
import { readFilters } from '../search/saved-filters-store.ts'
import {
  readAttempt,
  readAttemptBody,
  readAttempts,
  readLastUrl,
} from '../sending/store/attempts.ts'
import {
  readRehearsal,
  readRehearsalRequests,
  readRehearsalResults,
  readRehearsals,
} from '../rehearsal/store.ts'
import { readDraft, readDrafts } from '../sending/store/drafts.ts'
import { readJobItems, readJob, readJobs, readOpenJobs } from '../sending/store/jobs.ts'
import { readSuggestions } from '../search/suggest.ts'
import { readSpans } from '../tunnel/store.ts'
import type { SignatureReport } from '#contract/models.ts'
import { createLogExtrasReader } from '../deliveries/log-extras.ts'
import { signatureReport } from '../signature/report.ts'

export function createQueries(db: Db): Omit<ReaderApi, 'reopen' | 'releaseMemory' | 'stop'> {
  const search = createSearch(db)
  const timelines = createTimelines(db)
  const completeBody = (id: number): Uint8Array | null =>
    readBody(db, id, 0, Number.MAX_SAFE_INTEGER)?.bytes ?? null
  return {
    page: search.page,
    newer: search.newer,
    idsOf: search.idsOf,
    touched: (ids) => {
      search.touched(ids)
      timelines.touched(ids)
    },
    timeline: timelines.query,
    since: ({ after, limit }) => readSince(db, after, limit),
    rows: (ids) => readByIds(db, ids),
    get: (id) => readDelivery(db, id),
    body: async ({ id, offset, length, decoded }) => {
      if (!decoded) return readBody(db, id, offset, length)
      const delivery = readDelivery(db, id)
      const body = completeBody(id)
      if (!delivery || !body) return null
      const plain = await decodeBody(body, delivery.headers)
      return { bytes: plain.subarray(offset, offset + length), size: plain.byteLength }
    },
    signature: ({ id, secrets }) => {
      const delivery = readDelivery(db, id)
      const body = completeBody(id)
      if (!delivery || !body) return null
      return signatureReport({
        body,
        ...signaturesOf(delivery),
        secrets,
        recorded: delivery.verdict,
        bodyWhole: delivery.arrival === 'complete',
      })
    },
    recheck: (input) => checkAgain(db, input),
    loggedSignature: (id) => readLoggedSignature(db, id),
    headerChecks: (input) => readHeaderChecks(db, input),
    trace: (id) => readTrace(db, id),
    related: (id) => readRelated(db, id),
    diagnose: (input) => diagnoseStored(db, input),
    runs: (input) => readRuns(db, input),
    run: (id) => readRun(db, id),
    lastRuns: () => readLastRuns(db),
    runSecret: ({ runId, name }) => readRunSecret(db, runId, name),
    runSecrets: (runId) => readRunSecrets(db, runId),
    sqliteVersion: () =>
      prepare<[], { version: string }>(db, 'SELECT sqlite_version() AS version').get()?.version ??
      '',
    stats: () => readStats(db),
    exchanges: (input) => readHistory(db, input),
    exchange: (id) => readExchange(db, id),
    exchangeBody: (input) => readExchangeBody(db, input),
    exchangeSecret: (input) => readExchangeSecret(db, input),
    savedRequests: () => readSaved(db),
    conformance: (input) => readConformance(db, input),
    savedFilters: () => readFilters(db),
    suggest: (input) => readSuggestions(db, input),
    attempts: (input) => readAttempts(db, input),
    attempt: (id) => readAttempt(db, id),
    attemptBody: (input) => readAttemptBody(db, input),
    lastUrl: (deliveryId) => readLastUrl(db, deliveryId),
    jobs: () => readJobs(db),
    openJobs: () => readOpenJobs(db),
    job: (id) => readJob(db, id),
    jobItems: (input) => readJobItems(db, input),
    drafts: () => readDrafts(db),
    draft: (id) => readDraft(db, id),
    tunnelSpans: (input) => readSpans(db, input),
    logAuthorization: () => readLogAuthorization(db),
    rehearsals: () => readRehearsals(db),
    rehearsal: (id) => readRehearsal(db, id),
    rehearsalResults: (id) => readRehearsalResults(db, id),
    rehearsalRequests: (input) => readRehearsalRequests(db, input),
    perMinute: ({ nowMs, minutes }) => readPerMinute(db, nowMs, minutes),
  }
}

/** The verdict at capture, and whether the log has the body. */
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
