import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { serveApi } from '../../platform/rpc.ts'
import { releaseMemoryOf } from '../../platform/release-memory.ts'
import { openReader } from '../../platform/sqlite.ts'
import { createQueries, type ReaderApi } from './queries.ts'
import type { ReaderThreadData } from '../../platform/store/store-port.ts'

function run(port: MessagePort, data: ReaderThreadData): void {
  let db = openReader(data.storePath)
  const api: ReaderApi = {
    ...createQueries(db),
    reopen: () => {
      const old = db
      db = openReader(data.storePath)
      Object.assign(api, createQueries(db))
      old.close()
    },
    releaseMemory: () => releaseMemoryOf(db),
    stop: () => void db.close(),
  }
  serveApi(port, api)
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- passed by `openStore` of the same version
if (parentPort) run(parentPort, workerData as ReaderThreadData)
