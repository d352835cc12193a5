import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../platform/errors.ts'
import {
  holderPath,
  lockPath,
  readHolder,
  type ControlAddress,
  type Holder,
} from './data-folder.ts'
import { createPrivately, makePrivate } from './private-files.ts'
import { reasonOf, storageReason, watchFile } from '../platform/storage-failure.ts'

export interface FolderLock {
  /** Says where the listener is. */
  readonly announce: (listener: string | null) => void
  /** Says where the holder takes calls; null: nowhere, or not any more. */
  readonly announceControl: (control: ControlAddress | null) => void
  readonly release: () => void
}

function openLock(dataDir: string): { db: Database.Database; repaired: number } {
  try {
    // Where the folder above is there, nothing else is to be made; under /proc Node would try to for ever.
    const recursive = !existsSync(dirname(dataDir))
    if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive, mode: 0o700 })
    const repaired = makePrivate(dataDir)
    createPrivately(lockPath(dataDir))
    return { db: new Database(lockPath(dataDir), { timeout: 0 }), repaired }
  } catch (error) {
    // This is the first use of the library.
    const known = error instanceof AppError ? error : explainLoadFailure(error)
    throw known ?? cannotKeep(dataDir, error)
  }
}

function cannotKeep(dataDir: string, error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  const reason = storageReason(error) ?? 'It is no folder, or it is not writable.'
  return new AppError(
    'store_failed',
    `Nothing can be stored in ${dataDir}${code}. ${reason} Or choose another folder: --data DIR.`,
    { cause: error },
  )
}

/** How often the word of the holder is written again where it could not be, in milliseconds. */
const retryMs = 1000

/**
 * One process writes a folder. The lock is SQLite's own on a file beside the store, which the system lets go when the process
 * dies in whatever way. `trouble` hears, as a sentence, that others could open what is in the folder,
 * and once why others cannot be told of a change; it is told to them as soon as the folder can be written.
 * Throws `store_in_use`, and `store_failed` where the folder cannot be made or written, or belongs to another user.
 */
export function lockFolder(
  dataDir: string,
  trouble: (reason: string) => void = () => undefined,
): FolderLock {
  const { db, repaired } = openLock(dataDir)
  try {
    const lock = holdLock(db, dataDir, trouble)
    if (repaired > 0) {
      trouble(`Other users could open ${repaired} of its files or folders. Now only you can.`)
    }
    return lock
  } catch (error) {
    db.close()
    throw error
  }
}

function holdLock(
  db: Database.Database,
  dataDir: string,
  trouble: (reason: string) => void,
): FolderLock {
  try {
    db.pragma('journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      const holder = readHolder(dataDir)
      throw new AppError(
        'store_in_use',
        `Another Tabscope${holder ? ` (process ${holder.pid})` : ''} uses ${dataDir}. Close it, or choose another folder: --data DIR.`,
        { cause: error },
      )
    }
    if (error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) {
      throw new AppError(
        'store_failed',
        `${lockPath(dataDir)} is damaged. It contains no data: close every Tabscope, delete the file, and start again.`,
        { cause: error },
      )
    }
    throw cannotKeep(dataDir, error)
  }
  const assertOurs = watchFile(lockPath(dataDir))
  let holder: Holder = { pid: process.pid, listener: null, control: null }
  let retry: NodeJS.Timeout | null = null
  const write = (): void => {
    // Whoever has put another folder in its place may hold that one.
    assertOurs()
    const file = holderPath(dataDir)
    // In the place of the one before in one step: who reads finds a whole one. And always a new file, since the mode of one that is
    // there would stay, and the token is for its owner alone.
    rmSync(`${file}.new`, { force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(`${file}.new`, file)
  }
  /** Never throws: that a listener moved to another port is no reason to end it. */
  const tell = (isRetry = false): void => {
    if (retry) clearTimeout(retry)
    retry = null
    try {
      write()
    } catch (error) {
      if (!isRetry) {
        trouble(`Other processes cannot see the current state of Tabscope. ${reasonOf(error)}`)
      }
      retry = setTimeout(() => tell(true), retryMs).unref()
    }
  }
  const change = (changed: Partial<Holder>): void => {
    const next = { ...holder, ...changed }
    // Each change of the listener's state is told, also those that are no news here; and what could not be written waits for its retry.
    const isNews = JSON.stringify(next) !== JSON.stringify(holder)
    holder = next
    if (isNews && !retry) tell()
  }
  try {
    write()
  } catch (error) {
    throw cannotKeep(dataDir, error)
  }
  return {
    announce: (listener) => change({ listener }),
    announceControl: (control) => change({ control }),
    release: () => {
      if (retry) clearTimeout(retry)
      try {
        assertOurs()
        rmSync(holderPath(dataDir), { force: true })
      } catch {
        // It says who held the folder; the lock says who holds it.
      }
      db.close()
    },
  }
}

/** Of glibc and libstdc++: names of versions that the loader of Linux did not find. */
const missingVersion = /version [`'](GLIBC|GLIBCXX|CXXABI)_[\d.]+' not found/

/** Why SQLite's native library could not be loaded, and what to do; null: the error is about something else. */
export function explainLoadFailure(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code !== 'ERR_DLOPEN_FAILED' && error.code !== 'MODULE_NOT_FOUND') return null
  const [reason = ''] = error.message.split('\n')
  return new AppError(
    'store_failed',
    missingVersion.test(reason)
      ? `Tabscope needs glibc 2.34 and libstdc++ 11 or later, and this system has older ones (${reason}). Use Debian 12, Ubuntu 22.04, Fedora 35, RHEL 9 or a later version of them.`
      : `Tabscope cannot load its database library (${reason}). Install Tabscope again.`,
    { cause: error },
  )
}
