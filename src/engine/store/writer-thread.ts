import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads'
import { arrivedAtMost } from '#contract/constants.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { Progress } from '../capture/progress.ts'
import { reasonOf, watchFile } from '../platform/storage-failure.ts'
import { releaseMemoryOf } from '../platform/release-memory.ts'
import { serveApi } from '../platform/rpc.ts'
import { createChangedRows, type ChangedRows } from '../deliveries/changed-rows.ts'
import { readUnindexed } from '../deliveries/store.ts'
import {
  type CountObserved,
  createStoreObserved,
  observeAgain,
  type Observed,
} from '../health/observed.ts'
import { checkpoint, openWriter, withoutSync, type Db } from '../platform/sqlite.ts'
import { createIngest } from '../deliveries/ingest.ts'
import { Rollups } from '../health/rollups.ts'
import { createRetention, createShrink } from '../deliveries/retention.ts'
import { createSendWrites } from '../sending/store/send-writes.ts'
import { backUp } from './backup.ts'
import { configPathOf } from './config-file.ts'
import type { FromWriter, Group, ToWriter } from '../capture/groups.ts'
import type { ToIndexer } from '../search/indexer/messages.ts'
import type { RelayedGroup, RelayedReply } from '../relay/messages.ts'
import type { WriterApi, WriterEvent, WriterStats, WriterThreadData } from './writer-api.ts'
import { createWrites, type Run } from './writes.ts'

/** Each push costs every thread and page behind it. `flood`: while groups arrive without a break. */
const pushEveryMs = { usual: 4, flood: 100 } as const
/** At this many deliveries that were not pushed, it is a flood. */
const floodFrom = 50
const retryMs = 1000
/** The file is made smaller after this time without groups, in steps of this length. */
const quietMs = 1000
const shrinkMs = 2
/** Counts are written this often, and hours and days are made of them. */
const flushMs = 1000
const countStepMs = 60_000

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

const ageCheckMs = 10 * 60_000

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
  const config = configPathOf(data.storePath)
  const watches = [data.storePath, ...(config === null ? [] : [config])].map(watchFile)
  const assertNotReplaced = (): void => watches.forEach((assert) => assert())
  const quickly: Run = (work) => withoutSync(db, work)
  const durably: Run = (work) => {
    assertNotReplaced()
    return work()
  }
  const rollups = new Rollups(db)
  // What is stored stays stored, even if a damaged page prevents that it is counted.
  const counts = {
    attempt: (...input: Parameters<Rollups['attempt']>) =>
      void reasonUnless(() => rollups.attempt(...input)),
    causes: (...input: Parameters<Rollups['causes']>) =>
      void reasonUnless(() => rollups.causes(...input)),
    presence: (...input: Parameters<Rollups['presence']>) => rollups.presence(...input),
    flush: () => rollups.flush(),
  }
  let uncounted: Parameters<Rollups['delivery']>[] = []
  const ingest = createIngest(db, (...each) => uncounted.push(each))
  /** Call it after the reply, so that no response waits for it. */
  const countDeliveries = (): void => {
    for (const each of uncounted) reasonUnless(() => rollups.delivery(...each))
    uncounted = []
  }
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
  // Deliveries get old while none arrives.
  setInterval(() => limits.enforceSoon(), ageCheckMs).unref()
  let tookAt = performance.now()
  const shrink = createShrink(db)
  const endShrinking = shrinkWhenQuiet(
    (isOver) => quickly(() => shrink(isOver)),
    () => performance.now() - tookAt,
  )

  reasonUnless(() => rollups.catchUp(ingest.tally().lastId))
  const counting = keepCounting(rollups, quickly)

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
    countDeliveries()
    reports.responded(responded)
    limits.enforceSoon()
  }
  const reply = (message: FromWriter): void => data.capturePort.postMessage(message)
  data.capturePort.on('message', (message: ToWriter) => {
    if (message.kind === 'group') take(message.group)
    else reply({ kind: 'probed', failed: reasonUnless(() => durably(() => ingest.probe())) })
  })

  data.relayPort.on('message', (group: RelayedGroup) => {
    tookAt = performance.now()
    let ids: readonly number[] = []
    const failed = reasonUnless(() => {
      ;({ ids } = (group.deliveries.length === 0 ? quickly : durably)(() =>
        ingest.takeRelayed(group),
      ))
      progress.storedId = ingest.tally().lastId
    })
    const answer: RelayedReply = { ids, failed }
    data.relayPort.postMessage(answer)
    countDeliveries()
    reports.responded(ids)
    limits.enforceSoon()
  })

  const observing = storeObserved(db, quickly, data.indexerPort, rollups, () =>
    send({ event: 'observed' }),
  )

  const api: WriterApi = {
    ...createWrites(db, config, durably, quickly, counts),
    keep: async (newLimits) => {
      keep = newLimits
      while (limits.enforce()) await turn()
    },
    countAgain: (keepOlder) => {
      const deliveries = quickly(() => rollups.again(keepOlder))
      observing.again()
      counting.soon()
      return deliveries
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
      data.relayPort.close()
      observing.stop()
      counting.stop()
      db.close()
    },
  }
  serveApi(port, api)
  serveApi(
    data.sendPort,
    createSendWrites(db, quickly, (ids) => reports.changed(ids), counts, ingest.findings),
  )
}

/** Writes the counts, and makes hours and days of them, in short steps. */
function keepCounting(rollups: Rollups, quickly: Run): { soon: () => void; stop: () => void } {
  let isStopped = false
  let isScheduled = false
  const flush = (): void => {
    // A disk that is full or broken is reported by the groups. The counts are written later.
    reasonUnless(() => {
      if (rollups.hasChanges) quickly(() => rollups.flush())
    })
  }
  const step = (): void => {
    isScheduled = false
    if (isStopped) return
    let hasMore = false
    reasonUnless(() => {
      hasMore = quickly(() => rollups.step())
    })
    if (hasMore) soon()
  }
  const soon = (): void => {
    if (isScheduled || isStopped) return
    isScheduled = true
    setImmediate(step)
  }
  const flushes = setInterval(flush, flushMs)
  const steps = setInterval(soon, countStepMs)
  soon()
  return {
    soon,
    stop: () => {
      isStopped = true
      clearInterval(flushes)
      clearInterval(steps)
      flush()
    },
  }
}

/** What the observer of the indexer's thread finds. */
function storeObserved(
  db: Db,
  quickly: Run,
  port: MessagePort,
  rollups: Rollups,
  stored: () => void,
): { again: () => void; stop: () => void } {
  let found: Parameters<CountObserved>[] = []
  const store = createStoreObserved(db, (...each) => found.push(each))
  const reload = (): void => port.postMessage('reload' satisfies ToIndexer)
  const take = (observed: Observed): void => {
    try {
      found = []
      if (!quickly(() => store(observed))) {
        reload()
        return
      }
      reasonUnless(() => found.forEach((each) => rollups.observed(...each)))
      stored()
    } catch {
      // The disk may be full, which the next group reports.
      setTimeout(reload, retryMs).unref()
    }
  }
  port.on('message', take)
  return {
    again: () => {
      quickly(() => observeAgain(db))
      reload()
    },
    stop: () => {
      // The indexer's thread has sent the last one.
      for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) {
        take(last.message)
      }
      port.close()
    },
  }
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
