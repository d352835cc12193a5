import { unlinkSync } from 'node:fs'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { arrivedAtMost } from '#contract/constants.ts'
import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import { listSegments, type JournalRecord } from '../capture/journal-format.ts'
import { JournalReader } from '../capture/journal-reader.ts'
import { Progress } from '../capture/progress.ts'
import { AppError } from '../platform/errors.ts'
import { reasonOf, watchFile } from '../platform/storage-failure.ts'
import { lowerPriority, yieldProcessor } from '../platform/thread-scheduling.ts'
import { releaseMemoryOf } from '../platform/release-memory.ts'
import { serveApi } from '../platform/rpc.ts'
import { createChangedRows } from '../deliveries/changed-rows.ts'
import { readByIds } from '../deliveries/store.ts'
import {
  checkpoint,
  emptyWal,
  openWriter,
  prepare,
  relyOnJournal,
  wiping,
  type Db,
} from '../platform/sqlite.ts'
import { createIndexScheduler } from '../search/indexer/index-scheduler.ts'
import { createIndexer } from '../search/indexer/indexer.ts'
import { createIngest, type Ingested } from '../deliveries/ingest.ts'
import { createRetention } from '../deliveries/retention.ts'
import { createSendWrites } from '../sending/store/send-writes.ts'
import {
  backlogShare,
  batchBytes,
  intervalAfter,
  isCheckpointDue,
  nextBatch,
  pauseAfter,
} from './writer-pace.ts'
import type { WriterApi, WriterEvent, WriterThreadData } from './writer-api.ts'
import { annotate, markSeveral } from '../deliveries/annotations-store.ts'
import {
  deleteForward,
  insertForward,
  switchResponsesOff,
  updateForward,
  writeResponses,
  writeTarget,
} from '../endpoints/rules-store.ts'
import { deleteEndpoint, insertEndpoint, updateEndpoint, writeSecrets } from '../endpoints/store.ts'
import {
  deleteRehearsal,
  insertRehearsal,
  recordRehearsalCase,
  updateRehearsal,
} from '../rehearsal/writes.ts'
import { deleteLog, putLog, writeRedactionRules } from '../event-logs/writes.ts'
import { clearExchanges, insertExchange, deleteSaved, writeSaved } from '../api-console/store.ts'
import { deleteIntegration, insertIntegration, updateIntegration } from '../integrations/store.ts'
import { claimCode, clearRuns, insertRun, updateRun } from '../oauth/store.ts'
import { writeRechecks } from '../signature/recheck-store.ts'
import { deleteFilter, writeFilter } from '../search/saved-filters-store.ts'
import { deleteDraft, writeDraft } from '../sending/store/drafts.ts'
import { deleteJob } from '../sending/store/jobs.ts'
import { writeSettings } from '../settings/writes.ts'
import { deleteToken, insertToken, updateToken } from '../tokens/store.ts'
import { writeSpan, writeTunnel } from '../tunnel/store.ts'

/** A larger group is stored without waiting for its responses, to limit memory. */
const groupBytes = 64 * 1024 * 1024
/** By then, the capture thread has closed an idle file of the journal. */
const idleJournalMs = 6000
/** Of one transaction: more than the list shows at a time. */
const changedAtMost = 1000
/** The second while more deliveries wait: each push costs every thread and page behind it. */
const pushEveryMs = 4
const floodPushEveryMs = 100
const indexedEveryMs = 250
const retryMs = 500
/** New deliveries end the pause. */
const compactPauseMs = 5

/** Ingests the journal right after the responses are sent, and makes all other writes. */
function run(port: MessagePort, data: WriterThreadData): void {
  lowerPriority(5)
  const db = openWriter(data.storePath)
  const assertNotReplaced = watchFile(data.storePath)
  const journaled = relyOnJournal(db)
  const durably = <T>(work: () => T): T => {
    assertNotReplaced()
    return journaled.durably(work)
  }
  const ingest = createIngest(db)
  const indexer = createIndexer(db, ingest)
  const retention = createRetention(db, ingest, indexer)
  const progress = new Progress(data.shared)
  let reader = new JournalReader(data.journalDir, data.journalFrom)
  let limits = data.keep
  let stopping = false
  let failing: string | null = null
  progress.storedId = ingest.tally().lastId
  let batch: number = batchBytes.min
  /** See `backlogShare`. */
  let backlog = 0

  let checkpointAt = 0
  let storedSince = 0

  let unpushed: DeliverySummary[] = []
  let pushAt = 0
  let pushTimer: NodeJS.Timeout | null = null

  const stats = (): StoreStats => {
    const { deliveries, bytes, lastId } = ingest.tally()
    return {
      deliveries,
      bytes,
      newestId: lastId,
      behind: Math.max(0, progress.lastId - lastId),
      indexedId: indexer.indexedId(),
    }
  }
  const send = (event: WriterEvent): void => port.postMessage(event)
  const push = (): void => {
    pushTimer = null
    const isBehind = progress.position > reader.position
    pushAt = performance.now() + (isBehind ? floodPushEveryMs : pushEveryMs)
    const rows = unpushed
    unpushed = []
    send({ event: 'arrived', rows, stats: stats() })
  }
  const schedulePush = (): void => {
    if (pushTimer) return
    const wait = pushAt - performance.now()
    if (wait <= 0) push()
    else pushTimer = setTimeout(push, wait)
  }

  let indexedTimer: NodeJS.Timeout | null = null
  let indexedAt = Number.NEGATIVE_INFINITY
  const pushIndexed = (): void => {
    indexedTimer ??= setTimeout(
      () => {
        indexedTimer = null
        indexedAt = performance.now()
        send({ event: 'indexed', stats: stats() })
      },
      Math.max(0, indexedAt + indexedEveryMs - performance.now()),
    )
  }
  /** Otherwise the interface would receive a pending row in its old state after its change. */
  const pushChanged = (rows: readonly DeliverySummary[]): void => {
    if (rows.length === 0) return
    const changed = new Map(rows.map((row) => [row.id, row]))
    unpushed = unpushed.map((row) => changed.get(row.id) ?? row)
    const newest = rows.slice(-changedAtMost)
    for (let from = 0; from < newest.length; from += arrivedAtMost) {
      send({ event: 'changed', rows: newest.slice(from, from + arrivedAtMost) })
    }
  }
  const sent = createChangedRows((ids) => readByIds(db, ids), pushChanged)
  const indexing = createIndexScheduler({
    indexer,
    busy: () => progress.busy,
    arrived: () => stopping || progress.position > reader.position,
    now: () => performance.now(),
    giveWay: yieldProcessor,
    advanced: (repeating) => {
      pushChanged(readByIds(db, repeating))
      pushIndexed()
    },
    failing: (reason) => send({ event: 'indexFailing', reason }),
  })

  /** After a failure, the records are read again: the journal keeps them until they are stored. */
  const ingestOrRewind = (
    records: readonly JournalRecord[],
    position: number,
    from: number,
  ): Ingested => {
    try {
      assertNotReplaced()
      return ingest.take(records, position)
    } catch (error) {
      reader.close()
      reader = new JournalReader(data.journalDir, from)
      throw error
    }
  }

  const makeIngestedDurable = (): void => durably(() => ingest.forget(0, 0))
  // What an earlier process ingested is deleted, too.
  let idleJournalAt = performance.now() + idleJournalMs

  /** One transaction. Returns false if there are no records. */
  const ingestNext = (): boolean => {
    const from = reader.position
    const upTo = progress.position
    if (upTo <= from) return false
    // Before reading: if the folder was replaced, another Tabscope may have started a new journal in it.
    assertNotReplaced()
    const startedAt = performance.now()
    const { records, position } = readGroup(reader, upTo, batch)
    if (position === from) throw unreadable(data.journalDir)
    const { rows, answered: updated } = ingestOrRewind(records, position, from)
    reader.reuse()
    progress.storedId = ingest.tally().lastId
    progress.storedPosition = position
    storedSince += rows.length
    const newest = rows.at(-1)
    const age = newest ? Date.now() - newest.receivedAt : 0
    backlog = backlogShare(progress.position - position, age)
    batch = nextBatch(batch, position - from, performance.now() - startedAt, backlog)
    indexing.ingested()
    unpushed = unpushed.length === 0 ? rows : [...unpushed, ...rows]
    if (unpushed.length > arrivedAtMost) unpushed = unpushed.slice(-arrivedAtMost)
    schedulePush()
    pushChanged(updated)
    deleteIngested(data.journalDir, position, makeIngestedDurable)
    idleJournalAt = performance.now() + idleJournalMs
    return true
  }

  /** The journal starts a new file when nothing was received for some time. Once after each ingestion. */
  const deleteIdleJournal = (): void => {
    if (performance.now() < idleJournalAt) return
    idleJournalAt = Number.POSITIVE_INFINITY
    try {
      deleteIngested(data.journalDir, reader.position, makeIngestedDurable)
    } catch {
      // Tried again after the next ingestion.
    }
  }

  const enforceLimits = (): boolean => {
    const deleted = retention.step(limits)
    if (deleted !== null && deleted > 0) send({ event: 'removed', stats: stats() })
    return deleted !== null
  }

  /** Null: there is nothing to do, or it failed; deletions try it again. */
  const compactIndex = (): number | null => {
    try {
      return retention.compact() ? compactPauseMs : null
    } catch {
      return null
    }
  }

  const report = (reason: string | null): void => {
    if (reason === failing) return
    failing = reason
    progress.isStoreFailing = reason !== null
    send({ event: 'failing', reason })
  }

  const checkpointIfDue = (): void => {
    const now = performance.now()
    if (!isCheckpointDue(storedSince, now - checkpointAt, progress.busy)) return
    checkpointAt = now
    storedSince = 0
    // The copy cannot be interrupted: a thread that waits for this processor runs first.
    yieldProcessor()
    checkpoint(db)
  }

  const loop = async (): Promise<void> => {
    while (!stopping) {
      const startedAt = performance.now()
      let ingested = false
      let removed = false
      try {
        ingested = ingestNext()
        removed = enforceLimits()
        report(null)
      } catch (error) {
        report(reasonOf(error))
        await pause(retryMs)
        continue
      }
      if (!ingested && !removed) {
        deleteIdleJournal()
        const wait = indexing.turn() ?? compactIndex()
        if (wait === 0) await turn()
        else await progress.pastPosition(reader.position, wait ?? 1000)
      } else {
        const workMs = performance.now() - startedAt
        const interval = ingested ? intervalAfter(workMs) : 0
        // While deliveries arrive in every interval, the index has no other time.
        if (interval > 0) indexing.turn()
        checkpointIfDue()
        const wait = Math.max(interval, pauseAfter(workMs, progress.busy, backlog))
        if (wait > 0) await pause(wait)
        else await turn()
      }
    }
  }
  const looping = loop()

  const ingestAll = async (): Promise<void> => {
    const upTo = progress.position
    while (reader.position < upTo && !stopping) {
      if (!ingestNext()) break
      await turn()
    }
  }

  /** Records that cannot be stored stay in the journal for the next start. */
  const ingestRest = async (ingestion: () => Promise<void> | void): Promise<void> => {
    try {
      await ingestion()
    } catch (error) {
      report(reasonOf(error))
    }
  }

  const api: WriterApi = {
    ...createWrites(db, durably),
    catchUp: ingestAll,
    keep: async (newLimits) => {
      limits = newLimits
      // Yields to ingestion and other calls after each step: a much lower limit takes thousands of steps.
      while (!stopping && enforceLimits()) await turn()
    },
    deleteDeliveries: (ids) => ({ deleted: durably(() => retention.remove(ids)), stats: stats() }),
    clear: () => ({ deleted: durably(retention.clear), stats: stats() }),
    releaseMemory: () => {
      reader.release()
      releaseMemoryOf(db)
    },
    stop: async () => {
      await ingestRest(ingestAll)
      stopping = true
      progress.wake()
      await looping
      if (indexedTimer) clearTimeout(indexedTimer)
      await ingestRest(() => {
        while (ingestNext());
      })
      sent.stop()
      reader.close()
      db.close()
    },
  }
  serveApi(port, api)
  serveApi(data.sendPort, createSendWrites(db, durably, sent.add))
}

/** About `bytes`, up to the last responses among them: deliveries stored before their responses would have to be written twice. */
function readGroup(
  reader: JournalReader,
  upTo: number,
  bytes: number,
): { records: readonly JournalRecord[]; position: number } {
  const from = reader.position
  const records: JournalRecord[] = []
  const ends: number[] = []
  let isAnswered = false
  // Without responses, the group is larger than one read, or a crash left it without them.
  while (reader.position - from < (isAnswered ? bytes : groupBytes)) {
    const step = reader.next(upTo)
    if (step.records.length === 0) break
    records.push(...step.records)
    ends.push(...step.ends)
    isAnswered ||= step.records.some(({ kind }) => kind === 'answers')
  }
  const answered = records.findLastIndex(({ kind }) => kind === 'answers')
  const end = ends[answered]
  if (end === undefined) return { records, position: reader.position }
  reader.backTo(end)
  return { records: records.slice(0, answered + 1), position: end }
}

/** Without this error, the writer would try to read them forever. */
function unreadable(journalDir: string): AppError {
  return new AppError(
    'store_failed',
    `Acknowledged deliveries cannot be read from ${journalDir}. Restore its files, or restart Tabscope.`,
    { retry: 'later' },
  )
}

/** Only after the store is on the disk. */
function deleteIngested(journalDir: string, position: number, makeDurable: () => void): void {
  const segments = listSegments(journalDir)
  const ingested = segments.filter((_, index) => {
    const next = segments[index + 1]
    return next !== undefined && next.start <= position
  })
  if (ingested.length === 0) return
  makeDurable()
  for (const { path } of ingested) unlinkSync(path)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `openStore` of the same version
if (parentPort) run(parentPort, workerData as WriterThreadData)

type Writes = Omit<
  WriterApi,
  'catchUp' | 'keep' | 'clear' | 'deleteDeliveries' | 'releaseMemory' | 'stop'
>

/** `durably` makes a commit wait for the disk. Deleted secrets are overwritten and removed from the WAL. */
function createWrites(db: Db, durably: <T>(work: () => T) => T): Writes {
  const wipingDurably = <T>(work: () => T): T =>
    durably(() => {
      const result = wiping(db, work)
      emptyWal(db)
      return result
    })
  return {
    mark: (marks) => durably(() => markSeveral(db, marks)),
    pin: ({ id, pinned }) => {
      const update = prepare<[number, number]>(db, 'UPDATE delivery SET pinned = ? WHERE id = ?')
      durably(() => update.run(pinned ? 1 : 0, id))
      return readByIds(db, [id])[0] ?? null
    },
    recheck: (input) => durably(() => writeRechecks(db, input)),
    annotate: (annotation) => durably(() => annotate(db, annotation)),
    writeFilter: (fields) => durably(() => writeFilter(db, fields)),
    deleteFilter: (id) => durably(() => deleteFilter(db, id)),
    insertEndpoint: (fields) => durably(() => insertEndpoint(db, fields)),
    // The replaced headers may be credentials.
    updateEndpoint: ({ id, fields }) => wipingDurably(() => updateEndpoint(db, id, fields)),
    deleteEndpoint: (id) => durably(() => deleteEndpoint(db, id)),
    writeSecrets: ({ id, sealed }) => durably(() => writeSecrets(db, id, sealed)),
    insertIntegration: (fields) => durably(() => insertIntegration(db, fields)),
    updateIntegration: (integration) => durably(() => updateIntegration(db, integration)),
    deleteIntegration: (id) => wipingDurably(() => deleteIntegration(db, id)),
    insertToken: (fields) => durably(() => insertToken(db, fields)),
    updateToken: ({ token, wipe }) => {
      const update = (): void => updateToken(db, token, wipe)
      return wipe ? wipingDurably(update) : durably(update)
    },
    deleteToken: (id) => wipingDurably(() => deleteToken(db, id)),
    insertRun: (fields) => durably(() => insertRun(db, fields)),
    updateRun: ({ run, secrets }) => durably(() => updateRun(db, run, secrets)),
    claimCode: ({ runId, hash }) => durably(() => claimCode(db, runId, hash)),
    clearRuns: ({ integrationId, upTo, except }) =>
      wipingDurably(() => clearRuns(db, integrationId, upTo, except)),
    // Only history, so the commit does not wait for the disk.
    insertExchange: (fields) => insertExchange(db, fields),
    clearExchanges: () => wipingDurably(() => clearExchanges(db)),
    writeSaved: (input) => durably(() => writeSaved(db, input)),
    deleteSaved: (id) => durably(() => deleteSaved(db, id)),
    writeDraft: (fields) => durably(() => writeDraft(db, fields)),
    deleteDraft: (id) => durably(() => deleteDraft(db, id)),
    deleteJob: (id) => durably(() => deleteJob(db, id)),
    writeTarget: (target) => durably(() => writeTarget(db, target)),
    insertForward: (fields) => durably(() => insertForward(db, fields)),
    updateForward: (forward) => durably(() => updateForward(db, forward)),
    deleteForward: (id) => durably(() => deleteForward(db, id)),
    writeResponses: (input) => durably(() => writeResponses(db, input)),
    switchResponsesOff: (endpointId) => durably(() => switchResponsesOff(db, endpointId)),
    writeSettings: (settings) => durably(() => writeSettings(db, settings)),
    writeRedactionRules: (rules) => durably(() => writeRedactionRules(db, rules)),
    putLog: (fields) => durably(() => putLog(db, fields)),
    deleteLog: (id) => durably(() => deleteLog(db, id)),
    insertRehearsal: (rehearsal) => durably(() => insertRehearsal(db, rehearsal)),
    updateRehearsal: (rehearsal) => durably(() => updateRehearsal(db, rehearsal)),
    recordRehearsalCase: (input) => durably(() => recordRehearsalCase(db, input)),
    deleteRehearsal: (id) => durably(() => deleteRehearsal(db, id)),
    writeTunnel: (stored) => durably(() => writeTunnel(db, stored)),
    // Only history, so the commit does not wait for the disk.
    writeSpan: (span) => writeSpan(db, span),
  }
}
