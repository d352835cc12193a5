import { MessageChannel } from 'node:worker_threads'
import { Progress } from '../capture/progress.ts'
import { refused } from '../app/dispatch.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { createQueries } from './queries.ts'
import type { ReaderApi } from './queries.ts'
import { readDamagedFiles, requestCheck } from './damage.ts'
import { storePath } from './data-folder.ts'
import { openSettled } from './settled.ts'
import { readInitial, type Store } from './store.ts'

/** Without threads: queries run on the caller's thread. Returns null if it must be opened for writing first, see `openSettled`. */
export function openReadOnlyStore(dataDir: string): Store | null {
  const db = openSettled(dataDir, true)
  if (!db) return null
  const initial = readInitial(db)
  const api: ReaderApi = {
    ...createQueries(db),
    // Nothing arrives here.
    reopen: () => undefined,
    releaseMemory: () => undefined,
    stop: () => void db.close(),
  }
  const reader: ThreadClient<ReaderApi> = {
    call: async (name, ...input) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot relate the name to its function through the union
      const query = api[name] as (...input: unknown[]) => unknown
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
      return (await query(...input)) as never
    },
  }
  const { newestId } = api.stats()
  const progress = new Progress()
  progress.storedId = newestId
  // Nothing is sent here: the ports have no receivers.
  const sending = new MessageChannel()
  const capturing = new MessageChannel()
  sending.port1.unref()
  capturing.port1.unref()
  const relaying = new MessageChannel()
  relaying.port1.unref()
  return {
    readOnly: true,
    reader,
    writer: {
      call: async (...[name]) => {
        throw refused(name)
      },
    },
    progress,
    nextId: newestId + 1,
    initial,
    path: storePath(dataDir),
    sendPort: sending.port2,
    capturePort: capturing.port2,
    relayPort: relaying.port2,
    releaseIndexerMemory: async () => undefined,
    damageFound: async () => {
      requestCheck(storePath(dataDir))
      return null
    },
    damaged: readDamagedFiles(db),
    close: async () => {
      sending.port1.close()
      capturing.port1.close()
      await reader.call('stop')
    },
  }
}
