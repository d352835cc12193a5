import { hash } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { contentBytesSql } from './rows.ts'
import { readUnindexed } from './store.ts'
import { AppError } from '../platform/errors.ts'
import { openReadOnly, prepare, type Db, type SqlValue } from '../platform/sqlite.ts'
import { turnOff, type Schema } from '../platform/store/config-file.ts'
import { partEnd } from '../platform/store/private-files.ts'
import { isUnusable } from '../platform/store/search-file.ts'

type Row = Readonly<Record<string, SqlValue>>

/** Names in the new store are ours, so they need no quotes. */
interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly hasRowId: boolean
}

const batchRows = 500
const key = 'salvaged_row_id'

/** `lost`: how many deliveries could not be read; null: unknown, because the file is not readable at all or does not say how many it had. */
export interface Salvaged {
  readonly kept: number
  readonly lost: number | null
}

/**
 * Copies every readable row of a damaged store into a new one, which has the newest schema. `empty`: the content of an empty store, for a damaged one whose
 * own schema cannot be read.
 */
export function salvage(from: string, into: Db, empty: () => Buffer): Salvaged {
  const found = copied(from, into, copyStore)
  if (found !== null && found.kept > 0) return found
  const repaired = `${from}${partEnd}`
  try {
    copyWithSchema(from, repaired, empty())
    return copied(repaired, into, copyStore) ?? found ?? { kept: 0, lost: null }
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(repaired + end, { force: true })
  }
}

/**
 * Replaces the pages of the schema by those of an empty store. Tables of a store keep the place of their first page, so that their rows can be read again. In
 * one that was restored from a backup they are elsewhere, and nothing is found.
 */
function copyWithSchema(from: string, to: string, empty: Buffer): void {
  copyFileSync(from, to)
  const hasWal = existsSync(`${from}-wal`)
  if (hasWal) copyFileSync(`${from}-wal`, `${to}-wal`)
  const pageBytes = empty.readUInt16BE(16)
  // The header (https://sqlite.org/fileformat2.html#the_database_header): the journal mode, no free pages, and a size that SQLite takes from the file.
  empty.fill(hasWal ? 2 : 1, 18, 20)
  empty.fill(0, 32, 40)
  empty.writeUInt32BE(1, 24)
  empty.writeUInt32BE(0, 92)
  const file = openSync(to, 'r+')
  try {
    for (const page of schemaPages(empty, pageBytes)) {
      const start = (page - 1) * pageBytes
      writeSync(file, empty, start, pageBytes, start)
    }
  } finally {
    closeSync(file)
  }
}

function schemaPages(file: Buffer, pageBytes: number, page = 1): number[] {
  const start = (page - 1) * pageBytes
  const header = start + (page === 1 ? 100 : 0)
  const isInterior = file[header] === 5
  if (!isInterior) return [page]
  const children = Array.from({ length: file.readUInt16BE(header + 3) }, (_, index) =>
    file.readUInt32BE(start + file.readUInt16BE(header + 12 + 2 * index)),
  )
  children.push(file.readUInt32BE(header + 8))
  return [page, ...children.flatMap((child) => schemaPages(file, pageBytes, child))]
}

export function salvageConfiguration(from: string, into: Db): void {
  copied(from, into, (source) => copyTables(source, into, 'config'))
}

function copied<T>(from: string, into: Db, copy: (source: Db, into: Db) => T): T | null {
  let source: Db | null = null
  into.pragma('foreign_keys = OFF')
  try {
    source = openReadOnly(from)
    return copy(source, into)
  } catch (error) {
    if (!isUnusable(error)) throw error
    return null
  } finally {
    into.pragma('foreign_keys = ON')
    source?.close()
  }
}

function copyTables(source: Db, into: Db, schema: Schema): void {
  into.transaction(() => {
    const tables = tablesOf(source, into, schema)
    for (const table of tables) copyTable(source, into, table)
    for (const { name } of tables) deleteOrphans(into, name)
  })()
}

interface Before {
  readonly deliveries: number
  readonly lastId: number
  readonly observedId: number
}

function copyStore(source: Db, into: Db): Salvaged {
  const before = readable(() => {
    const hasProgress = columnsOf(source, 'progress').length > 0
    const select = 'SELECT deliveries, last_id AS lastId, observed_id AS observedId FROM progress'
    const row = hasProgress && source.prepare<[], Before>(select).get()
    return row && Object.values(row).every(Number.isSafeInteger) ? row : null
  })
  copyTables(source, into, 'main')
  // A backup has it in the same file.
  into.transaction(() => {
    copyTables(source, into, 'config')
    if (tablesOf(source, into, 'config').length > 0) turnOff(into)
  })()
  // So that what belongs to a lost delivery is deleted with it.
  into.pragma('foreign_keys = ON')
  const kept = into.transaction(() => recount(into, before))()
  return { kept, lost: before && Math.max(0, before.deliveries - kept) }
}

/** None, if it is a view or another table that computes its rows. */
function columnsOf(db: Db, name: string): string[] {
  return db
    .prepare<[string], string>(
      "SELECT info.name FROM pragma_table_list(?) AS list, pragma_table_info(list.name, list.schema) AS info WHERE list.type = 'table'",
    )
    .pluck()
    .all(name)
}

function tablesOf(source: Db, into: Db, schema: Schema): Table[] {
  const listed = into
    .prepare<[Schema], { name: string; wr: number }>(
      "SELECT name, wr FROM pragma_table_list WHERE schema = ? AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'progress'",
    )
    .all(schema)
  return listed.flatMap(({ name, wr }) => {
    const known = columnsOf(source, name)
    const columns = columnsOf(into, name).filter((column) => known.includes(column))
    return columns.length === 0 ? [] : [{ name, columns, hasRowId: wr === 0 }]
  })
}

function copyTable(source: Db, into: Db, table: Table): void {
  const { name, columns } = table
  into.exec(`DELETE FROM ${name}`)
  const insert = into.prepare<SqlValue[]>(
    `INSERT OR IGNORE INTO ${name} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  )
  // A changed byte can also change the type of a value, which the new table does not accept.
  const put = (row: Row): void =>
    void readable(() => insert.run(...columns.map((column) => row[column] ?? null)))
  if (table.hasRowId) eachReadable(source, table, put)
  else copyFromBothEnds(source, table, put)
}

/** Deliveries whose body no longer has its SHA-256, or with an unknown value: SQLite does not notice a changed byte within a value. */
export function alteredIds(db: Db): number[] {
  const digests = new Map<number, SqlValue>()
  eachReadable(db, { name: 'delivery', columns: ['id', 'sha256'] }, ({ id, sha256 }) =>
    digests.set(Number(id), sha256 ?? null),
  )
  const altered: number[] = []
  eachReadable(db, { name: 'delivery_content', columns: ['id', 'body'] }, ({ id, body }) => {
    const digest = digests.get(Number(id))
    if (!(digest instanceof Uint8Array) || !(body instanceof Uint8Array)) return
    if (!hash('sha256', body, 'buffer').equals(digest)) altered.push(Number(id))
  })
  return [...altered, ...[...digests.keys()].filter((id) => !isDecodable(db, id))]
}

function isDecodable(db: Db, id: number): boolean {
  try {
    return readUnindexed(db, [id]).length > 0
  } catch (error) {
    if (error instanceof AppError || error instanceof Database.SqliteError) return false
    throw error
  }
}

/** In the order of their IDs. Rows of a damaged page are skipped: seeks reach the pages behind it. */
export function eachReadable(
  source: Db,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  put: (row: Row) => void,
): void {
  const select = prepare<[number, number], Row & { readonly [key]: number }>(
    source,
    `SELECT rowid AS ${key}, ${columns.join()} FROM ${name} NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT ?`,
  )
  // With an altered ID, a row is not where it is looked for: going back to it, or to one beyond what numbers can count, would never end.
  const rowFrom = (id: number): (Row & { [key]: number }) | null | undefined => {
    const row = readable(() => select.get(id, 1))
    return row && !(row[key] >= id && Number.isSafeInteger(row[key])) ? null : row
  }
  let next = 0
  for (;;) {
    const batch = readable(() => select.all(next, batchRows)) ?? [rowFrom(next)]
    if (batch.at(-1) === undefined) return
    const start = next
    const rows = batch.filter((row) => row && row[key] >= start && Number.isSafeInteger(row[key]))
    for (const row of rows) if (row) put(row)
    const last = rows.at(-1)
    // A row with an altered ID is not followed by smaller ones: they would be skipped.
    const isAltered =
      last && last[key] > next && (rowFrom(next + 1)?.[key] ?? last[key]) < last[key]
    const found =
      isAltered && rows.length === 1 ? next + 1 : last ? last[key] + 1 : nextReadable(next, rowFrom)
    if (found === null) return
    next = found
  }
}

function nextReadable(
  id: number,
  rowFrom: (id: number) => object | null | undefined,
): number | null {
  let step = 1
  while (rowFrom(id + step) === null) {
    step *= 2
    if (!Number.isSafeInteger(id + step)) return null
  }
  let unreadable = Math.floor(step / 2)
  let found = step
  while (found - unreadable > 1) {
    const middle = Math.floor((unreadable + found) / 2)
    if (rowFrom(id + middle) === null) unreadable = middle
    else found = middle
  }
  return id + found
}

function copyFromBothEnds(source: Db, { name, columns }: Table, put: (row: Row) => void): void {
  for (const order of ['', ` ORDER BY ${columns.map((column) => `${column} DESC`).join()}`]) {
    readable(() => {
      const rows = prepare<[], Row>(source, `SELECT ${columns.join()} FROM ${name}${order}`)
      for (const row of rows.iterate()) put(row)
      return true
    })
  }
}

function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Database.SqliteError) return null
    throw error
  }
}

function deleteOrphans(db: Db, table: string): void {
  const references = db
    .prepare<[string], { column: string; parent: string; key: string }>(
      'SELECT "from" AS column, "table" AS parent, coalesce("to", \'id\') AS key FROM pragma_foreign_key_list(?)',
    )
    .all(table)
  for (const { column, parent, key: parentKey } of references) {
    db.exec(
      `DELETE FROM ${table} WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT ${parentKey} FROM ${parent})`,
    )
  }
}

function recount(db: Db, before: Before | null): number {
  const remove = db.prepare('DELETE FROM delivery_content WHERE id = ?')
  for (const id of alteredIds(db)) remove.run(id)
  db.exec(`DELETE FROM delivery WHERE id NOT IN (SELECT id FROM delivery_content);
    INSERT OR IGNORE INTO relay_source (relay_id, name) SELECT DISTINCT relay_id, 'relay ' || relay_id FROM relay_delivery`)
  db.prepare(
    `UPDATE progress SET last_id = max(?, (SELECT coalesce(max(id), 0) FROM delivery)), deliveries = (SELECT count(*) FROM delivery),
       bytes = (SELECT coalesce(sum(${contentBytesSql}), 0) FROM delivery_content)`,
  ).run(before?.lastId ?? 0)
  // If that is unknown, nothing is counted twice.
  db.prepare('UPDATE progress SET observed_id = coalesce(?, last_id)').run(before?.observedId)
  db.exec(
    'UPDATE attempt_tally SET attempts = (SELECT count(*) FROM attempt), bytes = (SELECT coalesce(sum(stored_bytes), 0) FROM attempt)',
  )
  return Number(db.prepare('SELECT deliveries FROM progress').pluck().get())
}
