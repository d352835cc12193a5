import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, statfsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '../../platform/errors.ts'
import { serveTask, type TaskContext } from '../../platform/task.ts'
import { copyDeliveries } from './copy.ts'
import { detectFormat, type Format } from './detect-format.ts'
import { LogStore } from './log-store.ts'
import type { ImportedLog, ImportShape, LogReader, ReadLog } from './messages.ts'
import { Problems } from './problems.ts'
import { constants, createGunzip } from 'node:zlib'
import { HarReader } from './har.ts'
import { NativeReader } from './native.ts'
import { systemReason } from '#shared/text/errors.ts'
import { formatSize } from '#shared/text/format.ts'

/** Stays free for deliveries received during the import: this many bytes, or this share of a small disk. */
const reserveBytes = 1024 ** 3
const reserveShare = 0.05
/** Other programs use the disk too, and a store is larger than its content. */
const measureEvery = 16 * 1024 * 1024

export interface DiskSpace {
  readonly free: number
  readonly size: number
}

type DiskBudget = ReturnType<typeof createDiskBudget>

/** Measures repeatedly: neither the size of a compressed file nor the size that it declares predicts its content. */
export function createDiskBudget(measure: () => DiskSpace) {
  const { free, size } = measure()
  const reserve = Math.min(reserveBytes, size * reserveShare)
  let remaining = free - reserve
  let untilMeasure = measureEvery
  const assertFor = (bytes: number): void => {
    if (remaining < bytes) throw notEnoughSpace(free)
  }
  return {
    /** Throws `file_failed` if this many further bytes would not fit. */
    assertFor,
    /** Call before writing this many bytes. Throws `file_failed` if they would leave less than the reserve. */
    take: (bytes: number) => {
      remaining -= bytes
      untilMeasure -= bytes
      if (untilMeasure <= 0) {
        untilMeasure = measureEvery
        remaining = Math.min(remaining, measure().free - reserve)
      }
      assertFor(0)
    },
  }
}

export function spaceAt(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

function notEnoughSpace(free: number): AppError {
  return new AppError(
    'file_failed',
    `The log does not fit on the disk of the data folder, where ${formatSize(free)} were free. Free up space, then import it again. Or export fewer deliveries at a time, with a filter or a time range.`,
  )
}

const detectBytes = 4096

class FormatReader implements LogReader {
  readonly #open: (format: Format) => LogReader
  #chunks: Buffer[] = []
  #bufferedBytes = 0
  #reader: LogReader | null = null

  constructor(open: (format: Format) => LogReader) {
    this.#open = open
  }

  write(chunk: Buffer): void {
    if (this.#reader) return this.#reader.write(chunk)
    // A copy, because the caller may reuse the buffer.
    this.#chunks.push(Buffer.from(chunk))
    this.#bufferedBytes += chunk.byteLength
    if (this.#bufferedBytes >= detectBytes) this.#start()
  }

  finish(truncated: string | null): ReadLog {
    const reader = this.#reader ?? this.#start()
    return reader.finish(truncated)
  }

  close(): void {
    this.#reader?.close()
  }

  #start(): LogReader {
    const buffered = Buffer.concat(this.#chunks)
    this.#chunks = []
    const reader = this.#open(detectFormat(buffered.subarray(0, detectBytes)))
    this.#reader = reader
    reader.write(buffered)
    return reader
  }
}

/** An endless file of valid lines must not fill the disk. */
const maxLogBytes = 64 * 1024 ** 3
/** A higher ratio is a compression bomb; event logs reach about 30, because hashes do not compress. The first `ratioFreeBytes` are exempt. */
const maxRatio = 250
const ratioFreeBytes = 64 * 1024 * 1024

interface Unpacker {
  /** Resolves when it can process more. Throws what the receiver throws, and `log_unreadable` for a compression bomb. */
  write(chunk: Buffer): Promise<void>
  /** Resolves with why the file could not be read completely, as a sentence, or null. */
  end(): Promise<string | null>
}

/** Detects gzip by its first bytes. */
export function createUnpacker(receive: (chunk: Buffer) => void): Unpacker {
  let firstBytes: Buffer | null = null
  let unpacker: Unpacker | null = null
  const start = (chunk: Buffer): Unpacker =>
    chunk[0] === 0x1f && chunk[1] === 0x8b ? gunzip(receive) : plain(receive)
  return {
    write: async (chunk) => {
      if (unpacker) return unpacker.write(chunk)
      firstBytes = firstBytes ? Buffer.concat([firstBytes, chunk]) : chunk
      if (firstBytes.byteLength < 2) return
      unpacker = start(firstBytes)
      return unpacker.write(firstBytes)
    },
    end: async () => {
      if (unpacker) return unpacker.end()
      if (firstBytes) receive(firstBytes)
      return null
    },
  }
}

function plain(receive: (chunk: Buffer) => void): Unpacker {
  let total = 0
  return {
    write: async (chunk) => {
      total += chunk.byteLength
      assertShort(total)
      receive(chunk)
    },
    end: async () => null,
  }
}

function gunzip(receive: (chunk: Buffer) => void): Unpacker {
  // `Z_SYNC_FLUSH` reads a truncated file as far as possible.
  const stream = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 })
  let compressed = 0
  let total = 0
  let failure: Error | null = null
  let truncated: string | null = null
  const failed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  stream.on('data', (chunk: Buffer) => {
    if (failure) return
    try {
      total += chunk.byteLength
      assertShort(total)
      if (total > ratioFreeBytes && total > compressed * maxRatio) throw compressionBomb()
      receive(chunk)
    } catch (error) {
      failure = error instanceof Error ? error : new Error('unknown reason', { cause: error })
      stream.destroy()
      failed.resolve()
    }
  })
  stream.on('error', () => {
    truncated = `The compressed data is damaged after ${total} bytes of content. The rest could not be read.`
    failed.resolve()
  })
  stream.on('end', () => ended.resolve())
  const assertNoFailure = (): void => {
    if (failure) throw failure
  }
  return {
    write: async (chunk) => {
      if (truncated !== null) return
      compressed += chunk.byteLength
      const written = new Promise<void>((resolve) => stream.write(chunk, () => resolve()))
      await Promise.race([written, failed.promise])
      assertNoFailure()
    },
    end: async () => {
      if (truncated === null) {
        stream.end()
        await Promise.race([ended.promise, failed.promise])
      }
      assertNoFailure()
      return truncated
    },
  }
}

function assertShort(total: number): void {
  if (total <= maxLogBytes) return
  throw new AppError(
    'log_unreadable',
    `The file contains more than ${maxLogBytes / 1024 ** 3} GiB, the limit for an import. Export fewer deliveries at a time, with a filter or a time range.`,
  )
}

function compressionBomb(): AppError {
  return new AppError(
    'log_unreadable',
    `The file is compressed more than ${maxRatio} times. Event logs never are. The file was crafted to exhaust memory or disk space. It was not imported.`,
  )
}

const reportEveryMs = 100
const pieceBytes = 256 * 1024

/** The file may be hostile. Throws `AppError`. */
async function run(context: TaskContext<ImportShape>): Promise<ImportedLog> {
  const { path, copy, part, name } = context.input
  const hash = createHash('sha256')
  const problems = new Problems()
  let store: LogStore | null = null
  let reader: FormatReader | null = null
  let read = 0
  let size: number | null = null
  let reportedAt = 0
  const report = (): void => {
    const now = performance.now()
    if (now - reportedAt < reportEveryMs) return
    reportedAt = now
    const deliveries = store?.tally.deliveries ?? 0
    void context.engine.call('progress', { read, deliveries, ...(size !== null && { size }) })
  }
  try {
    const budget = createDiskBudget(() => spaceAt(dirname(part)))
    if (path !== null) size = await measureFile(path, budget)
    const opened = new LogStore(part)
    store = opened
    if (copy !== null) {
      const log = await copyDeliveries(copy, opened)
      return { ...log, name, sha256: randomBytes(32).toString('hex') }
    }
    const formatReader = new FormatReader((format) =>
      format === 'ndjson'
        ? new NativeReader(opened, problems)
        : new HarReader(opened, problems, format === 'har' ? null : format),
    )
    reader = formatReader
    const unpacker = createUnpacker((chunk) => {
      budget.take(chunk.byteLength)
      hash.update(chunk)
      formatReader.write(chunk)
      report()
    })
    const write = async (bytes: Uint8Array): Promise<void> => {
      context.throwIfCancelled()
      read += bytes.byteLength
      await unpacker.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      report()
    }
    if (path === null) {
      await receiveFeed(context, write)
    } else {
      for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
        await write(chunk)
      }
    }
    const truncated = await unpacker.end()
    const log = formatReader.finish(truncated)
    reportedAt = 0
    report()
    return { ...log, name, sha256: hash.digest('hex') }
  } catch (error) {
    for (const opened of [reader, store]) {
      try {
        opened?.close()
      } catch {
        // On a full disk, closing fails too. The engine deletes the files.
      }
    }
    throw toAppError(error)
  }
}

async function receiveFeed(
  { serve, cancelled }: TaskContext<ImportShape>,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const finished = Promise.withResolvers<void>()
  serve({
    feed: async ({ bytes, end }) => {
      try {
        await write(bytes)
        if (end) finished.resolve()
      } catch (error) {
        finished.reject(error)
      }
    },
  })
  await Promise.race([finished.promise, cancelled])
}

/** Throws `file_failed` if not even the file itself would fit on the disk: its content is at least as large. */
async function measureFile(path: string, budget: DiskBudget): Promise<number> {
  const stats = await stat(path)
  if (stats.isFile()) {
    // A sparse file occupies less than its length, and reading it ends at the first hole.
    budget.assertFor(Math.min(stats.size, stats.blocks * 512))
    return stats.size
  }
  throw new AppError('file_failed', `${path} is not a file. Choose an event log.`)
}

const noPermission = 'No permission to read the file. Check its permissions.'
const diskFull = 'The disk of the data folder is full. Free up space, then import the file again.'

const failures: Readonly<Record<string, string>> = {
  ENOENT: 'File not found. Check its name and folder.',
  EACCES: noPermission,
  EPERM: noPermission,
  SQLITE_FULL: diskFull,
  ENOSPC: diskFull,
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const reason = error.code.startsWith('Z_')
      ? 'The file is damaged and cannot be decompressed. Export or copy it again.'
      : `The import failed. ${systemReason(error)}`
    return new AppError('file_failed', failures[error.code] ?? reason)
  }
  return new AppError('log_unreadable', 'The file cannot be read. Export or copy it again.')
}

serveTask(run)
