import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { serveApi } from '../../threads/rpc.ts'
import { createDiskBudget, spaceAt, type DiskBudget } from './disk-budget.ts'
import { createLogStore, type LogStore } from './log-store.ts'
import type { ImportApi, ImportEvent, ImportThreadData, UpgradeThreadData } from './messages.ts'
import { Problems } from './problems.ts'
import { Sniffer } from './sniffer.ts'
import { unpack } from './unpack.ts'
import { upgradeStore } from './upgrade-store.ts'

/** How often is told how far it has come, in milliseconds. */
const toldEveryMs = 100
const pieceBytes = 256 * 1024

/** The thread of one import: reads a file that may be hostile into a store of its own. */
async function run(port: MessagePort, data: ImportThreadData): Promise<void> {
  const send = (event: ImportEvent): void => port.postMessage(event)
  const hash = createHash('sha256')
  const problems = new Problems()
  let store: LogStore | null = null
  let reader: Sniffer | null = null
  let read = 0
  let size: number | null = null
  let toldAt = 0
  const tell = (): void => {
    const now = performance.now()
    if (now - toldAt < toldEveryMs) return
    toldAt = now
    send({ event: 'progress', read, size, deliveries: store?.tally().deliveries ?? 0 })
  }
  try {
    const room = createDiskBudget(() => spaceAt(dirname(data.part)))
    if (data.path !== null) size = await sizeThatFits(data.path, room)
    const opened = createLogStore(data.part)
    store = opened
    const sniffer = new Sniffer(opened, problems, data.part, room)
    reader = sniffer
    const unpacking = unpack((chunk) => {
      room.take(chunk.byteLength)
      hash.update(chunk)
      sniffer.take(chunk)
      tell()
    })
    const take = async (bytes: Uint8Array): Promise<void> => {
      read += bytes.byteLength
      await unpacking.take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      tell()
    }
    if (data.path === null) {
      await takeFed(port, take)
    } else {
      for await (const chunk of createReadStream(data.path, { highWaterMark: pieceBytes })) {
        await take(chunk)
      }
    }
    const torn = await unpacking.end()
    const log = sniffer.finish(torn)
    toldAt = 0
    tell()
    send({ event: 'done', log: { ...log, name: data.name, sha256: hash.digest('hex') } })
  } catch (error) {
    const failed: ImportEvent = { event: 'failed', ...wordsOf(error) }
    for (const opened of [reader, store]) {
      try {
        opened?.close()
      } catch {
        // On a full disk this fails as well; the engine deletes the files.
      }
    }
    send(failed)
  }
}

/** Takes what is fed until its end. */
async function takeFed(
  port: MessagePort,
  take: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const over = Promise.withResolvers<void>()
  const api: ImportApi = {
    feed: async ({ bytes, end }) => {
      try {
        await take(bytes)
        if (end) over.resolve()
      } catch (error) {
        over.reject(error)
      }
    },
  }
  serveApi(port, api)
  await over.promise
}

/** Of the file in bytes. Uncompressed it is as large at least: one that does not fit is not begun. Throws `file_failed`. */
async function sizeThatFits(path: string, room: DiskBudget): Promise<number> {
  const found = await stat(path)
  if (found.isFile()) {
    // Not its length: a file with holes ends at its first one.
    room.assertFor(Math.min(found.size, found.blocks * 512))
    return found.size
  }
  throw new AppError('file_failed', `${path} is no file. Choose an event log.`)
}

function wordsOf(error: unknown): { code: AppError['code']; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    if (error.code === 'ENOENT') {
      return { code: 'file_failed', message: 'There is no such file. Look at its name and folder.' }
    }
    if (error.code === 'EACCES' || error.code === 'EPERM') {
      return { code: 'file_failed', message: 'The file may not be read. Look at its rights.' }
    }
    if (error.code === 'SQLITE_FULL' || error.code === 'ENOSPC') {
      return {
        code: 'file_failed',
        message: 'The disk of the data folder is full. Make room, then import it again.',
      }
    }
    return {
      code: 'file_failed',
      message: `The import failed: ${error.message}. Look at the file and at the disk of the data folder.`,
    }
  }
  const words = error instanceof Error ? error.message : 'unknown reason'
  return { code: 'log_unreadable', message: `The file cannot be read: ${words}.` }
}

function isUpgrade(data: ImportThreadData | UpgradeThreadData): data is UpgradeThreadData {
  return data.kind === 'upgrade'
}

if (parentPort) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the engine gave, in the same program
  const data = workerData as ImportThreadData | UpgradeThreadData
  if (isUpgrade(data)) upgradeStore(data.store)
  else void run(parentPort, data)
}
