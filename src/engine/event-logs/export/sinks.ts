import { closeSync, fsyncSync, openSync, renameSync, rmSync, write } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { handledLater } from '#shared/async/handled-later.ts'
import { AppError } from '../../platform/errors.ts'
import { fileFailed, renameWithoutReplacing } from '../../platform/file-errors.ts'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'

/** If `write` returns a promise, the caller must wait for it before the next write. */
export interface Sink {
  /** As in the file: compressed, if it is. */
  readonly bytes: number
  /** The caller must not change the bytes afterwards. */
  write(bytes: Uint8Array): Promise<void> | void
  end(): Promise<void>
  /** Discards the output. Never throws. */
  abort(): Promise<void>
}

export function openCountingSink(): Sink {
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    write: (piece) => {
      bytes += piece.byteLength
    },
    end: async () => undefined,
    abort: async () => undefined,
  }
}

export interface FileSinkOptions {
  readonly path: string
  /** Temporary path until the file is complete, in the same folder so that it can be renamed. */
  readonly part: string
  readonly overwrite: boolean
}

const writeSome = promisify(
  (
    file: number,
    bytes: Uint8Array,
    at: number,
    done: (error: Error | null, written: number) => void,
  ) => write(file, bytes, at, done),
)

/**
 * Writes a file under a temporary name, readable by the user only, and renames it once it is completely on the disk. One piece is written while
 * the caller produces the next one. Throws `file_failed`.
 */
export function openFileSink(
  { path: final, part, overwrite }: FileSinkOptions,
  open: (part: string) => number = (name) => openSync(name, 'wx', 0o600),
): Sink {
  const toAppError = (error: unknown): AppError =>
    error instanceof AppError ? error : fileFailed(final, error)
  const withFileError = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw toAppError(error)
    }
  }
  const file = withFileError(() => open(part))
  let isOpen = true
  let bytes = 0
  let pendingWrite: Promise<Error | null> = Promise.resolve(null)
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const writeAll = async (piece: Uint8Array): Promise<Error | null> => {
    try {
      for (let at = 0; at < piece.byteLength;) at += await writeSome(file, piece, at)
      return null
    } catch (error) {
      return toAppError(error)
    }
  }
  const waitForWrite = async (): Promise<void> => {
    const error = await pendingWrite
    if (error) throw error
  }
  return {
    get bytes() {
      return bytes
    },
    write: async (piece) => {
      await waitForWrite()
      bytes += piece.byteLength
      pendingWrite = writeAll(piece)
    },
    end: async () => {
      await waitForWrite()
      withFileError(() => {
        fsyncSync(file)
        close()
        if (overwrite) renameSync(part, final)
        else renameWithoutReplacing(part, final)
        syncFolder(path.dirname(final))
      })
    },
    abort: async () => {
      await pendingWrite
      try {
        close()
        rmSync(part, { force: true })
      } catch {
        // `startExport` tries again to remove the file.
      }
    },
  }
}

function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    // Not every system supports this. The content of the file has been synced already.
  }
}

/** One piece at a time, so that memory use stays constant. The gzip header has neither name nor time (RFC 1952, 2.3.1), so the output is reproducible. */
export function openGzipSink(into: Sink): Sink {
  const gzip = createGzip({ level: 6 })
  let failure: unknown = null
  // An error between two writes is thrown by the next one.
  gzip.on('error', (error) => (failure ??= error))
  gzip.on('data', (piece: Uint8Array) => {
    try {
      const written = into.write(piece)
      if (!written) return
      gzip.pause()
      written.then(
        () => gzip.resume(),
        (error: unknown) => gzip.destroy(asError(error)),
      )
    } catch (error) {
      gzip.destroy(asError(error))
    }
  })
  return {
    get bytes() {
      return into.bytes
    },
    write: async (piece) => {
      if (failure !== null) throw asError(failure)
      await new Promise<void>((resolve, reject) => {
        gzip.write(piece, (error) => (error ? reject(asError(failure ?? error)) : resolve()))
      })
    },
    end: async () => {
      if (failure !== null) throw asError(failure)
      const ended = once(gzip, 'end')
      gzip.end()
      await ended
      await into.end()
    },
    abort: async () => {
      gzip.destroy()
      await into.abort()
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

export const maxWaitingPieces = 4
const pieceBytes = 256 * 1024

/** `send` resolves when a piece is consumed. Waits while `maxWaitingPieces` are not. */
export function openPieceSink(send: (piece: Uint8Array) => Promise<void>): Sink {
  let bytes = 0
  const waiting: Promise<void>[] = []
  return {
    get bytes() {
      return bytes
    },
    write: async (bytesToWrite) => {
      for (let at = 0; at < bytesToWrite.byteLength; at += pieceBytes) {
        if (waiting.length >= maxWaitingPieces) await waiting.shift()
        // A copy: of a part of a buffer, the whole would be sent.
        const piece = new Uint8Array(bytesToWrite.subarray(at, at + pieceBytes))
        bytes += piece.byteLength
        const consumed = send(piece)
        handledLater(consumed)
        waiting.push(consumed)
      }
    },
    end: async () => undefined,
    abort: async () => undefined,
  }
}
