import { setImmediate as turn } from 'node:timers/promises'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { arrivedAtMost } from '#contract/constants.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { Progress } from '../../platform/progress.ts'
import { createBelievedTime } from '../../platform/believed-time.ts'
import { reasonOf, watchFile } from '../../platform/storage-failure.ts'
import { releaseMemoryOf } from '../../platform/release-memory.ts'
import { serveApi } from '../../platform/rpc.ts'
import { createChangedRows, type ChangedRows } from '../../deliveries/changed-rows.ts'
import { readUnindexed } from '../../deliveries/store.ts'
import { createStoreObserved } from '../../deliveries/health/observed.ts'
import { deleteOldCounts } from '../../deliveries/health/counts.ts'
import { checkpoint, openWriter, withoutSync, type Db } from '../../platform/sqlite.ts'
import { createIngest, type Ingest } from '../../deliveries/ingest.ts'
import {
  createRetention,
  createShrink,
  type KeepLimits,
  type Retention,
} from '../../deliveries/retention.ts'
import { createSendWrites } from '../../sending/store/send-writes.ts'
import { backUp } from '../../platform/store/backup.ts'
import { configPathOf } from '../../platform/store/config-file.ts'
import type { FromWriter, Group, ToWriter, RelayedGroup } from '../../deliveries/groups.ts'
import type { RelayedReply } from '../../receiving/relay/messages.ts'
import type { WriterApi, WriterEvent, WriterStats, WriterThreadData } from './writer-api.ts'
import { createWrites } from './writes.ts'

/** Each push costs every thread and page behind it. `flood`: while groups arrive without a break. */
const pushEveryMs = { usual: 4, flood: 100 } as const
const floodFrom = 50
const retryMs = 1000
/** The file is made smaller after this time without groups, in steps of this length. */
const quietMs = 1000
const shrinkMs = 2

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

class Writer {
  readonly #db: Db
  readonly #data: WriterThreadData
  readonly #assertNotReplaced: () => void
  readonly #ingest: Ingest
  readonly #progress: Progress
  readonly #reports: Reports
  readonly #retention: Retention
  readonly #limits: Limits
  readonly #readBelievedTime: () => number
  #believedTime = 0
  #keep: KeepLimits
  #tookAt = performance.now()

  constructor(
    db: Db,
    config: string | null,
    send: (event: WriterEvent) => void,
    data: WriterThreadData,
  ) {
    this.#db = db
    this.#data = data
    const watches = [data.storePath, ...(config === null ? [] : [config])].map(watchFile)
    this.#assertNotReplaced = () => watches.forEach((assert) => assert())
    this.#ingest = createIngest(db)
    this.#progress = new Progress(data.shared)
    this.#progress.storedId = this.#ingest.tally().lastId
    const stats = (): WriterStats => this.stats()
    this.#reports = new Reports(db, stats, send)
    this.#keep = data.keep
    this.#readBelievedTime = createBelievedTime(db)
    this.#retention = createRetention(
      db,
      this.#ingest,
      (removed) => send({ event: 'deleted', removed }),
      () => this.#believedTime,
    )
    // After a power failure, it deletes them again.
    const step = (): number | null => this.quickly(() => this.#retention.step(this.#keep))
    this.#limits = new Limits(step, stats, send)
  }

  readonly quickly = <T>(work: () => T): T => withoutSync(this.#db, work)

  readonly durably = <T>(work: () => T): T => {
    this.#assertNotReplaced()
    return work()
  }

  stats(): WriterStats {
    const { deliveries, bytes, lastId } = this.#ingest.tally()
    return { deliveries, bytes, newestId: lastId }
  }

  get findings(): Ingest['findings'] {
    return this.#ingest.findings
  }

  changed(ids: readonly number[]): void {
    this.#reports.changed(ids)
  }

  /** Returns a function that stops it. */
  start(): () => void {
    const { capturePort, relayPort } = this.#data
    this.#enforceAge()
    // Deliveries and counts get old while none arrives.
    setInterval(() => {
      this.#enforceAge()
      reasonUnless(() => this.quickly(() => deleteOldCounts(this.#db)))
    }, ageCheckMs).unref()
    const shrink = createShrink(this.#db)
    const endShrinking = shrinkWhenQuiet(
      (isOver) => this.quickly(() => shrink(isOver)),
      () => performance.now() - this.#tookAt,
    )
    const reply = (message: FromWriter): void => capturePort.postMessage(message)
    capturePort.on('message', (message: ToWriter) => {
      if (message.kind === 'group') this.#take(message.group, reply)
      else {
        const probe = (): void => this.durably(() => this.#ingest.probe())
        reply({ kind: 'probed', failed: reasonUnless(probe) })
      }
    })
    relayPort.on('message', (group: RelayedGroup) => this.#takeRelayed(group))
    return () => {
      endShrinking()
      this.#limits.stop()
      this.#reports.stop()
      capturePort.close()
      relayPort.close()
    }
  }

  #enforceAge(): void {
    reasonUnless(() => {
      this.#believedTime = this.quickly(this.#readBelievedTime)
    })
    this.#limits.enforceSoon()
  }

  async keep(limits: KeepLimits): Promise<void> {
    this.#keep = limits
    while (this.#limits.enforce()) await turn()
  }

  deleteDeliveries(ids: readonly number[]): { deleted: number; stats: WriterStats } {
    return { deleted: this.durably(() => this.#retention.remove(ids)), stats: this.stats() }
  }

  clear(): { deleted: number; stats: WriterStats } {
    return { deleted: this.durably(this.#retention.clear), stats: this.stats() }
  }

  #take(group: Group, reply: (message: FromWriter) => void): void {
    const isEmpty = group.deliveries.length === 0
    const {
      firstId = 0,
      responded = [],
      failed,
    } = this.#store(isEmpty, () => this.#ingest.take(group))
    if (!isEmpty) reply({ kind: 'stored', firstId, failed })
    this.#stored(responded)
  }

  #takeRelayed(group: RelayedGroup): void {
    const isEmpty = group.deliveries.length === 0
    const {
      ids = [],
      refused = [],
      failed,
    } = this.#store(isEmpty, () => this.#ingest.takeRelayed(group))
    this.#data.relayPort.postMessage({ refused, failed } satisfies RelayedReply)
    this.#stored(ids)
  }

  #store<T extends object>(
    isEmpty: boolean,
    work: () => T,
  ): Partial<T> & { failed: string | null } {
    this.#tookAt = performance.now()
    let result: Partial<T> = {}
    const failed = reasonUnless(() => {
      result = (isEmpty ? this.quickly : this.durably)(work)
      this.#progress.storedId = this.#ingest.tally().lastId
    })
    return { ...result, failed }
  }

  /** Call it after the reply. */
  #stored(responded: readonly number[]): void {
    this.#reports.responded(responded)
    this.#limits.enforceSoon()
  }
}

function run(port: MessagePort, data: WriterThreadData): void {
  const db = openWriter(data.storePath)
  // The indexer's thread does that, because it takes a few milliseconds.
  db.pragma('wal_autocheckpoint = 0')
  const config = configPathOf(data.storePath)
  const send = (event: WriterEvent): void => port.postMessage(event)
  const writer = new Writer(db, config, send, data)
  const { quickly, durably } = writer
  const stop = writer.start()
  const storeObserved = createStoreObserved(db)
  const api: WriterApi = {
    ...createWrites(db, config, durably, quickly),
    keep: (limits) => writer.keep(limits),
    restartWal: () => void checkpoint(db),
    deleteDeliveries: (ids) => writer.deleteDeliveries(ids),
    clear: () => writer.clear(),
    storeObserved: (observed) => quickly(() => storeObserved(observed)),
    backUp: (target) => backUp(db, data.storePath, target),
    releaseMemory: () => releaseMemoryOf(db),
    stop: () => {
      stop()
      db.close()
    },
  }
  serveApi(port, api)
  serveApi(
    data.sendPort,
    createSendWrites(db, quickly, (ids) => writer.changed(ids), writer.findings),
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
