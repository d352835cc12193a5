import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../errors.ts'
import { openWriter } from './driver.ts'
import { currentVersion, migrate } from './migrations/migrations.ts'
import { seed } from './seed.ts'

export interface OpenedStore {
  readonly path: string
  /** Logical position up to which the journal is in the store. */
  readonly journalPosition: number
  /** The last id ever given. */
  readonly lastId: number
  /** Where a damaged store was put, if there was one. */
  readonly setAside: string | null
}

export function storePath(dataDir: string): string {
  return join(dataDir, 'tabscope.db')
}

/**
 * Makes the store ready: sets a damaged one aside, backs it up and migrates it, or creates it. The folder must be locked.
 * `stamp` (say `20261121T090000`) names backups and damaged files. Throws `store_too_new`.
 */
export function prepareStore(dataDir: string, stamp: string): OpenedStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = storePath(dataDir)
  const setAside = existsSync(path) ? setAsideIfDamaged(path, stamp) : null
  const db = openWriter(path)
  try {
    const version = versionOf(db)
    if (version > currentVersion) {
      throw new AppError(
        'store_too_new',
        `The data in ${dataDir} was written by a newer Tabscope (format ${version}, this one knows ${currentVersion}). Update Tabscope, or start it with another folder: --data DIR.`,
        { details: { found: version, known: currentVersion } },
      )
    }
    if (version > 0 && version < currentVersion) backUp(db, path, version, stamp)
    migrate(db, version)
    seed(db)
    const row = db
      .prepare<[], { journal_position: number; last_id: number }>(
        'SELECT journal_position, last_id FROM progress',
      )
      .get()
    return {
      path,
      journalPosition: row?.journal_position ?? 0,
      lastId: row?.last_id ?? 0,
      setAside,
    }
  } finally {
    db.close()
  }
}

function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/** Copies the whole store, WAL included, beside itself before the first migration of a run. */
function backUp(db: Database.Database, path: string, version: number, stamp: string): void {
  db.prepare('VACUUM INTO ?').run(`${path}.v${version}-${stamp}.backup`)
}

/** A store that is no database, or whose structure is broken, is renamed and never overwritten. */
function setAsideIfDamaged(path: string, stamp: string): string | null {
  if (!isDamaged(path)) return null
  const aside = `${path}.damaged-${stamp}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return aside
}

function isDamaged(path: string): boolean {
  let db: Database.Database | null = null
  try {
    db = new Database(path)
    const version = versionOf(db)
    // A store from the future may have any tables; its version is all that is asked of it.
    if (version > currentVersion) return false
    const rows = db.pragma('quick_check(1)', { simple: true })
    if (rows !== 'ok') return true
    const tables = db
      .prepare<[], { n: number }>(
        "SELECT count(*) AS n FROM sqlite_schema WHERE name IN ('delivery', 'progress')",
      )
      .get()
    return version > 0 && tables?.n !== 2
  } catch (error) {
    if (error instanceof Database.SqliteError && isDamage(error.code)) return true
    throw error
  } finally {
    db?.close()
  }
}

function isDamage(code: string): boolean {
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
}
