import { existsSync } from 'node:fs'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { Progress } from '../../platform/progress.ts'
import { releaseMemoryOf } from '../../platform/release-memory.ts'
import { serveApi } from '../../platform/rpc.ts'
import { checkpoint, openWriter, prepare, type Db } from '../../platform/sqlite.ts'
import { reasonOf } from '../../platform/storage-failure.ts'
import { lowerPriority, yieldProcessor } from '../../platform/thread.ts'
import { configPathOf, copyConfiguration } from '../../platform/store/config-file.ts'
import {
  isDamage,
  isIndexIntact,
  openSearchWriter,
  recreateSearch,
  storeKey,
} from '../../platform/store/search-file.ts'
import { createAlertCheck } from '../../deliveries/health/alerts.ts'
import { Observer } from '../../deliveries/health/observer.ts'
import { Indexer } from '../../search/indexer/indexer.ts'
import type { IndexerApi, IndexerEvent, IndexerThreadData } from '../../search/indexer/messages.ts'
import type { Removed } from '../../deliveries/retention.ts'

/** Load of the capture thread (0 to 1) above which the index waits. */
const highLoad = 0.3
const highLoadMs = 100
const batchMs = { quiet: 10, busy: 2 } as const
const busyPauseMs = 80
/** Threads that respond to deliveries wait for the processor. */
const breakEveryMs = 0.3
const quietAfterMs = 30
const retryMs = 1000
const skipMs = 20
/** Queries still find the damage until their connections are opened again. */
const recreatedMs = 5000
const reportEveryMs = 250
const maxRepeating = 500
const checkpointMs = 250
const idleMs = 1000
const longWalPages = 8192
const compaction = { percent: 10, pauseMs: 5 } as const

class Indexing {
  readonly #db: Db
  readonly #path: string
  readonly #key: string
  readonly #progress: Progress
  readonly #send: (event: IndexerEvent) => void
  #search: Db
  #indexer: Indexer
  readonly #observer: Observer
  #observedAt = 0
  #mustReload = true
  #stopping = false
  #failing: string | null = null
  #removals: Removed[]
  #mayCompact = true
  #repeating: number[] = []
  #reportedId: number
  #reportAt = 0
  #seenId: number
  #arrivedAt = Number.NEGATIVE_INFINITY
  #recreatedAt = Number.NEGATIVE_INFINITY
  #isOneByOne = false

  constructor(db: Db, path: string, progress: Progress, send: (event: IndexerEvent) => void) {
    this.#db = db
    this.#path = path
    this.#key = storeKey(db)
    this.#progress = progress
    this.#send = send
    this.#search = openSearchWriter(path, this.#key)
    this.#indexer = new Indexer(db, this.#search)
    this.#observer = new Observer(db)
    this.#reportedId = this.#indexer.indexedId
    this.#seenId = progress.storedId
    this.#removals = [{ ranges: [[0, oldestId(db) - 1]] }]
  }

  remove(removed: Removed): void {
    // Deletions before it are part of it.
    if (removed === 'all') this.#removals = []
    this.#removals.push(removed)
    this.#progress.wake()
  }

  reload(): void {
    this.#mustReload = true
    this.#progress.wake()
  }

  /** Builds the index again if it is damaged. Returns whether it is, or was a moment ago. */
  repair(): boolean {
    if (performance.now() - this.#recreatedAt < recreatedMs) return true
    if (isIndexIntact(this.#search)) return false
    this.#recreate()
    return true
  }

  releaseMemory(): void {
    releaseMemoryOf(this.#search)
  }

  /** Resolves after `stop`. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const wait = this.#attempt()
      if (wait === 0) await turn()
      else if (wait !== null) await pause(wait)
      else
        await this.#progress.pastStored(this.#seenId, this.#isReported() ? idleMs : reportEveryMs)
    }
    if (this.#observer.hasResult) this.#sendObserved()
    this.#search.close()
  }

  stop(): void {
    this.#stopping = true
    this.#progress.wake()
  }

  #attempt(): number | null {
    try {
      if (!this.#search.open || this.#isDeleted()) this.#recreate()
      const wait = this.#work()
      this.#reportIndexed()
      this.#reportObserved()
      this.#reportFailing(null)
      return wait
    } catch (error) {
      try {
        if (!isDamage(error)) this.#reportFailing(reasonOf(error))
        else if (isIndexIntact(this.#search)) return this.#skipUnreadable()
        else this.#recreate()
      } catch (failure) {
        this.#reportFailing(reasonOf(failure))
      }
      return retryMs
    }
  }

  #work(): number | null {
    const { storedId, busy } = this.#progress
    const now = performance.now()
    if (storedId !== this.#seenId) this.#arrivedAt = now
    this.#seenId = storedId
    const isQuiet = now - this.#arrivedAt >= quietAfterMs
    if (this.#indexer.indexedId < storedId) {
      if (busy > highLoad) return highLoadMs
      this.#repeating.push(...this.#indexer.step(storedId, this.#enough(isQuiet)))
      if (this.#indexer.indexedId < storedId) return isQuiet ? 0 : busyPauseMs
    }
    if (this.#removeNext()) return isQuiet ? 0 : compaction.pauseMs
    if (this.#mustObserve()) {
      if (busy > highLoad) return highLoadMs
      this.#observer.step(this.#indexer.indexedId, this.#enough(isQuiet))
      return isQuiet ? 0 : busyPauseMs
    }
    if (!this.#mayCompact || !isQuiet) return null
    this.#mayCompact = this.#indexer.compact(compaction.percent)
    return compaction.pauseMs
  }

  #mustObserve(): boolean {
    if (this.#mustReload) {
      this.#observer.reload()
      this.#mustReload = false
    }
    return this.#observer.observedId < this.#indexer.indexedId
  }

  #enough(isQuiet: boolean): () => boolean {
    if (this.#isOneByOne) return () => true
    return isQuiet ? after(batchMs.quiet) : afterGivingWay(batchMs.busy)
  }

  /** Not moved away with the whole folder. */
  #isDeleted(): boolean {
    return !existsSync(this.#path) && existsSync(this.#db.name)
  }

  #removeNext(): boolean {
    const [removed] = this.#removals
    if (removed === undefined) return false
    if (removed === 'all') this.#indexer.clear()
    else this.#indexer.remove(removed.ranges)
    this.#removals.shift()
    this.#mayCompact = true
    return true
  }

  /** Deliveries that cannot be read are not found. The first failure rolls others back, too, so these are indexed one by one. */
  #skipUnreadable(): number {
    if (this.#isOneByOne && this.#indexer.indexedId < this.#progress.storedId) {
      this.#indexer.skip()
    }
    this.#isOneByOne = !this.#isOneByOne
    return skipMs
  }

  #isReported(): boolean {
    return this.#indexer.indexedId === this.#reportedId && !this.#observer.hasResult
  }

  #reportIndexed(): void {
    const indexedId = this.#indexer.indexedId
    if (indexedId === this.#reportedId || performance.now() < this.#reportAt) return
    this.#reportedId = indexedId
    const repeating = this.#repeating.slice(-maxRepeating)
    this.#send({ event: 'indexed', indexedId: this.#reportedId, repeating })
    this.#repeating = []
    this.#reportAt = performance.now() + reportEveryMs
  }

  #reportObserved(): void {
    if (!this.#observer.hasResult || performance.now() < this.#observedAt) return
    this.#sendObserved()
    this.#observedAt = performance.now() + reportEveryMs
  }

  #sendObserved(): void {
    this.#send({ event: 'observed', observed: this.#observer.take() })
  }

  #reportFailing(reason: string | null): void {
    // Again with each retry: a thread that reports something does not rest.
    if (reason === null && this.#failing === null) return
    this.#failing = reason
    this.#send({ event: 'failing', reason })
  }

  #recreate(): void {
    this.#search.close()
    this.#search = recreateSearch(this.#path, this.#key)
    this.#indexer = new Indexer(this.#db, this.#search)
    this.#removals = []
    this.#reportedId = -1
    this.#recreatedAt = performance.now()
    this.#send({ event: 'recreated' })
  }
}

function after(ms: number): () => boolean {
  const ends = performance.now() + ms
  return () => performance.now() >= ends
}

/** Lets other threads run meanwhile. */
function afterGivingWay(ms: number): () => boolean {
  const isOver = after(ms)
  let resumedAt = performance.now()
  return () => {
    if (performance.now() - resumedAt >= breakEveryMs) {
      yieldProcessor()
      resumedAt = performance.now()
    }
    return isOver()
  }
}

/**
 * Copies the WAL of the store into the database, so that the writer need not, and keeps a copy of the configuration in its last good state. Returns a
 * function that stops it.
 */
function keepFiles(db: Db, storePath: string, progress: Progress, walLong: () => void): () => void {
  let copiedId = -1
  let dueAt = 0
  let configVersion: unknown = null
  const config = configPathOf(storePath)
  const timer = setInterval(() => {
    const now = performance.now()
    try {
      const version = db.pragma('config.data_version', { simple: true })
      if (config !== null && version !== configVersion) {
        copyConfiguration(db, config)
        db.pragma('config.wal_checkpoint(PASSIVE)')
        configVersion = version
      }
    } catch {
      // The next change, or the next start, tries again.
    }
    if (copiedId === progress.storedId && now < dueAt) return
    copiedId = progress.storedId
    dueAt = now + idleMs
    try {
      if (checkpoint(db) > longWalPages) walLong()
    } catch {
      // A disk that is full or broken is reported by the writer.
    }
  }, checkpointMs)
  return () => clearInterval(timer)
}

function run(port: MessagePort, data: IndexerThreadData): void {
  lowerPriority(5)
  const progress = new Progress(data.shared)
  const db = openWriter(data.storePath)
  db.pragma('cache_size = -2000')
  const send = (event: IndexerEvent): void => port.postMessage(event)
  const indexing = new Indexing(db, data.searchPath, progress, send)
  const endFiles = keepFiles(db, data.storePath, progress, () => send({ event: 'walLong' }))
  const running = indexing.run()
  const api: IndexerApi = {
    alertFacts: createAlertCheck(db),
    remove: (removed) => indexing.remove(removed),
    reload: () => indexing.reload(),
    repair: () => indexing.repair(),
    releaseMemory: () => {
      releaseMemoryOf(db)
      indexing.releaseMemory()
    },
    stop: async () => {
      endFiles()
      indexing.stop()
      await running
      db.close()
    },
  }
  serveApi(port, api)
}

function oldestId(db: Db): number {
  const row = prepare<[], { id: number | null }>(db, 'SELECT min(id) AS id FROM delivery').get()
  return row?.id ?? 1
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `openStore` of the same version
if (parentPort) run(parentPort, workerData as IndexerThreadData)
