import { renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AppError } from '../errors.ts'
import {
  holderPath,
  lockPath,
  readHolder,
  type ControlAddress,
  type Holder,
} from './data-folder.ts'
import { createPrivately, makeFolder, makePrivate } from './private-files.ts'
import { reasonOf, storageReason, watchFile } from '../storage-failure.ts'

export interface FolderLock {
  readonly announce: (listener: string | null) => void
  /** Null: the holder accepts no calls. */
  readonly announceControl: (control: ControlAddress | null) => void
  readonly release: () => void
}

function openLock(dataDir: string): { db: Database.Database; repaired: number } {
  try {
    makeFolder(dataDir)
    const repaired = makePrivate(dataDir)
    createPrivately(lockPath(dataDir))
    return { db: new Database(lockPath(dataDir), { timeout: 0 }), repaired }
  } catch (error) {
    // This is the first use of SQLite's native library, so a failure to load it shows here.
    const known = error instanceof AppError ? error : explainLoadFailure(error)
    throw known ?? cannotStore(dataDir, error)
  }
}

function cannotStore(dataDir: string, error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  const reason = storageReason(error) ?? 'It is not a folder, or it is not writable.'
  return new AppError(
    'store_failed',
    `Tabscope cannot store data in ${dataDir}${code}. ${reason} Or use another folder: --data DIR.`,
    { cause: error },
  )
}

const retryMs = 1000

/**
 * The lock is an SQLite lock on a file next to the store, which the system releases however the process ends. `warn` receives sentences: that other
 * users could open files in the folder, and why the announcement cannot be written, which is then retried.
 * Throws `store_in_use`, or `store_failed` if the folder cannot be created or written or belongs to another user.
 */
export function lockFolder(
  dataDir: string,
  warn: (reason: string) => void = () => undefined,
): FolderLock {
  const { db, repaired } = openLock(dataDir)
  try {
    const lock = holdLock(db, dataDir, warn)
    if (repaired > 0) {
      warn(
        `Other users could open ${repaired} files or folders in the data folder. Tabscope has restricted them to you.`,
      )
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
  warn: (reason: string) => void,
): FolderLock {
  try {
    db.pragma('journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      const holder = readHolder(dataDir)
      throw new AppError(
        'store_in_use',
        `Another Tabscope${holder ? ` (process ${holder.pid})` : ''} is using ${dataDir}. Close it, or use another folder: --data DIR.`,
        { cause: error },
      )
    }
    if (error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)) {
      throw new AppError(
        'store_failed',
        `${lockPath(dataDir)} is damaged. It contains no data. Close all instances of Tabscope, delete the file, and start again.`,
        { cause: error },
      )
    }
    throw cannotStore(dataDir, error)
  }
  const assertNotReplaced = watchFile(lockPath(dataDir))
  let holder: Holder = { pid: process.pid, listener: null, control: null }
  let retry: NodeJS.Timeout | null = null
  const write = (): void => {
    // If the folder was replaced, another process may hold the new one.
    assertNotReplaced()
    const file = holderPath(dataDir)
    // Replaced in one step, so that readers find a complete file. A new one: an existing file keeps its mode, and only the owner may read the token.
    rmSync(`${file}.new`, { force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(`${file}.new`, file)
  }
  /** Never throws: a failed announcement must not stop the process. */
  const publish = (isRetry = false): void => {
    if (retry) clearTimeout(retry)
    retry = null
    try {
      write()
    } catch (error) {
      if (!isRetry) {
        warn(`Other processes cannot see the current state of Tabscope. ${reasonOf(error)}`)
      }
      retry = setTimeout(() => publish(true), retryMs).unref()
    }
  }
  const change = (changed: Partial<Holder>): void => {
    const next = { ...holder, ...changed }
    // Called for every change of the listener. A pending retry writes the new value.
    const hasChanged = JSON.stringify(next) !== JSON.stringify(holder)
    holder = next
    if (hasChanged && !retry) publish()
  }
  try {
    write()
  } catch (error) {
    throw cannotStore(dataDir, error)
  }
  return {
    announce: (listener) => change({ listener }),
    announceControl: (control) => change({ control }),
    release: () => {
      if (retry) clearTimeout(retry)
      try {
        assertNotReplaced()
        rmSync(holderPath(dataDir), { force: true })
      } catch {
        // The file may remain: only the lock decides who holds the folder.
      }
      db.close()
    },
  }
}

/** From the Linux loader, about glibc or libstdc++. */
const missingVersion = /version [`'](GLIBC|GLIBCXX|CXXABI)_[\d.]+' not found/

/** Null for errors that are not about loading SQLite's native library. */
export function explainLoadFailure(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code !== 'ERR_DLOPEN_FAILED' && error.code !== 'MODULE_NOT_FOUND') return null
  const [reason = ''] = error.message.split('\n')
  return new AppError(
    'store_failed',
    missingVersion.test(reason)
      ? `Tabscope requires glibc 2.34 and libstdc++ 11 or later, but this system has older versions (${reason}). Use Debian 12, Ubuntu 22.04, Fedora 35, RHEL 9 or later.`
      : `Tabscope cannot load its database library (${reason}). Reinstall Tabscope.`,
    { cause: error },
  )
}
