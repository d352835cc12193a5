import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { Progress } from '../capture/progress.ts'
import { join } from 'node:path'
import { handledLater } from '#shared/async/handled-later.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import type { ThreadEntries } from '../platform/ports.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import { openReader, type Db } from '../platform/sqlite.ts'
import { readForwards, readResponses, readTargets, readUses } from '../endpoints/rules-store.ts'
import { readFieldChoices, readLogs, type StoredLog } from '../event-logs/store.ts'
import { readEndpoints, type StoredEndpoint } from '../endpoints/store.ts'
import { readIntegrations, type StoredIntegration } from '../integrations/store.ts'
import { requestCheck } from './damage.ts'
import { prepareStore, type PreparedStore } from './open.ts'
import { AppError } from '../platform/errors.ts'
import { storageReason } from '../platform/storage-failure.ts'
import type { ReaderApi, ReaderThreadData } from './queries.ts'
import { readRelays, type StoredRelay } from '../relay/store.ts'
import { readSettings } from '../settings/store.ts'
import { readTokens, type StoredToken } from '../tokens/store.ts'
import { readLastSpanId } from '../tunnel/store.ts'
import type { StoredScript } from '../scripts/messages.ts'
import { hasHeld } from '../sending/store/held.ts'
import { readScripts } from '../scripts/store.ts'
import { readTunnel, type StoredTunnel } from '../tunnel/record.ts'
import type { IndexerApi, IndexerEvent, IndexerThreadData } from '../search/indexer/messages.ts'
import type { WriterApi, WriterEvent, WriterThreadData } from './writer-api.ts'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/endpoint-rules.ts'
import type { FieldChoice } from '#contract/masking.ts'
import type { DamagedFile, Settings } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'

export interface Store {
  readonly writer: ThreadClient<WriterApi>
  readonly reader: ThreadClient<ReaderApi>
  readonly progress: Progress
  readonly nextId: number
  readonly initial: {
    readonly integrations: StoredIntegration[]
    readonly endpoints: StoredEndpoint[]
    readonly tokens: StoredToken[]
    readonly settings: Settings
    readonly forwards: ForwardTarget[]
    readonly responses: ResponseRule[]
    readonly ruleUses: RuleUse[]
    readonly targets: Target[]
    readonly logs: StoredLog[]
    readonly tunnel: StoredTunnel
    readonly relays: StoredRelay[]
    readonly scripts: StoredScript[]
    /** Deliveries were held when Tabscope ended. */
    readonly hasHeld: boolean
    readonly fieldChoices: FieldChoice[]
    /** Of the tunnel's history. */
    readonly lastSpanId: number
  }
  readonly path: string
  /** To the writer thread, for the sender thread (`SendWrites`). */
  readonly sendPort: MessagePort
  /** To the writer thread, for the capture thread (`ToWriter`). */
  readonly capturePort: MessagePort
  /** To the writer thread, for the relay thread. */
  readonly relayPort: MessagePort
  readonly damaged: readonly DamagedFile[]
  releaseIndexerMemory(): Promise<void>
  /** Call it when a query found damage. A damaged search index is built again; any other damage is repaired at the next start. */
  damageFound(): Promise<AppError | null>
  /** Call it after the capture thread has stopped. */
  close(): Promise<void>
}

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
): Store {
  const { initial, ...prepared } = prepare(dataDir, stamp, keepDamaged)
  let isClosing = false
  const progress = new Progress()
  progress.storedId = prepared.lastId

  const sending = new MessageChannel()
  const capturing = new MessageChannel()
  const relaying = new MessageChannel()
  const removing = new MessageChannel()
  const writerData: WriterThreadData = {
    sendPort: sending.port1,
    capturePort: capturing.port1,
    relayPort: relaying.port1,
    indexerPort: removing.port1,
    storePath: prepared.path,
    shared: progress.buffer,
    keep: {
      deliveries: initial.settings.keepDeliveries,
      bytes: initial.settings.keepBytes,
      days: initial.settings.keepDays,
    },
  }
  const writerThread = new Worker(entries.writer, {
    workerData: writerData,
    transferList: [sending.port1, capturing.port1, relaying.port1, removing.port1],
    resourceLimits: heapLimits.writer,
  })
  const writer = connectApi<WriterApi>(writerThread)
  writerThread.on('message', (message: WriterEvent | { rpc: string }) => {
    if ('event' in message && !isClosing) on.event(message)
  })
  writerThread.on('error', on.died)

  const indexerData: IndexerThreadData = {
    storePath: prepared.path,
    searchPath: join(dataDir, 'search.db'),
    writerPort: removing.port2,
    shared: progress.buffer,
  }
  const indexerThread = new Worker(entries.indexer, {
    workerData: indexerData,
    transferList: [removing.port2],
    resourceLimits: heapLimits.writer,
  })
  const indexer = connectApi<IndexerApi>(indexerThread)
  indexerThread.on('message', (message: IndexerEvent | { rpc: string }) => {
    if (!('event' in message) || isClosing) return
    if (message.event === 'walLong') handledLater(writer.call('restartWal'))
    else if (message.event === 'recreated') void reader.call('reopen').catch(on.died)
    else on.indexerEvent(message)
  })
  indexerThread.on('error', on.died)

  const readerData: ReaderThreadData = { storePath: prepared.path }
  const readerThread = new Worker(entries.reader, {
    workerData: readerData,
    resourceLimits: heapLimits.reader,
  })
  const reader = connectApi<ReaderApi>(readerThread)
  readerThread.on('error', on.died)

  return {
    writer,
    reader,
    progress,
    nextId: prepared.lastId + 1,
    initial,
    path: prepared.path,
    sendPort: sending.port2,
    capturePort: capturing.port2,
    relayPort: relaying.port2,
    releaseIndexerMemory: () => indexer.call('releaseMemory'),
    damaged: prepared.damaged,
    damageFound: async () => {
      if (await indexer.call('repair')) return rebuilding()
      requestCheck(prepared.path)
      return null
    },
    close: async () => {
      isClosing = true
      // A thread that has died must not keep the other one open.
      await reader.call('stop').catch(on.died)
      await readerThread.terminate()
      await indexer.call('stop').catch(on.died)
      await indexerThread.terminate()
      await writer.call('stop').catch(on.died)
      await writerThread.terminate()
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

export function readInitial(db: Db): Store['initial'] {
  return {
    integrations: readIntegrations(db),
    endpoints: readEndpoints(db),
    tokens: readTokens(db),
    settings: readSettings(db),
    forwards: readForwards(db),
    responses: readResponses(db),
    ruleUses: readUses(db),
    targets: readTargets(db),
    logs: readLogs(db),
    tunnel: readTunnel(db),
    relays: readRelays(db),
    scripts: readScripts(db),
    hasHeld: hasHeld(db),
    fieldChoices: readFieldChoices(db),
    lastSpanId: readLastSpanId(db),
  }
}

/** Adds instructions to errors of SQLite and the file system. */
function prepare(
  dataDir: string,
  stamp: string,
  keepDamaged: boolean,
): PreparedStore & Pick<Store, 'initial'> {
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
