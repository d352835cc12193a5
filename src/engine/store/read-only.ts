import { MessageChannel } from 'node:worker_threads'
import { journalDir } from '../capture/journal-format.ts'
import { Progress } from '../capture/progress.ts'
import { refused } from '../app/dispatch.ts'
import type { ThreadClient } from '../platform/rpc.ts'
import { createQueries } from './queries.ts'
import type { ReaderApi } from './reader-api.ts'
import { storePath } from './data-folder.ts'
import { openSettled } from './settled.ts'
import { readInitial, type Store } from './store.ts'

/** Without threads: queries run on the caller's thread. Returns null if it must be opened for writing first, see `openSettled`. */
export function openReadOnlyStore(dataDir: string): Store | null {
  const db = openSettled(dataDir, true)
  if (!db) return null
  const initial = readInitial(db, [])
  const api: ReaderApi = {
    ...createQueries(db),
    // Nothing arrives here.
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
  progress.publish(0, newestId)
  progress.storedId = newestId
  // Nothing is sent here: the port has no receiver.
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  return {
    readOnly: true,
    reader,
    writer: {
      call: async (...[name]) => {
        if (name !== 'catchUp') throw refused(name)
        // A settled store contains the complete journal. `catchUp` returns nothing.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
        return undefined as never
      },
    },
    progress,
    journal: { dir: journalDir(dataDir), end: 0, nextId: newestId + 1 },
    initial,
    path: storePath(dataDir),
    sendPort: port2,
    setAside: null,
    close: async () => {
      port1.close()
      await reader.call('stop')
    },
  }
}
