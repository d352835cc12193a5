import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { arrivedAtMost } from '#contract/constants.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { Progress } from '../capture/progress.ts'
import { reasonOf, watchFile } from '../platform/storage-failure.ts'
import { releaseMemoryOf } from '../platform/release-memory.ts'
import { serveApi } from '../platform/rpc.ts'
import { createChangedRows, type ChangedRows } from '../deliveries/changed-rows.ts'
import { readUnindexed } from '../deliveries/store.ts'
import {
  checkpoint,
  emptyWal,
  openWriter,
  prepare,
  wiping,
  withoutSync,
  type Db,
} from '../platform/sqlite.ts'
import { createIngest } from '../deliveries/ingest.ts'
import { createRetention, createShrink } from '../deliveries/retention.ts'
import { createSendWrites } from '../sending/store/send-writes.ts'
import { backUp } from './backup.ts'
import { configPathOf, deleteConfigCopy } from './config-file.ts'
import type { FromWriter, Group, ToWriter } from '../capture/groups.ts'
import type { WriterApi, WriterEvent, WriterStats, WriterThreadData } from './writer-api.ts'
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

/** Each push costs every thread and page behind it. `flood`: while groups arrive without a break. */
const pushEveryMs = { usual: 4, flood: 100 } as const
/** At this many deliveries that were not pushed, it is a flood. */
const floodFrom = 50
const retryMs = 1000
/** The file is made smaller after this time without groups, in steps of this length. */
const quietMs = 1000
const shrinkMs = 2

type Run = <T>(work: () => T) => T

/** Reports new deliveries once their response is known, and others whose response became known later. */
class Reports {
  readonly #db: Db
  readonly #send: (event: WriterEvent) => void
  readonly #stats: () => WriterStats
  readonly #changed: ChangedRows
  #unpushed: number[] = []
  #pushedId: number
  #pushAt = 0
  #timer: NodeJS.Timeout | null = null

  constructor(db: Db, stats: () => WriterStats, send: (event: WriterEvent) => void) {
    this.#db = db
    this.#stats = stats
    this.#send = send
    this.#pushedId = stats().newestId
    this.#changed = createChangedRows((ids) => send({ event: 'changed', ids }))
  }

  responded(ids: readonly number[]): void {
    this.changed(ids.filter((id) => id <= this.#pushedId))
    this.#unpushed.push(...ids.filter((id) => id > this.#pushedId))
    this.#pushedId = Math.max(this.#pushedId, this.#unpushed.at(-1) ?? 0)
    if (this.#unpushed.length === 0) return
    this.#timer ??= setTimeout(() => this.#push(), Math.max(0, this.#pushAt - performance.now()))
  }

  changed(ids: readonly number[]): void {
    this.#changed.add(ids)
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#changed.stop()
  }

  #push(): void {
    this.#timer = null
    const ids = this.#unpushed
    this.#unpushed = []
    const every = ids.length > floodFrom ? pushEveryMs.flood : pushEveryMs.usual
    this.#pushAt = performance.now() + every
    this.#send({
      event: 'arrived',
      rows: this.#read(ids.slice(-arrivedAtMost)),
      stats: this.#stats(),
    })
  }

  #read(ids: readonly number[]): DeliverySummary[] {
    try {
      return readUnindexed(this.#db, ids)
    } catch {
      // A damaged page: clients load these rows themselves, and get the error.
      return []
    }
  }
}

/** Keeps the store within its limits, in short steps between which groups and calls have their turn. */
class Limits {
  readonly #step: () => number | null
  readonly #send: (event: WriterEvent) => void
  readonly #stats: () => WriterStats
  #isScheduled = false
  #isUnreported = false
  #reportAt = 0
  #failing: string | null = null
  #stopped = false

  constructor(
    step: () => number | null,
    stats: () => WriterStats,
    send: (event: WriterEvent) => void,
  ) {
    this.#step = step
    this.#stats = stats
    this.#send = send
  }

  enforceSoon(): void {
    if (this.#isScheduled || this.#stopped) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      if (this.enforce()) this.enforceSoon()
    })
  }

  /** One step. Returns whether there may be more to delete. */
  enforce(): boolean {
    if (this.#stopped) return false
    try {
      const hasMore = this.#step() !== null
      this.#failing = null
      if (hasMore) this.#isUnreported = true
      if (this.#isUnreported && (!hasMore || performance.now() >= this.#reportAt)) this.#report()
      return hasMore
    } catch (error) {
      const reason = reasonOf(error)
      if (reason !== this.#failing) this.#send({ event: 'retentionFailing', reason })
      this.#failing = reason
      setTimeout(() => this.enforceSoon(), retryMs).unref()
      return false
    }
  }

  stop(): void {
    this.#stopped = true
  }

  #report(): void {
    this.#isUnreported = false
    this.#reportAt = performance.now() + pushEveryMs.flood
    this.#send({ event: 'removed', stats: this.#stats() })
  }
}

/** Stores each group of deliveries in one transaction, and makes all other writes. */
function run(port: MessagePort, data: WriterThreadData): void {
  const db = openWriter(data.storePath)
  // The indexer's thread does that, because it takes a few milliseconds.
  db.pragma('wal_autocheckpoint = 0')
  const assertNotReplaced = watchFile(data.storePath)
  const quickly: Run = (work) => withoutSync(db, work)
  const durably: Run = (work) => {
    assertNotReplaced()
    return work()
  }
  const ingest = createIngest(db)
  const progress = new Progress(data.shared)
  progress.storedId = ingest.tally().lastId
  const stats = (): WriterStats => {
    const { deliveries, bytes, lastId } = ingest.tally()
    return { deliveries, bytes, newestId: lastId }
  }
  const send = (event: WriterEvent): void => port.postMessage(event)
  const reports = new Reports(db, stats, send)
  let keep = data.keep
  const retention = createRetention(db, ingest, (removed) => data.indexerPort.postMessage(removed))
  // After a power failure, it deletes them again.
  const limits = new Limits(() => quickly(() => retention.step(keep)), stats, send)
  limits.enforceSoon()
  let tookAt = performance.now()
  const shrink = createShrink(db)
  const endShrinking = shrinkWhenQuiet(
    (isOver) => quickly(() => shrink(isOver)),
    () => performance.now() - tookAt,
  )

  const take = (group: Group): void => {
    tookAt = performance.now()
    const isEmpty = group.deliveries.length === 0
    let taken: ReturnType<typeof ingest.take> | null = null
    const failed = reasonUnless(() => {
      taken = (isEmpty ? quickly : durably)(() => ingest.take(group))
      progress.storedId = ingest.tally().lastId
    })
    const { firstId = 0, responded = [] } = taken ?? {}
    if (!isEmpty) reply({ kind: 'stored', firstId, failed })
    reports.responded(responded)
    limits.enforceSoon()
  }
  const reply = (message: FromWriter): void => data.capturePort.postMessage(message)
  data.capturePort.on('message', (message: ToWriter) => {
    if (message.kind === 'group') take(message.group)
    else reply({ kind: 'probed', failed: reasonUnless(() => durably(() => ingest.probe())) })
  })

  const api: WriterApi = {
    ...createWrites(db, configPathOf(data.storePath), durably, quickly),
    keep: async (newLimits) => {
      keep = newLimits
      while (limits.enforce()) await turn()
    },
    restartWal: () => void checkpoint(db),
    deleteDeliveries: (ids) => ({ deleted: durably(() => retention.remove(ids)), stats: stats() }),
    clear: () => ({ deleted: durably(retention.clear), stats: stats() }),
    backUp: (target) => backUp(db, data.storePath, target),
    releaseMemory: () => releaseMemoryOf(db),
    stop: () => {
      endShrinking()
      limits.stop()
      reports.stop()
      data.capturePort.close()
      data.indexerPort.close()
      db.close()
    },
  }
  serveApi(port, api)
  serveApi(
    data.sendPort,
    createSendWrites(db, quickly, (ids) => reports.changed(ids)),
  )
}

/** While no groups arrive, since they would use the free pages again. Returns a function that stops it. */
function shrinkWhenQuiet(
  shrink: (isOver: () => boolean) => boolean,
  quietFor: () => number,
): () => void {
  let isStopped = false
  const next = (): void => {
    if (isStopped || quietFor() < quietMs) return
    const end = performance.now() + shrinkMs
    try {
      if (shrink(() => performance.now() > end)) setImmediate(next)
    } catch {
      // The disk may be full: later.
    }
  }
  const timer = setInterval(next, quietMs)
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/** Null: it succeeded. */
function reasonUnless(work: () => void): string | null {
  try {
    work()
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `openStore` of the same version
if (parentPort) run(parentPort, workerData as WriterThreadData)

type Writes = Omit<
  WriterApi,
  'keep' | 'restartWal' | 'clear' | 'deleteDeliveries' | 'backUp' | 'releaseMemory' | 'stop'
>

/** `quickly`: the commit does not wait for the disk. Deleted secrets are overwritten and removed from the WAL. */
function createWrites(db: Db, config: string | null, durably: Run, quickly: Run): Writes {
  const wipingDurably = <T>(work: () => T): T =>
    durably(() => {
      const result = wiping(db, work)
      emptyWal(db)
      if (config !== null) deleteConfigCopy(config)
      return result
    })
  return {
    mark: (marks) => durably(() => markSeveral(db, marks)),
    pin: ({ id, pinned }) => {
      const update = prepare<[number, number]>(db, 'UPDATE delivery SET pinned = ? WHERE id = ?')
      durably(() => update.run(pinned ? 1 : 0, id))
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
    // Only history.
    insertExchange: (fields) => quickly(() => insertExchange(db, fields)),
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
    // Only history.
    writeSpan: (span) => quickly(() => writeSpan(db, span)),
  }
}
