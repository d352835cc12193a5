import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
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

/**
 * Writes a file under another name, for the user alone, and gives it its own once all of it is on the disk. Synchronous, in a thread of its
 * own: the system buffers. Throws `file_failed`.
 */
export function openFileSink(
  { path: final, part, overwrite }: FileSinkOptions,
  open: (part: string) => number = (name) => openSync(name, 'wx', 0o600),
): Sink {
  const orFail = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw error instanceof AppError ? error : fileFailed(final, error)
    }
  }
  let file: number | null = orFail(() => open(part))
  let bytes = 0
  const close = (): void => {
    if (file === null) return
    const closing = file
    file = null
    closeSync(closing)
  }
  return {
    get bytes() {
      return bytes
    },
    write: (piece) =>
      orFail(() => {
        if (file === null) return
        for (let at = 0; at < piece.byteLength;) at += writeSync(file, piece, at)
        bytes += piece.byteLength
      }),
    end: async () =>
      orFail(() => {
        if (file !== null) fsyncSync(file)
        close()
        if (overwrite) renameSync(part, final)
        else nameWithoutReplacing(part, final)
        syncFolder(path.dirname(final))
      }),
    abort: async () => {
      try {
        close()
      } catch {
        // What matters is that it goes.
      }
      try {
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
    if (codeOf(error) === 'EEXIST') throw fileExists(final)
    // Some file systems know no second names.
    const there = openIfThere(final)
    if (there) throw fileExists(final)
    renameSync(part, final)
    return
  }
  rmSync(part, { force: true })
}

function openIfThere(file: string): boolean {
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
