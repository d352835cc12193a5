import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { listSegments, journalDir, type CountedBy } from '../capture/journal-format.ts'
import { findJournalEnd } from '../capture/journal-reader.ts'
import { Progress } from '../capture/progress.ts'
import { heapLimits } from '../platform/heap-limits.ts'
import type { ThreadEntries } from '../platform/ports.ts'
import { connectApi, type ThreadClient } from '../platform/rpc.ts'
import { openReader, type Db } from '../platform/sqlite.ts'
import {
  addUses,
  readForwards,
  readResponses,
  readTargets,
  readUses,
} from '../endpoints/rules-store.ts'
import { readLogs, type StoredLog, readRedactionRules } from '../event-logs/store.ts'
import { readEndpoints, type StoredEndpoint } from '../endpoints/store.ts'
import { readIntegrations, type StoredIntegration } from '../integrations/store.ts'
import { prepareStore, type PreparedStore } from './open.ts'
import { AppError } from '../platform/errors.ts'
import { reasonOf, storageReason } from '../platform/storage-failure.ts'
import type { ReaderApi, ReaderThreadData } from './reader-api.ts'
import { readSettings } from '../settings/store.ts'
import { readTokens, type StoredToken } from '../tokens/store.ts'
import { readLastSpanId } from '../tunnel/store.ts'
import { readTunnel, type StoredTunnel } from '../tunnel/record.ts'
import type { WriterApi, WriterEvent, WriterThreadData } from './writer-api.ts'
import type { ForwardTarget, ResponseRule, RuleUse } from '#contract/endpoint-rules.ts'
import type { RedactionRule } from '#contract/logs.ts'
import type { Settings } from '#contract/models.ts'
import type { Target } from '#contract/sending.ts'

export interface Store {
  /** Opened without locking the folder. The writer refuses every call. */
  readonly readOnly: boolean
  readonly writer: ThreadClient<WriterApi>
  readonly reader: ThreadClient<ReaderApi>
  readonly progress: Progress
  readonly journal: { readonly dir: string; readonly end: number; readonly nextId: number }
  readonly initial: {
    readonly integrations: StoredIntegration[]
    readonly endpoints: StoredEndpoint[]
    readonly tokens: StoredToken[]
    readonly settings: Settings
    readonly forwards: ForwardTarget[]
    readonly responses: ResponseRule[]
    /** Includes uses that are in the journal but not in the store yet. */
    readonly ruleUses: RuleUse[]
    readonly targets: Target[]
    readonly logs: StoredLog[]
    readonly tunnel: StoredTunnel
    readonly redactionRules: RedactionRule[]
    /** Of the tunnel's history. */
    readonly lastSpanId: number
  }
  readonly path: string
  /** To the writer thread, for the sender thread (`SendWrites`). */
  readonly sendPort: MessagePort
  /** Where a damaged store was moved. */
  readonly setAside: string | null
  /** Ingests the rest of the journal first. Call it after the capture thread has stopped. */
  close(): Promise<void>
}

export interface StoreListener {
  readonly event: (event: WriterEvent) => void
  readonly died: (error: Error) => void
}

/** Ingests deliveries that were acknowledged but not stored before a crash. The folder must be locked. Throws `store_too_new` or `store_failed`. */
export function openStore(
  dataDir: string,
  stamp: string,
  entries: ThreadEntries,
  on: StoreListener,
  keepDamaged = false,
): Store {
  const prepared = prepare(dataDir, stamp, keepDamaged)
  const dir = journalDir(dataDir)
  // After a damaged store was moved aside, the journal starts at its first file, not at the position of the new store.
  const from = Math.max(prepared.journalPosition, listSegments(dir)[0]?.start ?? 0)
  const { end, lastId, counted } = findJournalEnd(dir, from)
  const newest = Math.max(prepared.lastId, lastId ?? 0)
  const progress = new Progress()
  progress.publish(end, newest)
  progress.storedPosition = from

  const db = openReader(prepared.path)
  const initial = readInitial(db, counted)
  db.close()

  const sending = new MessageChannel()
  const writerData: WriterThreadData = {
    sendPort: sending.port1,
    storePath: prepared.path,
    journalDir: dir,
    journalFrom: from,
    shared: progress.buffer,
    keep: { deliveries: initial.settings.keepDeliveries, bytes: initial.settings.keepBytes },
  }
  const writerThread = new Worker(entries.writer, {
    workerData: writerData,
    transferList: [sending.port1],
    resourceLimits: heapLimits.writer,
  })
  const writer = connectApi<WriterApi>(writerThread)
  writerThread.on('message', (message: WriterEvent | { rpc: string }) => {
    if ('event' in message) on.event(message)
  })
  writerThread.on('error', (error) => {
    const reason = reasonOf(error).replace(/\.?$/, '.')
    on.event({ event: 'failing', reason: `${reason} Restart Tabscope.` })
    on.died(error)
  })

  const readerData: ReaderThreadData = { storePath: prepared.path }
  const readerThread = new Worker(entries.reader, {
    workerData: readerData,
    resourceLimits: heapLimits.reader,
  })
  const reader = connectApi<ReaderApi>(readerThread)
  readerThread.on('error', on.died)

  return {
    readOnly: false,
    writer,
    reader,
    progress,
    journal: { dir, end, nextId: newest + 1 },
    initial,
    path: prepared.path,
    sendPort: sending.port2,
    setAside: prepared.setAside,
    close: async () => {
      // A thread that has died must not keep the other one open.
      await reader.call('stop').catch(on.died)
      await readerThread.terminate()
      await writer.call('stop').catch(on.died)
      await writerThread.terminate()
    },
  }
}

/** `counted`: uses of response rules that are in the journal but not in the store yet. */
export function readInitial(db: Db, counted: readonly CountedBy[]): Store['initial'] {
  return {
    integrations: readIntegrations(db),
    endpoints: readEndpoints(db),
    tokens: readTokens(db),
    settings: readSettings(db),
    forwards: readForwards(db),
    responses: readResponses(db),
    ruleUses: addUses(readUses(db), counted),
    targets: readTargets(db),
    logs: readLogs(db),
    tunnel: readTunnel(db),
    redactionRules: readRedactionRules(db),
    lastSpanId: readLastSpanId(db),
  }
}

/** Adds instructions to errors of SQLite and the file system. */
function prepare(dataDir: string, stamp: string, keepDamaged: boolean): PreparedStore {
  try {
    return prepareStore(dataDir, stamp, undefined, undefined, keepDamaged)
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error)) throw error
    throw new AppError(
      'store_failed',
      storageReason(error) === null
        ? `The data in ${dataDir} cannot be opened: ${error.message}. Check the folder's permissions and the free space on its disk, or use another folder: --data DIR.`
        : `The data in ${dataDir} cannot be opened. ${storageReason(error)} Or use another folder: --data DIR.`,
      { cause: error },
    )
  }
}
