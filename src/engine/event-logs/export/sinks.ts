import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, write } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../platform/errors.ts'
import { codeOf, fileExists, fileFailed } from './file-errors.ts'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'

/** Where bytes go. What returns a promise wants no more until it is fulfilled. */
export interface Sink {
  /** Bytes that went out, as they stand in the file. */
  readonly bytes: number
  /** The bytes may not be changed afterwards. */
  write(bytes: Uint8Array): Promise<void> | void
  /** All is written: it is whole, and stays. */
  end(): Promise<void>
  /** Nothing of it stays. Never throws. */
  abort(): Promise<void>
}

/** Takes all, keeps nothing, and knows how much it was. */
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
  /** Absolute. */
  readonly path: string
  /** Its name until it is whole: in the same folder, so that it can be renamed. */
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
 * Writes a file under another name, for the user alone, and gives it its own once all of it is on the disk. One piece is written while the
 * next one is made. Throws `file_failed`.
 */
export function openFileSink(
  { path: final, part, overwrite }: FileSinkOptions,
  open: (part: string) => number = (name) => openSync(name, 'wx', 0o600),
): Sink {
  const failed = (error: unknown): AppError =>
    error instanceof AppError ? error : fileFailed(final, error)
  const orFail = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw failed(error)
    }
  }
  const file = orFail(() => open(part))
  let isOpen = true
  let bytes = 0
  /** Of the piece before. Never rejected: what went wrong is thrown by whoever comes next. */
  let before: Promise<Error | null> = Promise.resolve(null)
  const close = (): void => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  const writeAll = async (piece: Uint8Array): Promise<Error | null> => {
    try {
      for (let at = 0; at < piece.byteLength;) at += await writeSome(file, piece, at)
      return null
    } catch (error) {
      return failed(error)
    }
  }
  const settle = async (): Promise<void> => {
    const error = await before
    if (error) throw error
  }
  return {
    get bytes() {
      return bytes
    },
    write: async (piece) => {
      await settle()
      bytes += piece.byteLength
      before = writeAll(piece)
    },
    end: async () => {
      await settle()
      orFail(() => {
        fsyncSync(file)
        close()
        if (overwrite) renameSync(part, final)
        else nameWithoutReplacing(part, final)
        syncFolder(path.dirname(final))
      })
    },
    abort: async () => {
      await before
      try {
        close()
        rmSync(part, { force: true })
      } catch {
        // Whoever began this tries once more.
      }
    },
  }
}

/** A second name fails where the name is taken, in one step; a rename would replace what came meanwhile. Throws `file_exists`. */
function nameWithoutReplacing(part: string, final: string): void {
  try {
    linkSync(part, final)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || isThere(final)) throw fileExists(final)
    // Some file systems know no second names.
    renameSync(part, final)
    return
  }
  rmSync(part, { force: true })
}

function isThere(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'))
    return true
  } catch (error) {
    return codeOf(error) !== 'ENOENT'
  }
}

/** The new name is on the disk as well, where folders can be synced. */
function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    // Not on every system: the file itself is there.
  }
}

/**
 * Compresses what goes into another sink. No more than one piece is under way, so that memory stays flat; no name and no time are in its
 * head (RFC 1952, 2.3.1), so that the same bytes come out the same.
 */
export function openGzipSink(into: Sink): Sink {
  const gzip = createGzip({ level: 6 })
  let failed: unknown = null
  // An error that nobody waits for just now is thrown by the next write.
  gzip.on('error', (error) => (failed ??= error))
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
      if (failed !== null) throw asError(failed)
      await new Promise<void>((resolve, reject) => {
        gzip.write(piece, (error) => (error ? reject(asError(failed ?? error)) : resolve()))
      })
    },
    end: async () => {
      if (failed !== null) throw asError(failed)
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

/** At most so many bytes wait to be taken. */
export const waitingBytes = 1024 * 1024
/** Bytes of one piece, at most. */
const pieceBytes = 256 * 1024

export interface PieceSink extends Sink {
  /** So many bytes were taken; 0: whoever waits looks whether it is to end. */
  taken(bytes: number): void
}

/** Hands bytes out in pieces, and wants no more while too many of them wait. `check` throws where it is to end. */
export function openPieceSink(
  give: (piece: Uint8Array<ArrayBuffer>) => void,
  check: () => void,
): PieceSink {
  let bytes = 0
  let waiting = 0
  let goOn: (() => void) | null = null
  return {
    get bytes() {
      return bytes
    },
    write: async (all) => {
      for (let at = 0; at < all.byteLength; at += pieceBytes) {
        while (waiting >= waitingBytes) {
          await new Promise<void>((resolve) => (goOn = resolve))
          check()
        }
        // A copy: it goes to another thread, and its memory with it.
        const piece = new Uint8Array(all.subarray(at, at + pieceBytes))
        waiting += piece.byteLength
        bytes += piece.byteLength
        give(piece)
      }
    },
    taken: (count) => {
      waiting -= count
      goOn?.()
      goOn = null
    },
    end: async () => undefined,
    abort: async () => undefined,
  }
}
