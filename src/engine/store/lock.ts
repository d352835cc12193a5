import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { AppError } from '../errors.ts'

/** Who holds the folder, for others who want to talk to it. */
const Holder = z.object({ pid: z.int(), listener: z.string().nullable() })
export type Holder = z.infer<typeof Holder>

function holderPath(dataDir: string): string {
  return join(dataDir, 'running.json')
}

export interface FolderLock {
  /** Says where the listener is. */
  readonly announce: (listener: string | null) => void
  readonly release: () => void
}

/**
 * One process writes a folder. The lock is SQLite's own on a file beside the store, which the system lets go when the process
 * dies in whatever way. Throws `store_in_use`.
 */
export function lockFolder(dataDir: string): FolderLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = new Database(join(dataDir, 'lock.db'), { timeout: 0 })
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
    throw error
  }
  const announce = (listener: string | null): void => {
    const holder: Holder = { pid: process.pid, listener }
    writeFileSync(holderPath(dataDir), `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  }
  announce(null)
  return {
    announce,
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
