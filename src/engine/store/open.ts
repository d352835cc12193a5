import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { DamagedStore } from '#contract/models.ts'
import { AppError } from '../platform/errors.ts'
import { storePath } from './data-folder.ts'
import { type Db, openWriter } from '../platform/sqlite.ts'
import { migrate, migrations, newestVersion } from './migrations/migrations.ts'
import { createPrivately, syncFile } from './private-files.ts'
import { salvage } from './salvage.ts'
import { isDamage, openSearchWriter, storeKey } from './search-file.ts'
import { interruptJobs } from '../sending/store/jobs.ts'
import { passFirstMinutes } from '../settings/store.ts'

export interface PreparedStore {
  readonly path: string
  readonly lastId: number
  readonly damaged: DamagedStore | null
}

/** Larger stores are not checked completely: two gigabytes would take eight seconds at each start. */
const fullCheckBytes = 64 * 1024 * 1024

/**
 * Moves a damaged store aside and copies what is readable (or throws, with `keepDamaged`), backs it up and migrates it, or creates it. The folder must be locked. `stamp` (such as
 * `20261121T090000`) is part of the names of backups and damaged files. Throws `store_too_new` or `store_failed`.
 */
export function prepareStore(
  dataDir: string,
  stamp: string,
  list = migrations,
  checked = fullCheckBytes,
  keepDamaged = false,
): PreparedStore {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  deletePartialBackups(dataDir)
  const path = storePath(dataDir)
  const known = newestVersion(list)
  let setAside: string | null = null
  if (existsSync(path)) {
    const found = examine(path, known, checked)
    if (found.state === 'too_new') {
      throw new AppError(
        'store_too_new',
        `The data in ${dataDir} was written by a newer version of Tabscope (format ${found.version}; this version supports ${known}). Update Tabscope, or use another folder: --data DIR.`,
        { details: { found: found.version, known } },
      )
    }
    if (found.state === 'damaged' && keepDamaged) {
      throw new AppError(
        'store_failed',
        `The store in ${dataDir} is damaged and was not changed. To move it aside and keep what is readable, start Tabscope: tabscope serve`,
        { details: { damaged: true } },
      )
    }
    if (found.state === 'damaged') setAside = moveAside(path, stamp)
  }
  const db = openWriter(path)
  try {
    const version = versionOf(db)
    if (version > 0 && version < known) backUp(db, path, version, stamp)
    migrate(db, version, list)
    const damaged = setAside === null ? null : { path: setAside, ...salvage(setAside, db) }
    seed(db)
    interruptJobs(db)
    const lastId = Number(db.prepare('SELECT last_id FROM progress').pluck().get())
    passFirstMinutes(db, lastId)
    openSearchWriter(join(dataDir, 'search.db'), storeKey(db)).close()
    return { path, lastId, damaged }
  } finally {
    db.close()
  }
}

function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}

const backupEnd = '.backup'
const partEnd = `${backupEnd}.part`

/** Includes the WAL. */
function backUp(db: Database.Database, path: string, version: number, stamp: string): void {
  const name = `${path}.v${version}-${stamp}`
  const part = name + partEnd
  try {
    // Created first, since SQLite accepts an empty file and keeps its mode.
    createPrivately(part)
    db.prepare('VACUUM INTO ?').run(part)
    syncFile(part)
    renameSync(part, name + backupEnd)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

function deletePartialBackups(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    // SQLite may have left its own file next to it.
    if (name.includes(partEnd)) rmSync(join(dataDir, name), { force: true })
  }
}

/** With its WAL. Returns the new path. */
function moveAside(path: string, stamp: string): string {
  let aside = `${path}.damaged-${stamp}`
  for (let n = 2; existsSync(aside); n += 1) aside = `${path}.damaged-${stamp}-${n}`
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
  }
  return aside
}

type StoreState = { state: 'valid' | 'damaged' } | { state: 'too_new'; version: number }

/** Read-only, since closing a writable connection would checkpoint the WAL. Also damaged: a file that belongs to another program. */
function examine(path: string, known: number, checked: number): StoreState {
  let db: Database.Database | null = null
  try {
    db = new Database(path, { readonly: true })
    const version = versionOf(db)
    // A newer store may have any tables, so only its version is checked.
    if (version > known) return { state: 'too_new', version }
    const intact = statSync(path).size <= checked ? isIntact(db) : seemsIntact(db, path)
    if (!intact) return { state: 'damaged' }
    const names = db
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name)
    // The first migration creates its tables and the version in one transaction: tables without a version belong to another program.
    const valid =
      version === 0
        ? names.length === 0
        : ['delivery', 'delivery_content', 'progress'].every((name) => names.includes(name))
    return { state: valid ? 'valid' : 'damaged' }
  } catch (error) {
    if (isDamage(error)) return { state: 'damaged' }
    throw error
  } finally {
    db?.close()
  }
}

function isIntact(db: Database.Database, table: string | number = 1): boolean {
  return db.pragma(`quick_check(${table})`, { simple: true }) === 'ok'
}

/** The file size, the configuration, and the first and last deliveries. Damage in between shows when those rows are read, and affects nothing else. */
function seemsIntact(db: Database.Database, path: string): boolean {
  const wal = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0
  const pages = Number(db.pragma('page_count', { simple: true }))
  const pageBytes = Number(db.pragma('page_size', { simple: true }))
  // Pages that are only in the WAL may be beyond the end of the file.
  if (wal === 0 && statSync(path).size < pages * pageBytes) return false
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
  for (const name of tables) {
    if (!name.startsWith('delivery') && !isIntact(db, name)) return false
    if (name !== 'delivery' && name !== 'delivery_content') continue
    db.prepare(`SELECT * FROM ${name} ORDER BY id LIMIT 1`).all()
    db.prepare(`SELECT * FROM ${name} ORDER BY id DESC LIMIT 1`).all()
  }
  return true
}

/** With an integration for the built-in sandbox and an endpoint, a new store is ready to use. */
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
