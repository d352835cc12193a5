import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createPrivately } from './store/private-files.ts'
import { isUnusable, searchPathOf, temporarySearchTables } from './store/search-file.ts'
import { configPathOf } from './store/config-file.ts'
import { foreignEntry } from './store/migrations/migrations.ts'
import { AppError } from './errors.ts'

export type Db = Database.Database

/**
 * For the single writer. Creates the store and its configuration if missing, readable only by their owner. Commits are durable. The names of tables are
 * unique in both files, so queries need not say in which one a table is.
 */
export function openWriter(path: string): Db {
  createPrivately(path)
  const db = new Database(path)
  db.pragma('trusted_schema = OFF')
  // Only possible before the first table, and a write otherwise.
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma('auto_vacuum = INCREMENTAL')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('cache_size = -16000')
  db.pragma('busy_timeout = 5000')
  const config = configPathOf(path)
  if (config !== null) {
    createPrivately(config)
    db.prepare('ATTACH ? AS config').run(config)
    db.pragma('config.journal_mode = WAL')
    db.pragma('config.synchronous = FULL')
  }
  return db
}

/** Its commits to the store (not to the configuration) do not wait for the disk: a power failure may lose them. */
export function withoutSync<T>(db: Db, work: () => T): T {
  db.pragma('synchronous = NORMAL')
  try {
    return work()
  } finally {
    db.pragma('synchronous = FULL')
  }
}

/** Copies the WAL into the database, as far as readers allow. Returns the number of pages in the WAL. */
export function checkpoint(db: Db): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as documented by SQLite
  const [row] = db.pragma('main.wal_checkpoint(PASSIVE)') as [{ readonly log: number }]
  return row.log
}

/** Any file, whoever wrote it: its schema calls no function that could do harm. */
export function openReadOnly(path: string): Db {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  db.pragma('trusted_schema = OFF')
  return db
}

/** For a file that may be from elsewhere. Throws `bad_input` if its schema has anything that Tabscope does not create. */
export function assertOwnSchema(db: Db, ofLog = false): void {
  const foreign = foreignEntry(db, undefined, ofLog)
  if (foreign === null) return
  const message = `${db.name} has an unknown ${foreign}: another program changed it. Use a file that only Tabscope wrote.`
  throw new AppError('bad_input', message)
}

/**
 * With the configuration and the search index, which a store that was never indexed does not have: then nothing is found by it. Throws `bad_input` for the
 * store of an event log with an unknown schema; `prepareStore` checks the others.
 */
export function openReader(path: string): Db {
  const db = openReadOnly(path)
  try {
    db.pragma('cache_size = -16000')
    db.pragma('busy_timeout = 5000')
    const config = configPathOf(path)
    if (config === null) assertOwnSchema(db, true)
    else db.prepare('ATTACH ? AS config').run(config)
    attachSearch(db, path)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function attachSearch(db: Db, path: string): void {
  const search = searchPathOf(path)
  if (search === null) return
  if (existsSync(search)) {
    try {
      db.prepare('ATTACH ? AS search').run(search)
      if (prepare(db, 'SELECT 1 FROM search.search_progress').get() !== undefined) return
    } catch (error) {
      if (!isUnusable(error)) throw error
    }
    db.exec('DETACH search')
  }
  db.exec(temporarySearchTables)
}

/**
 * The caller declares the types of parameters and rows.
 *
 * SQLite compiles a query again for each new value of a parameter that it considered for its plan, as in joins and for tables with statistics or partial
 * indexes. That takes several times as long as reading a row. Queries that run for each delivery therefore use an expression: `? + 0`.
 */
export function prepare<P extends unknown[], R = unknown>(
  db: Db,
  sql: string,
): Database.Statement<P, R> {
  return db.prepare<P, R>(sql)
}

/** Functions that need only a connection, without it. */
export type WithoutDb<T> = {
  [N in keyof T]: T[N] extends (db: Db, ...input: infer I) => infer O ? (...input: I) => O : T[N]
}

/** `run` runs each call. */
export function withDb<T extends Record<string, (db: Db, ...input: never[]) => unknown>>(
  db: Db,
  functions: T,
  run: <R>(work: () => R) => R = (work) => work(),
): WithoutDb<T> {
  const bound = Object.entries(functions).map(([name, work]) => [
    name,
    (...input: never[]) => run(() => work(db, ...input)),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names
  return Object.fromEntries(bound) as WithoutDb<T>
}

export type SqlValue = string | number | Uint8Array | null
/** Values of the parameters `$name`, or of columns. */
export type NamedValues = Readonly<Record<string, SqlValue>>

/** Values are bound by position, which takes half the time of named parameters. `or`: what a violated constraint causes. */
export function insertInto<C extends string>(
  db: Db,
  table: string,
  columns: readonly C[],
  or?: 'IGNORE' | 'REPLACE',
): (row: Readonly<Record<C, SqlValue>>) => Database.RunResult {
  const statement = db.prepare<SqlValue[]>(
    `INSERT ${or ? `OR ${or} ` : ''}INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  )
  return (row) => statement.run(...columns.map((column) => row[column]))
}

export function insertRow(db: Db, table: string, row: NamedValues): number {
  return Number(insertInto(db, table, Object.keys(row))(row).lastInsertRowid)
}

/** Returns false if there is no row with this ID. */
export function updateRow(db: Db, table: string, id: number, row: NamedValues): boolean {
  const assignments = Object.keys(row).map((column) => `${column} = ?`)
  return (
    db
      .prepare<SqlValue[]>(`UPDATE ${table} SET ${assignments.join()} WHERE id = ?`)
      .run(...Object.values(row), id).changes > 0
  )
}

/** Inserts rows with the columns of the first one. */
export function insertLike(
  db: Db,
  table: string,
  or?: 'IGNORE',
): (row: NamedValues) => Database.RunResult {
  let insert: ReturnType<typeof insertInto<string>> | null = null
  return (row) => (insert ??= insertInto(db, table, Object.keys(row), or))(row)
}

/** Like `insertLike`. The function returns false if a row with the same key exists, which stays as it is. */
export function insertNew(db: Db, table: string): (row: NamedValues) => boolean {
  const insert = insertLike(db, table, 'IGNORE')
  return (row) => insert(row).changes > 0
}

/** Overwrites deleted data with zeros, which SQLite otherwise leaves in the file. */
export function wiping<T>(db: Db, work: () => T): T {
  db.pragma('secure_delete = ON')
  try {
    return db.transaction(work)()
  } finally {
    db.pragma('secure_delete = OFF')
  }
}

/** Removes wiped data from the WAL, too. Returns false if a query blocks this for too long; the next checkpoint then does it. */
export function emptyWal(db: Db): boolean {
  db.pragma('busy_timeout = 1000')
  try {
    const busy = ['main', 'config'].map((file) =>
      db.pragma(`${file}.wal_checkpoint(TRUNCATE)`, { simple: true }),
    )
    return busy.every((each) => each === 0)
  } finally {
    db.pragma('busy_timeout = 5000')
  }
}
