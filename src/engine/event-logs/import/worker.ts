import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { AppError } from '../../platform/errors.ts'
import { serveApi } from '../../platform/rpc.ts'
import { createDiskBudget, spaceAt, type DiskBudget } from './disk-budget.ts'
import { createLogStore, type LogStore } from './log-store.ts'
import type {
  ImportApi,
  ImportEvent,
  ImportThreadData,
  UpgradeThreadData,
  LogReader,
  ReadLog,
} from './messages.ts'
import { Problems } from './problems.ts'
import { upgradeStore } from './upgrade-store.ts'
import { constants, createGunzip } from 'node:zlib'
import { HarReader } from './har.ts'
import { NativeReader } from './native.ts'
import { isUtf8 } from 'node:buffer'

type Seems =
  | { readonly kind: 'ndjson' | 'har' }
  | { readonly kind: 'other'; readonly sentence: string }

const wanted =
  'Choose a file that Tabscope has written as "Event log" (ndjson, also compressed), or a HAR file.'

/** First bytes of what is taken for an event log by mistake. */
const signatures: readonly { readonly bytes: readonly number[] | string; readonly is: string }[] = [
  { bytes: 'SQLite format 3\0', is: 'a database (SQLite)' },
  { bytes: 'PK\u0003\u0004', is: 'a zip archive: unpack it first' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], is: 'compressed with zstd: unpack it first' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], is: 'compressed with xz: unpack it first' },
  { bytes: 'BZh', is: 'compressed with bzip2: unpack it first' },
  { bytes: [0x1f, 0x8b], is: 'compressed twice: unpack it once' },
  { bytes: '%PDF', is: 'a PDF' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], is: 'a picture' },
  { bytes: [0xff, 0xd8, 0xff], is: 'a picture' },
  { bytes: [0xff, 0xfe], is: 'text in UTF-16: save it as UTF-8' },
  { bytes: [0xfe, 0xff], is: 'text in UTF-16: save it as UTF-8' },
]

/** What a file is, by its first bytes. */
function detectFormat(head: Buffer): Seems {
  if (head.byteLength === 0) return other('empty')
  for (const { bytes, is } of signatures) {
    const start = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
    if (head.subarray(0, start.byteLength).equals(start)) return other(is)
  }
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  if (/^\s*\{\s*"log"\s*:/.test(text)) return { kind: 'har' }
  if (/^\{[^\n]*[^\s{]/.test(text.trimStart())) return { kind: 'ndjson' }
  if (text.trim() === '') return other('blank')
  if (/^\s*(<!doctype\s+html|<html)/i.test(text)) {
    return other('an HTML page. It can be opened in a browser, but not be imported')
  }
  if (/^\s*[[{]/.test(text)) return other('JSON, but neither an event log nor HAR')
  // The last character may be cut in two.
  if (text.includes('\0') || !isUtf8(head.subarray(0, Math.max(1, head.byteLength - 4)))) {
    return other('no text')
  }
  if (/^\s*(curl|http|https)\s/.test(text) || text.startsWith('#!')) return other('a shell script')
  const [line = ''] = text.split('\n')
  if (line.split(/[,;\t]/).length > 3) return other('a table (CSV)')
  if (/^\s*(#|```|await fetch)/.test(text)) return other('text for people')
  return other('no event log')
}

function other(is: string): Seems {
  return {
    kind: 'other',
    sentence: `The file seems to be ${is}. ${wanted}`,
  }
}

/** So much of a file decides what it is, in bytes. */
const enough = 4096

/** Finds out by the first bytes what a file is, and has it read by the reader of its format. */
class Sniffer implements LogReader {
  readonly #store: LogStore
  readonly #problems: Problems
  readonly #part: string
  readonly #room: DiskBudget
  #held: Buffer[] = []
  #heldBytes = 0
  #reader: LogReader | null = null

  /** `part`: the name under which other files may be put aside meanwhile. */
  constructor(store: LogStore, problems: Problems, part: string, room: DiskBudget) {
    this.#store = store
    this.#problems = problems
    this.#part = part
    this.#room = room
  }

  take(chunk: Buffer): void {
    if (this.#reader) return this.#reader.take(chunk)
    // A copy: whoever gave the bytes may use them again.
    this.#held.push(Buffer.from(chunk))
    this.#heldBytes += chunk.byteLength
    if (this.#heldBytes >= enough) this.#begin()
  }

  finish(torn: string | null): ReadLog {
    const reader = this.#reader ?? this.#begin()
    return reader.finish(torn)
  }

  close(): void {
    this.#reader?.close()
  }

  #begin(): LogReader {
    const held = Buffer.concat(this.#held)
    this.#held = []
    const seems = detectFormat(held.subarray(0, enough))
    if (seems.kind === 'other') throw new AppError('log_unreadable', seems.sentence)
    const reader = this.#readerOf(seems.kind)
    this.#reader = reader
    reader.take(held)
    return reader
  }

  #readerOf(kind: 'ndjson' | 'har'): LogReader {
    switch (kind) {
      case 'ndjson':
        return new NativeReader(this.#store, this.#problems)
      case 'har':
        return new HarReader(this.#store, this.#problems, `${this.#part}-entries`, this.#room)
    }
  }
}

/** No log is longer, uncompressed, in bytes: a file of valid lines without an end must not fill the disk. */
const longestLog = 64 * 1024 ** 3
/** What is compressed so well beyond `freeBytes` was made to burst: an event log reaches some 30, since no two hashes are alike. */
const mostRatio = 250
const freeBytes = 64 * 1024 * 1024

/** Takes bytes as they stand in a file. */
interface Unpacking {
  /** Resolves when more is wanted. Throws what the receiver throws, and `log_unreadable` for what bursts. */
  take(chunk: Buffer): Promise<void>
  /** Resolves with why it could not be read to its end, as a sentence; null: it could. */
  end(): Promise<string | null>
}

/** Undoes gzip, which is known by its first bytes, and hands on what comes of it. */
export function unpack(receive: (chunk: Buffer) => void): Unpacking {
  let first: Buffer | null = null
  let unpacking: Unpacking | null = null
  const begin = (chunk: Buffer): Unpacking =>
    chunk[0] === 0x1f && chunk[1] === 0x8b ? gunzip(receive) : plain(receive)
  return {
    take: async (chunk) => {
      if (unpacking) return unpacking.take(chunk)
      first = first ? Buffer.concat([first, chunk]) : chunk
      if (first.byteLength < 2) return
      unpacking = begin(first)
      return unpacking.take(first)
    },
    end: async () => {
      if (unpacking) return unpacking.end()
      if (first) receive(first)
      return null
    },
  }
}

function plain(receive: (chunk: Buffer) => void): Unpacking {
  let total = 0
  return {
    take: async (chunk) => {
      total += chunk.byteLength
      assertShort(total)
      receive(chunk)
    },
    end: async () => null,
  }
}

function gunzip(receive: (chunk: Buffer) => void): Unpacking {
  // What is cut off is read as far as it goes.
  const stream = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 })
  let compressed = 0
  let total = 0
  let failure: Error | null = null
  let torn: string | null = null
  const failed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  stream.on('data', (chunk: Buffer) => {
    if (failure) return
    try {
      total += chunk.byteLength
      assertShort(total)
      if (total > freeBytes && total > compressed * mostRatio) throw burst()
      receive(chunk)
    } catch (error) {
      failure = error instanceof Error ? error : new Error('unknown reason', { cause: error })
      stream.destroy()
      failed.resolve()
    }
  })
  stream.on('error', () => {
    torn = `The compressed data is damaged behind ${total} bytes of content. What follows could not be read.`
    failed.resolve()
  })
  stream.on('end', () => ended.resolve())
  const assertFine = (): void => {
    if (failure) throw failure
  }
  return {
    take: async (chunk) => {
      if (torn !== null) return
      compressed += chunk.byteLength
      const taken = new Promise<void>((resolve) => stream.write(chunk, () => resolve()))
      await Promise.race([taken, failed.promise])
      assertFine()
    },
    end: async () => {
      if (torn === null) {
        stream.end()
        await Promise.race([ended.promise, failed.promise])
      }
      assertFine()
      return torn
    },
  }
}

function assertShort(total: number): void {
  if (total <= longestLog) return
  throw new AppError(
    'log_unreadable',
    `The file holds more than ${longestLog / 1024 ** 3} GiB. That is more than is imported: export less at a time, by a filter or a time span.`,
  )
}

function burst(): AppError {
  return new AppError(
    'log_unreadable',
    `The file is compressed more than ${mostRatio} times, as no event log is: it was made to fill memory or disk. It was not imported.`,
  )
}

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
