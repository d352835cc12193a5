import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { Progress } from '../../platform/progress.ts'
import { join } from 'node:path'
import { handledLater } from '#shared/async/handled-later.ts'
import { systemClock } from '../../platform/clock.ts'
import { heapLimits } from '../../platform/heap-limits.ts'
import type { AlertQuery } from '../../deliveries/health/alerts.ts'
import type { ThreadEntries } from '../../platform/ports.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import { Thread } from '../../platform/thread.ts'
import { openReader, type Db } from '../../platform/sqlite.ts'
import { readForwards, readResponses, readTargets } from '../../deliveries/endpoints/rules-store.ts'
import { readFieldChoices, readLogs } from '../../event-logs/store.ts'
import { readEndpoints } from '../../deliveries/endpoints/store.ts'
import { readIntegrations } from '../../receiving/integrations/store.ts'
import type { KeepLimits } from '../../deliveries/retention.ts'
import { requestCheck } from '../../deliveries/damage.ts'
import { prepareStore, type PreparedStore } from '../opening/open-store.ts'
import { AppError } from '../../platform/errors.ts'
import { storageReason } from '../../platform/storage-failure.ts'
import type { ReaderApi } from './queries.ts'
import type { ReaderThreadData } from '../../platform/store/store-port.ts'
import { readRelays } from '../../deliveries/relay-store.ts'
import { readSettings } from '../../platform/settings/store.ts'
import { readTokens } from '../../authorization/tokens/store.ts'
import { hasHeld } from '../../sending/store/held.ts'
import { readScripts } from '../../sending/scripts/store.ts'
import { readTunnel } from '../../receiving/tunnel/record.ts'
import type { IndexerApi, IndexerEvent, IndexerThreadData } from '../../search/indexer/messages.ts'
import type { WriterApi, WriterEvent, WriterThreadData } from './writer-api.ts'

/** The memory of readers and indexer is returned while nothing happens. */
const resting = {
  clock: systemClock,
  ms: 60_000,
  stop: (api: ThreadClient<{ stop: () => Promise<void> | void }>) => api.call('stop'),
}
/** The disk may be full, which the next group reports. */
const retryMs = 1000

export type Store = ReturnType<typeof openStore>

export interface StoreListener {
  readonly event: (event: WriterEvent) => void
  readonly indexerEvent: (event: IndexerEvent) => void
  readonly died: (error: Error) => void
}

/** The folder must be locked. Throws `store_too_new` or `store_failed`. */
export function openStore(
  dataDir: string,
  stamp: string,
  entries: ThreadEntries,
  on: StoreListener,
  keepDamaged = false,
) {
  const { initial, path, lastId, damaged } = prepare(dataDir, stamp, keepDamaged)
  const { keepDeliveries: deliveries, keepBytes: bytes, keepDays: days } = initial.settings
  const progress = new Progress()
  progress.storedId = lastId
  const searchPath = join(dataDir, 'search.db')
  const { writer, indexer, reader, ...threads } = startThreads(
    { path, searchPath, shared: progress.buffer, keep: { deliveries, bytes, days } },
    entries,
    on,
  )
  return {
    writer,
    reader,
    progress,
    nextId: lastId + 1,
    initial,
    path,
    ...threads,
    damaged,
    /** Call it when a query found damage. A damaged search index is built again; any other damage is repaired at the next start. */
    damageFound: async (): Promise<AppError | null> => {
      if (await indexer.call('repair')) return rebuilding()
      requestCheck(path)
      return null
    },
  }
}

function startThreads(
  store: {
    path: string
    searchPath: string
    shared: SharedArrayBuffer
    keep: KeepLimits
  },
  entries: ThreadEntries,
  on: StoreListener,
) {
  const { path: storePath, searchPath, shared, keep } = store
  const { died } = on
  let isClosing = false
  const sending = new MessageChannel()
  const capturing = new MessageChannel()
  const relaying = new MessageChannel()
  const writerData: WriterThreadData = {
    sendPort: sending.port1,
    capturePort: capturing.port1,
    relayPort: relaying.port1,
    storePath,
    shared,
    keep,
  }
  const writer = new Thread<WriterApi, WriterEvent>({
    entry: entries.writer,
    limits: heapLimits.writer,
    data: () => writerData,
    ports: [sending.port1, capturing.port1, relaying.port1],
    event: (event) => {
      if (isClosing) return
      if (event.event !== 'deleted') indexer.wake()
      else handledLater(indexer.api.call('remove', event.removed))
      on.event(event)
    },
    died,
  })
  const indexer = new Thread<IndexerApi, IndexerEvent>({
    entry: entries.indexer,
    limits: heapLimits.writer,
    data: (): IndexerThreadData => ({ storePath, searchPath, shared }),
    event: (event) => {
      if (event.event === 'observed') storing = storeObserved(event)
      else if (isClosing) return
      else if (event.event === 'walLong') handledLater(writer.api.call('restartWal'))
      else if (event.event === 'recreated') void reader.started?.call('reopen').catch(died)
      else if (event.event !== 'failing') on.indexerEvent(event)
      else if (event.reason !== failing) {
        failing = event.reason
        on.indexerEvent(event)
      }
    },
    died,
    idle: resting,
  })
  let storing = Promise.resolve()
  let failing: string | null = null
  const storeObserved = async (event: IndexerEvent & { event: 'observed' }): Promise<void> => {
    const stored = await writer.api.call('storeObserved', event.observed).catch(() => null)
    if (stored === null) await pause(retryMs)
    if (isClosing) return
    if (stored) on.indexerEvent(event)
    else handledLater(indexer.api.call('reload'))
  }
  const reader = new Thread<ReaderApi>({
    entry: entries.reader,
    limits: heapLimits.reader,
    data: (): ReaderThreadData => ({ storePath }),
    died,
    idle: resting,
  })
  writer.start()
  indexer.wake()
  return {
    writer: waking(writer.api, indexer),
    indexer: indexer.api,
    reader: reader.api,
    alertFacts: (query: AlertQuery) => indexer.api.call('alertFacts', query),
    releaseMemory: async () => {
      await writer.api.call('releaseMemory')
      await indexer.started?.call('releaseMemory')
      await reader.started?.call('releaseMemory')
    },
    touched: async (ids: readonly number[]) => reader.started?.call('touched', ids),
    /** To the writer thread, for the sender thread (`SendWrites`), the capture thread (`ToWriter`) and the relay thread. */
    sendPort: sending.port2,
    capturePort: capturing.port2,
    relayPort: relaying.port2,
    /** Call it after the capture thread has stopped. */
    close: async () => {
      isClosing = true
      // A thread that has died must not keep the other ones open.
      await reader.close()
      await indexer.close()
      await storing
      await writer.close((api) => api.call('stop')).catch(died)
    },
  }
}

/** The indexer copies what the writer changed. */
function waking(
  writer: ThreadClient<WriterApi>,
  indexer: Pick<Thread<IndexerApi>, 'wake'>,
): ThreadClient<WriterApi> {
  return {
    call: (name, ...input) => {
      if (name !== 'writePresence') indexer.wake()
      return writer.call(name, ...input)
    },
  }
}

function rebuilding(): AppError {
  return new AppError(
    'store_failed',
    'The search index was damaged, and is built again. Try again in a moment.',
    { retry: 'later' },
  )
}

export function readInitial(db: Db) {
  return {
    integrations: readIntegrations(db),
    endpoints: readEndpoints(db),
    tokens: readTokens(db),
    settings: readSettings(db),
    forwards: readForwards(db),
    responses: readResponses(db),
    targets: readTargets(db),
    logs: readLogs(db),
    tunnel: readTunnel(db),
    relays: readRelays(db),
    scripts: readScripts(db),
    /** Deliveries were held when Tabscope ended. */
    hasHeld: hasHeld(db),
    fieldChoices: readFieldChoices(db),
  }
}

/** Adds instructions to errors of SQLite and the file system. */
function prepare(
  dataDir: string,
  stamp: string,
  keepDamaged: boolean,
): PreparedStore & { initial: ReturnType<typeof readInitial> } {
  try {
    const prepared = prepareStore(dataDir, stamp, undefined, undefined, keepDamaged)
    const db = openReader(prepared.path)
    try {
      return { ...prepared, initial: readInitial(db) }
    } finally {
      db.close()
    }
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error
    throw new AppError(
      'store_failed',
      `The data in ${dataDir} cannot be opened. ${storageReason(error) ?? "Check the folder's permissions and the free space on its disk."} Or use another folder: --data DIR.`,
      { cause: error },
    )
  }
}
