import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { explainLoadFailure } from './load-failure.ts'

/** Where the holder takes calls from other processes of the same user, and the token that it asks for. */
const ControlAddress = z.object({
  path: z.string(),
  token: z.string(),
  /** False: a short command, which ends when it has done its work. */
  lasting: z.boolean(),
})
export type ControlAddress = z.infer<typeof ControlAddress>

/** Who holds the folder, for others who want to talk to it. */
const Holder = z.object({
  pid: z.int(),
  listener: z.string().nullable(),
  control: ControlAddress.nullable().default(null),
})
export type Holder = z.infer<typeof Holder>

function holderPath(dataDir: string): string {
  return join(dataDir, 'running.json')
}

export interface FolderLock {
  /** Says where the listener is. */
  readonly announce: (listener: string | null) => void
  /** Says where the holder takes calls; null: nowhere, or not any more. */
  readonly announceControl: (control: ControlAddress | null) => void
  readonly release: () => void
}

function openLock(dataDir: string): Database.Database {
  try {
    // Where the folder above is there, nothing else is to be made; under /proc Node would try to for ever.
    const recursive = !existsSync(dirname(dataDir))
    if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive, mode: 0o700 })
    return new Database(join(dataDir, 'lock.db'), { timeout: 0 })
  } catch (error) {
    // This is the first use of the library.
    const loadFailure = explainLoadFailure(error)
    if (loadFailure) throw loadFailure
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new AppError(
      'store_failed',
      `Nothing can be kept in ${dataDir}${why}: it is no folder, or may not be written. Look at it, or choose another: --data DIR.`,
      { cause: error },
    )
  }
}

/**
 * One process writes a folder. The lock is SQLite's own on a file beside the store, which the system lets go when the process
 * dies in whatever way. Throws `store_in_use`, and `store_failed` where the folder cannot be made or written.
 */
export function lockFolder(dataDir: string): FolderLock {
  const db = openLock(dataDir)
  try {
    db.pragma('journal_mode = DELETE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
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
        `${join(dataDir, 'lock.db')} is damaged. It holds nothing: close every Tabscope, delete that file, and start again.`,
        { cause: error },
      )
    }
    throw error
  }
  let holder: Holder = { pid: process.pid, listener: null, control: null }
  const tell = (change: Partial<Holder>): void => {
    holder = { ...holder, ...change }
    const file = holderPath(dataDir)
    // In the place of the one before in one step: who reads finds a whole one. And always a new file, since the mode of one that is
    // there would stay, and the token is for its owner alone.
    rmSync(`${file}.new`, { force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(`${file}.new`, file)
  }
  tell({})
  return {
    announce: (listener) => tell({ listener }),
    announceControl: (control) => tell({ control }),
    release: () => {
      rmSync(holderPath(dataDir), { force: true })
      db.exec('ROLLBACK')
      db.close()
    },
  }
}

/** What the holder of the folder said of itself; null when nobody did. Stale after a crash: the lock decides. */
export function readHolder(dataDir: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(readFileSync(holderPath(dataDir), 'utf8')))
  } catch {
    return null
  }
}
