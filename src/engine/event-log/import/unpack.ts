import { constants, createGunzip } from 'node:zlib'
import { AppError } from '../../errors.ts'

/** No log is longer, uncompressed, in bytes: a file of valid lines without an end must not fill the disk. */
export const longestLog = 64 * 1024 ** 3
/** What is compressed so well beyond `freeBytes` was made to burst: an event log reaches some 30, since no two hashes are alike. */
const mostRatio = 250
const freeBytes = 64 * 1024 * 1024

/** Takes bytes as they stand in a file. */
export interface Unpacking {
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
