import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { AppError } from '../platform/errors.ts'
import { storePath } from './data-folder.ts'
import { type Db, openWriter } from '../platform/sqlite.ts'
import { migrate, migrations, newestVersion } from './migrations/migrations.ts'
import { createPrivately } from './private-files.ts'
import { interruptJobs } from '../sending/store/jobs.ts'
import { passFirstMinutes } from '../settings/store.ts'

export interface PreparedStore {
  readonly path: string
  /** Logical position up to which the journal is in the store. */
  readonly journalPosition: number
  /** The last id ever given. */
  readonly lastId: number
  /** Where a damaged store was put, if there was one. */
  readonly setAside: string | null
}

/** A store up to this size is checked whole at each start, in bytes: of two gigabytes that would take eight seconds. */
const checkedWhole = 64 * 1024 * 1024

/**
 * Makes the store ready: sets a damaged one aside, backs it up and migrates it, or creates it. The folder must be locked.
 * `stamp` (say `20261121T090000`) names backups and damaged files; `list` are the migrations that there are. With `keepDamaged` a damaged
 * store is refused instead. Throws `store_too_new`, `store_failed`.
 */
export function prepareStore(
  dataDir: string,
  stamp: string,
  list = migrations,
  checked = checkedWhole,
  keepDamaged = false,
): PreparedStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = storePath(dataDir)
  const known = newestVersion(list)
  let setAside: string | null = null
  if (existsSync(path)) {
    const found = examine(path, known, checked)
    if (found.state === 'too_new') {
      throw new AppError(
        'store_too_new',
        `The data in ${dataDir} was written by a newer Tabscope (format ${found.version}, this one knows ${known}). Update Tabscope, or start it with another folder: --data DIR.`,
        { details: { found: found.version, known } },
      )
    }
    if (found.state === 'damaged' && keepDamaged) {
      throw new AppError(
        'store_failed',
        `The store in ${dataDir} is damaged and was left as it is. To set it aside and begin a new one, start Tabscope: tabscope serve`,
        { details: { damaged: true } },
      )
    }
    if (found.state === 'damaged') setAside = putAside(path, stamp)
  }
  const db = openWriter(path)
  try {
    const version = versionOf(db)
    if (version > 0 && version < known) backUp(db, path, version, stamp)
    migrate(db, version, list)
    seed(db)
    interruptJobs(db)
    const row = db
      .prepare<[], { journal_position: number; last_id: number }>(
        'SELECT journal_position, last_id FROM progress',
      )
      .get()
    passFirstMinutes(db, row?.last_id ?? 0)
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
  const backup = `${path}.v${version}-${stamp}.backup`
  try {
    // SQLite takes an empty file for none, and leaves its mode.
    createPrivately(backup)
    db.prepare('VACUUM INTO ?').run(backup)
  } catch (error) {
    // Half a backup takes the room that is missing, and looks like a whole one.
    rmSync(backup, { force: true })
    throw error
  }
}

/** Renames the file and what belongs to it, to a name that nothing has. */
function putAside(path: string, stamp: string): string {
  let aside = `${path}.damaged-${stamp}`
  for (let again = 2; existsSync(aside); again += 1) aside = `${path}.damaged-${stamp}-${again}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return aside
}

type Examined = { state: 'ours' | 'damaged' } | { state: 'too_new'; version: number }

/**
 * Looks at a file without changing it: read-only, since whoever opens a store to write and closes it again folds its WAL in. Damaged
 * is what is no database, has a broken structure, or is the database of another program.
 */
function examine(path: string, known: number, checked: number): Examined {
  let db: Database.Database | null = null
  try {
    db = new Database(path, { readonly: true })
    const version = versionOf(db)
    // A store from the future may have any tables; its version is all that is asked of it.
    if (version > known) return { state: 'too_new', version }
    const sound = statSync(path).size <= checked ? isSound(db) : seemsSound(db, path)
    if (!sound) return { state: 'damaged' }
    const names = db
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name)
    // The first migration makes its tables together with their number: tables without one are not ours.
    const ours =
      version === 0
        ? names.length === 0
        : ['delivery', 'delivery_content', 'progress'].every((name) => names.includes(name))
    return { state: ours ? 'ours' : 'damaged' }
  } catch (error) {
    if (error instanceof Database.SqliteError && isDamage(error.code)) return { state: 'damaged' }
    throw error
  } finally {
    db?.close()
  }
}

function isSound(db: Database.Database, table: string | number = 1): boolean {
  return db.pragma(`quick_check(${table})`, { simple: true }) === 'ok'
}

/**
 * Looks at the parts of a large store without which nothing works: that the file is as long as it says, all that is configured, and both
 * ends of the deliveries. What is broken between them shows when it is read, and takes nothing else with it.
 */
function seemsSound(db: Database.Database, path: string): boolean {
  const wal = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0
  const pages = Number(db.pragma('page_count', { simple: true }))
  const pageBytes = Number(db.pragma('page_size', { simple: true }))
  // Pages that are in the WAL alone may lie beyond the end of the file.
  if (wal === 0 && statSync(path).size < pages * pageBytes) return false
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
  for (const name of tables) {
    if (!name.startsWith('delivery') && !isSound(db, name)) return false
    if (name !== 'delivery' && name !== 'delivery_content') continue
    db.prepare(`SELECT * FROM ${name} ORDER BY id LIMIT 1`).all()
    db.prepare(`SELECT * FROM ${name} ORDER BY id DESC LIMIT 1`).all()
  }
  return true
}

function isDamage(code: string): boolean {
  return code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')
}

/** A new store begins with an integration for the built-in sandbox and one endpoint, so that the first press of a button works. */
function seed(db: Db): void {
  const existing = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM integration').get()
  if (existing && existing.n > 0) return
  db.transaction(() => {
    db.prepare(
      "INSERT INTO integration (id, name, brand, base_url, kind) VALUES (1, ?, ?, ?, 'sandbox')",
    ).run('Sandbox', 'Service', '')
    db.prepare(
      'INSERT INTO endpoint (integration_id, name, slug, application_id, custom_headers) VALUES (1, ?, ?, ?, ?)',
    ).run('Sandbox', 'sandbox', '', '[]')
  })()
}
