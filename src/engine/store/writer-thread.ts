import { unlinkSync } from 'node:fs'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { arrivedAtMost } from '#contract/arrived.ts'
import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import { listSegments, type JournalRecord } from '../capture/journal-format.ts'
import { JournalReader } from '../capture/journal-reader.ts'
import { Progress } from '../capture/progress.ts'
import { AppError } from '../platform/errors.ts'
import { reasonOf, watchFile } from '../platform/storage-failure.ts'
import { lowerPriority } from '../platform/lower-priority.ts'
import { serveApi } from '../platform/rpc.ts'
import { createChangedRows } from '../deliveries/changed-rows.ts'
import { readByIds } from '../deliveries/store.ts'
import { openWriter, relyOnJournal, prepare, type Db } from '../platform/sqlite.ts'
import { createBehind } from '../search/indexer/behind.ts'
import { createIndexer } from '../search/indexer/indexer.ts'
import { createIngest, type Ingested } from '../deliveries/ingest.ts'
import { createRetention } from '../deliveries/retention.ts'
import { createSendWrites } from '../sending/store/send-writes.ts'
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
import { deleteLog, putLog } from '../event-logs/store.ts'
import { clearExchanges, insertExchange, deleteSaved, writeSaved } from '../api-console/store.ts'
import { deleteIntegration, insertIntegration, updateIntegration } from '../integrations/store.ts'
import { claimCode, clearRuns, insertRun, updateRun } from '../oauth/store.ts'
import { writeRechecks } from '../signature/recheck-store.ts'
import { writeRedactionRules } from '../event-logs/redaction-rules-store.ts'
import { deleteFilter, writeFilter } from '../search/saved-filters-store.ts'
import { deleteDraft, writeDraft } from '../sending/store/drafts.ts'
import { deleteJob } from '../sending/store/jobs.ts'
import { writeSettings } from '../settings/store.ts'
import { deleteToken, insertToken, updateToken } from '../tokens/store.ts'
import { writeSpan, writeTunnel } from '../tunnel/store.ts'
import { emptyWal, wiping } from './wipe.ts'

/** A group of deliveries larger than this is taken in without waiting for its answers, in bytes: memory is bounded. */
const groupBytes = 64 * 1024 * 1024
/** Pushes are at least this far apart, in milliseconds. */
const pushEveryMs = 4
/** What is said of the search index is at least so far apart, in milliseconds. */
const indexedEveryMs = 250
/** However long it took, it goes on after this long, in milliseconds. */
const longestPauseMs = 150
/** After a failed write the next try comes this much later, in milliseconds. */
const retryMs = 500
/** Above this share of the capture thread's time the writer stands back, and takes in for a tenth of the time. */
const crowded = 0.5

/** The writer thread: takes the journal into the store, right behind the answers, and does every other write. */
function run(port: MessagePort, data: WriterThreadData): void {
  lowerPriority(5)
  const db = openWriter(data.storePath)
  const assertThere = watchFile(data.storePath)
  const journaled = relyOnJournal(db)
  const durably = <T>(work: () => T): T => {
    assertThere()
    return journaled.durably(work)
  }
  const ingest = createIngest(db)
  const indexer = createIndexer(db, ingest)
  const retention = createRetention(db, ingest, indexer)
  const progress = new Progress(data.shared)
  let reader = new JournalReader(data.journalDir, data.journalFrom)
  let keep = data.keep
  let stopping = false
  let failing: string | null = null
  progress.storedId = ingest.tally().lastId

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
    pushAt = performance.now() + pushEveryMs
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
  const tellIndexed = (): void => {
    indexedTimer ??= setTimeout(
      () => {
        indexedTimer = null
        indexedAt = performance.now()
        send({ event: 'indexed', stats: stats() })
      },
      Math.max(0, indexedAt + indexedEveryMs - performance.now()),
    )
  }
  const sent = createChangedRows(
    (ids) => readByIds(db, ids),
    (rows) => send({ event: 'changed', rows }),
  )
  const behind = createBehind({
    indexer,
    busy: () => progress.busy,
    arrived: () => stopping || progress.position > reader.position,
    now: () => performance.now(),
    moved: (repeating) => {
      if (repeating.length > 0) {
        send({ event: 'changed', rows: readByIds(db, repeating.slice(-arrivedAtMost)) })
      }
      tellIndexed()
    },
    failing: (reason) => send({ event: 'indexFailing', reason }),
  })

  /** What could not be stored is read again: the journal keeps it until the store has it. */
  const takeOrStepBack = (
    records: readonly JournalRecord[],
    position: number,
    from: number,
  ): Ingested => {
    try {
      assertThere()
      return ingest.take(records, position)
    } catch (error) {
      reader.close()
      reader = new JournalReader(data.journalDir, from)
      throw error
    }
  }

  /** One transaction's worth. False when there is nothing to take in. */
  const takeSome = (): boolean => {
    const from = reader.position
    const upTo = progress.position
    if (upTo <= from) return false
    // Before it reads: where the folder was deleted, another Tabscope may have begun a journal of its own in its place.
    assertThere()
    const { records, position } = readGroup(reader, upTo)
    if (position === from) throw unreadable(data.journalDir)
    const { rows, answered } = takeOrStepBack(records, position, from)
    progress.storedId = ingest.tally().lastId
    behind.took()
    const news = new Map(answered.map((row) => [row.id, row]))
    // What waits to be pushed goes as it is now: pushed after its change, the interface would keep it as it was.
    if (news.size > 0) unpushed = unpushed.map((row) => news.get(row.id) ?? row)
    unpushed = unpushed.length === 0 ? rows : [...unpushed, ...rows]
    if (unpushed.length > arrivedAtMost) unpushed = unpushed.slice(-arrivedAtMost)
    schedulePush()
    if (answered.length > 0) send({ event: 'changed', rows: answered.slice(-arrivedAtMost) })
    dropTaken(data.journalDir, position, () => durably(() => ingest.forget(0, 0)))
    return true
  }

  const keepWithin = (): boolean => {
    if (retention.step(keep) === 0) return false
    send({ event: 'removed', stats: stats() })
    return true
  }

  const report = (reason: string | null): void => {
    if (reason === failing) return
    failing = reason
    send({ event: 'failing', reason })
  }

  const loop = async (): Promise<void> => {
    while (!stopping) {
      const begun = performance.now()
      let took = false
      let dropped = false
      try {
        took = takeSome()
        dropped = keepWithin()
        report(null)
      } catch (error) {
        report(reasonOf(error))
        await pause(retryMs)
        continue
      }
      if (!took && !dropped) {
        const wait = behind.turn()
        if (wait === 0) await turn()
        else await progress.pastPosition(reader.position, wait ?? 1000)
      } else if (progress.busy > crowded) {
        await pause(Math.min((performance.now() - begun) * 9, longestPauseMs))
      } else {
        await turn()
      }
    }
  }
  const looping = loop()

  const takeAll = async (): Promise<void> => {
    const upTo = progress.position
    while (reader.position < upTo && !stopping) {
      if (!takeSome()) break
      await turn()
    }
  }

  /** At the end: what the store cannot take now stays in the journal for the next start. */
  const takeLeft = async (take: () => Promise<void> | void): Promise<void> => {
    try {
      await take()
    } catch (error) {
      report(reasonOf(error))
    }
  }

  const api: WriterApi = {
    ...createWrites(db, durably),
    level: takeAll,
    keep: async (limits) => {
      keep = limits
      // In turns with what arrives and with other calls: a much lower limit is thousands of steps.
      while (!stopping && keepWithin()) await turn()
    },
    deleteDeliveries: (ids) => ({ deleted: durably(() => retention.remove(ids)), stats: stats() }),
    clear: () => ({ deleted: durably(retention.clear), stats: stats() }),
    stop: async () => {
      await takeLeft(takeAll)
      stopping = true
      progress.wake()
      await looping
      if (indexedTimer) clearTimeout(indexedTimer)
      await takeLeft(() => {
        while (takeSome());
      })
      sent.stop()
      reader.close()
      db.close()
    },
  }
  serveApi(port, api)
  serveApi(data.sendPort, createSendWrites(db, durably, sent.add))
}

/**
 * The next records, up to the last answers among them: deliveries that were taken in before their answers would have to be written
 * twice. What follows those answers is read again, with its own.
 */
function readGroup(
  reader: JournalReader,
  upTo: number,
): { records: readonly JournalRecord[]; position: number } {
  const from = reader.position
  let { records, ends, position } = reader.next(upTo)
  const answered = records.findLastIndex(({ kind }) => kind === 'answers')
  const end = ends[answered]
  if (end !== undefined) {
    reader.backTo(end)
    return { records: records.slice(0, answered + 1), position: end }
  }
  // One group that is larger than what is read at once, or the end of what a crash has left.
  const isUnanswered = (): boolean =>
    records.findLast(({ kind }) => kind !== 'answered')?.kind === 'delivery'
  while (isUnanswered() && position - from < groupBytes) {
    const more = reader.next(upTo)
    if (more.records.length === 0) break
    records = [...records, ...more.records]
    position = more.position
  }
  return { records, position }
}

/** Nothing can be read where deliveries were answered: without an error the writer would ask for them for ever, and do nothing else. */
function unreadable(journalDir: string): AppError {
  return new AppError(
    'store_failed',
    `Deliveries that were answered cannot be read from ${journalDir}. Put its files back, or restart Tabscope.`,
    { retry: 'later' },
  )
}

/** Journal files that the store has whole are no longer needed, once it has them on the disk. */
function dropTaken(journalDir: string, position: number, makeDurable: () => void): void {
  const segments = listSegments(journalDir)
  const taken = segments.filter((_, index) => {
    const next = segments[index + 1]
    return next !== undefined && next.start <= position
  })
  if (taken.length === 0) return
  makeDurable()
  for (const { path } of taken) unlinkSync(path)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `openStore` gave, in the same program
if (parentPort) run(parentPort, workerData as WriterThreadData)

/** The writes of the writer thread that have nothing to do with what arrives. */
type Writes = Omit<WriterApi, 'level' | 'keep' | 'clear' | 'deleteDeliveries' | 'stop'>

/** `durably` makes a commit wait for the disk. What is deleted of secrets is overwritten, and its pages leave the WAL. */
function createWrites(db: Db, durably: <T>(work: () => T) => T): Writes {
  const wipingAll = <T>(work: () => T): T =>
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
    // What its headers were before may not have been sealed.
    updateEndpoint: ({ id, fields }) => wipingAll(() => updateEndpoint(db, id, fields)),
    deleteEndpoint: (id) => durably(() => deleteEndpoint(db, id)),
    writeSecrets: ({ id, sealed }) => durably(() => writeSecrets(db, id, sealed)),
    insertIntegration: (fields) => durably(() => insertIntegration(db, fields)),
    updateIntegration: (integration) => durably(() => updateIntegration(db, integration)),
    deleteIntegration: (id) => wipingAll(() => deleteIntegration(db, id)),
    insertToken: (fields) => durably(() => insertToken(db, fields)),
    updateToken: ({ token, wipe }) => {
      const update = (): void => updateToken(db, token, wipe)
      return wipe ? wipingAll(update) : durably(update)
    },
    deleteToken: (id) => wipingAll(() => deleteToken(db, id)),
    insertRun: (fields) => durably(() => insertRun(db, fields)),
    updateRun: ({ run, secrets }) => durably(() => updateRun(db, run, secrets)),
    claimCode: ({ runId, hash }) => durably(() => claimCode(db, runId, hash)),
    clearRuns: ({ integrationId, upTo, except }) =>
      wipingAll(() => clearRuns(db, integrationId, upTo, except)),
    // History: no commit of it is worth a wait for the disk.
    insertExchange: (fields) => insertExchange(db, fields),
    clearExchanges: () => wipingAll(() => clearExchanges(db)),
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
    writeTunnel: (stored) => durably(() => writeTunnel(db, stored)),
    // As with exchanges: no commit of it is worth a wait for the disk.
    writeSpan: (span) => writeSpan(db, span),
  }
}
