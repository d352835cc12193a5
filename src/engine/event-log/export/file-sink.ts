import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, write } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../errors.ts'
import { codeOf, fileExists, fileFailed } from './file-errors.ts'
import type { Sink } from './sink.ts'

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
