import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DamagedFile } from '#contract/models.ts'
import { AppError } from '../../platform/errors.ts'
import { storePath } from '../../platform/store/data-folder.ts'
import { type Db, insertRow, openReadOnly, openWriter, prepare } from '../../platform/sqlite.ts'
import {
  checkRequestPath,
  describeUnreadable,
  endCheckRequest,
  fullCheckBytes,
  isIntact,
  readDamagedFiles,
} from '../../deliveries/damage.ts'
import { backUpBefore } from '../../platform/store/backup.ts'
import { configCopyOf, splitConfiguration } from '../../platform/store/config-file.ts'
import {
  foreignEntry,
  migrate,
  migrations,
  newestVersion,
  versionOf,
} from '../../platform/store/migrations/migrations.ts'
import { makeFolder, partEnd, writeWhole } from '../../platform/store/private-files.ts'
import { alteredIds, salvage, salvageConfiguration } from '../../deliveries/salvage.ts'
import {
  contentOfDatabase,
  createDatabase,
  isDamage,
  openSearchWriter,
  storeKey,
} from '../../platform/store/search-file.ts'
import { saveSources } from '../../deliveries/relay-store.ts'
import { interruptJobs } from '../../sending/store/jobs.ts'

export interface PreparedStore {
  readonly path: string
  readonly lastId: number
  /** Damaged files that were replaced now or earlier, and still exist. */
  readonly damaged: readonly DamagedFile[]
}

/**
 * Moves damaged files aside and copies what is readable (or throws, with `keepDamaged`), restores a backup that is in the place of the store, backs the
 * store up and migrates it, or creates it. The folder must be locked. `stamp` (such as `20261121T090000`) is part of the names of backups and damaged
 * files. `turnsOff`: what a backup would do without being asked is turned off. Throws `store_too_new` or `store_failed`.
 */
export function prepareStore(
  dataDir: string,
  stamp: string,
  list = migrations,
  checked = fullCheckBytes,
  keepDamaged = false,
  turnsOff = true,
): PreparedStore {
  makeFolder(dataDir)
  deletePartialFiles(dataDir)
  const path = storePath(dataDir)
  const config = join(dataDir, 'config.db')
  const isRequested = existsSync(checkRequestPath(path))
  const examined = {
    dataDir,
    list,
    checked: isRequested ? Number.POSITIVE_INFINITY : checked,
    keepDamaged,
  }
  const store = examine(path, storeTables, examined)
  const configuration = examine(config, configTables, examined)
  const damagedStore = setAside(path, store.state, stamp)
  const isInOneFile =
    damagedStore === null && store.state === 'valid' && store.tables.includes('integration')
  const damagedConfig = setAside(config, configuration.state, stamp)
  if (isInOneFile && configuration.state === 'valid')
    moveTo(config, asidePath(config, 'replaced', stamp))
  const copiedAt = existsSync(config) || isInOneFile ? null : restoreCopy(config, examined)
  const fillStore = (created: Db): void => {
    // Only possible before the first table.
    created.pragma('auto_vacuum = INCREMENTAL')
    for (const { store: fill } of list) fill?.(created)
    created.pragma(`user_version = ${newestVersion(list)}`)
  }
  if (isNew(path)) createDatabase(path, fillStore)
  if (isNew(config)) {
    // The rows of a backup, which is one file, are moved to tables of its version before these are migrated.
    const same = isInOneFile ? list.filter((each) => each.version <= store.version) : list
    createDatabase(config, (created) => {
      for (const { config: fill } of same) fill?.(created, 'main')
      created.pragma(`user_version = ${newestVersion(same)}`)
    })
  }
  const db = openWriter(path)
  try {
    if (isInOneFile) splitConfiguration(db, turnsOff)
    const version = versionOf(db)
    if (version > 0 && version < newestVersion(list)) {
      backUpBefore(db, path, `${path}.v${version}-${stamp}.backup`)
    }
    migrate(db, list)
    if (damagedStore !== null) {
      const salvaged = salvage(damagedStore, db, () => contentOfDatabase(fillStore))
      remember(db, { content: 'deliveries', path: damagedStore, ...salvaged, copiedAt: null })
    }
    if (damagedConfig !== null && !isInOneFile) {
      if (copiedAt === null) salvageConfiguration(damagedConfig, db)
      remember(db, {
        content: 'configuration',
        path: damagedConfig,
        kept: null,
        lost: null,
        copiedAt,
      })
    }
    for (const file of [path, config]) rmSync(replacingPath(file), { force: true })
    seed(db)
    saveSources(db)
    interruptJobs(db)
    const lastId = Number(db.prepare('SELECT last_id FROM progress').pluck().get())
    openSearchWriter(join(dataDir, 'search.db'), storeKey(db)).close()
    endCheckRequest(path)
    return { path, lastId, damaged: readDamagedFiles(db) }
  } finally {
    db.close()
  }
}

/** Its existence: the file in it was moved aside, and not everything readable was copied yet. */
function replacingPath(path: string): string {
  return `${path}.replacing`
}

/** Returns the path of a damaged file that must be copied, also if an earlier start did not complete that. */
function setAside(path: string, state: Found['state'], stamp: string): string | null {
  const replacing = replacingPath(path)
  if (existsSync(replacing)) {
    const aside = readFileSync(replacing, 'utf8')
    if (existsSync(aside)) {
      for (const suffix of suffixes) rmSync(path + suffix, { force: true })
      return aside
    }
  }
  if (state !== 'damaged') return null
  const aside = asidePath(path, 'damaged', stamp)
  writeFileSync(replacing, aside, { mode: 0o600 })
  moveTo(path, aside)
  return aside
}

function remember(db: Db, file: DamagedFile): void {
  insertRow(db, 'damaged_file', { path: file.path, record: JSON.stringify(file) })
}

/** Returns the time of the copy, or null if there is none that is intact. */
function restoreCopy(config: string, examined: Examined): number | null {
  const copy = configCopyOf(config)
  if (examine(copy, configTables, examined).state !== 'valid') return null
  const { mtimeMs } = statSync(copy)
  writeWhole(config, readFileSync(copy))
  return mtimeMs
}

/** Files that an earlier start could not complete: backups, databases, keys. SQLite may have left its own file next to them. */
function deletePartialFiles(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const isPart = partName.test(name) || (databaseName.test(name) && name.includes(partEnd))
    if (isPart || newKey.test(name)) rmSync(join(dataDir, name), { force: true })
  }
}

const databaseName = /^(?:tabscope|config|search)\.db\./
/** As `partOf`. */
const partName = /\.part-[0-9a-f]{12}/
const newKey = /^key\.[0-9a-f]{16}\.new$/

function isNew(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0
}

function asidePath(path: string, why: 'damaged' | 'replaced', stamp: string): string {
  let aside = `${path}.${why}-${stamp}`
  for (let n = 2; existsSync(aside); n += 1) aside = `${path}.${why}-${stamp}-${n}`
  return aside
}

const suffixes = ['', '-wal', '-shm']

function moveTo(path: string, to: string): void {
  for (const suffix of suffixes) {
    if (existsSync(path + suffix)) renameSync(path + suffix, to + suffix)
  }
}

const storeTables = ['delivery', 'delivery_content', 'progress', 'damaged_file']
const configTables = ['integration', 'endpoint', 'setting']

type Found =
  | { readonly state: 'missing' | 'damaged' }
  | { readonly state: 'valid'; readonly tables: readonly string[]; readonly version: number }

interface Examined {
  readonly dataDir: string
  readonly list: typeof migrations
  /** The size up to which files are checked completely. */
  readonly checked: number
  readonly keepDamaged: boolean
}

/**
 * Read-only, since closing a writable connection would checkpoint the WAL. Also damaged: a file that belongs to another program, or was changed by one.
 * Throws `store_too_new`, and `store_failed` if it is damaged and must be kept.
 */
function examine(path: string, required: readonly string[], examined: Examined): Found {
  if (!existsSync(path)) return { state: 'missing' }
  const { dataDir, keepDamaged } = examined
  const known = newestVersion(examined.list)
  const { version, tables, foreign } = contentOf(path, examined)
  if (version > known) {
    throw new AppError(
      'store_too_new',
      `The data in ${dataDir} was written by a newer version of Tabscope (format ${version}; this version supports ${known}). Update Tabscope, or use another folder: --data DIR.`,
      { details: { found: version, known } },
    )
  }
  // The first migration creates its tables and the version in one transaction: tables without a version belong to another program.
  const valid =
    tables &&
    (version === 0 ? tables.length === 0 : required.every((each) => tables.includes(each)))
  if (tables && valid) return { state: 'valid', tables, version }
  if (!keepDamaged) return { state: 'damaged' }
  throw new AppError(
    'store_failed',
    `The store in ${dataDir} ${foreign === undefined ? describeUnreadable(path) : `has an unknown ${foreign}`} and was not changed. To move it aside and keep what is readable, start Tabscope: tabscope serve`,
    { details: { damaged: true } },
  )
}

function contentOf(
  path: string,
  { list, checked }: Examined,
): { version: number; tables: string[] | null; foreign?: string } {
  let db: Db | null = null
  try {
    db = openReadOnly(path)
    const version = versionOf(db)
    // A newer store may have any tables, so only its version is checked.
    if (version > newestVersion(list)) return { version, tables: null }
    const foreign = foreignEntry(db, list)
    if (foreign !== null) return { version, tables: null, foreign }
    const intact = statSync(path).size <= checked ? isIntact(db) : seemsIntact(db, path)
    const tables = intact ? tablesOf(db) : null
    // Only after damage was found: it reads every body.
    const isRequested = checked === Number.POSITIVE_INFINITY && tables?.includes('delivery')
    return { version, tables: isRequested && alteredIds(db).length > 0 ? null : tables }
  } catch (error) {
    if (isDamage(error)) return { version: 0, tables: null }
    throw error
  } finally {
    db?.close()
  }
}

function tablesOf(db: Db): string[] {
  return prepare<[], string>(db, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
    .all()
}

/** The file size, the configuration, and the first and last deliveries. Damage in between shows when those rows are read, and affects nothing else. */
function seemsIntact(db: Db, path: string): boolean {
  const wal = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0
  const pages = Number(db.pragma('page_count', { simple: true }))
  const pageBytes = Number(db.pragma('page_size', { simple: true }))
  // Pages that are only in the WAL may be beyond the end of the file.
  if (wal === 0 && statSync(path).size < pages * pageBytes) return false
  for (const name of tablesOf(db)) {
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
    ).run('Sandbox service', 'Service', '')
    db.prepare(
      'INSERT INTO endpoint (integration_id, name, slug, application_id, custom_headers) VALUES (1, ?, ?, ?, ?)',
    ).run('Samples', 'sandbox', '', '[]')
  })()
}
