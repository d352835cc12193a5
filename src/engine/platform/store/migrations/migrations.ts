import Database from 'better-sqlite3'
import type { Schema } from '../config-file.ts'
import { searchTables } from '../search-file.ts'
import { initial } from './001-initial.ts'

/** Published migrations are never edited: a change is a new migration with the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** Of what arrived and was sent. */
  readonly store?: (db: Database.Database) => void
  /** Of the configuration. `schema`: `config`, or `main` if all tables are in one file (an event log, a backup). */
  readonly config?: (db: Database.Database, schema: Schema) => void
}

/** In order. `user_version` of a file is the number of the last one that ran. */
export const migrations: readonly Migration[] = [initial]

export function newestVersion(list: readonly Migration[] = migrations): number {
  return list.at(-1)?.version ?? 0
}

export function versionOf(db: Database.Database, schema: Schema = 'main'): number {
  return Number(db.pragma(`${schema}.user_version`, { simple: true }))
}

/** Each migration sets the version of a file in the same transaction. */
export function migrate(db: Database.Database, list: readonly Migration[]): void {
  for (const [schema, part] of [
    ['main', 'store'],
    ['config', 'config'],
  ] as const) {
    const from = versionOf(db, schema)
    for (const migration of list.filter(({ version }) => version > from)) {
      db.transaction(() => {
        migration[part]?.(db, schema)
        db.pragma(`${schema}.user_version = ${migration.version}`)
      })()
    }
  }
}

/** For an empty database, which gets the tables of both. */
export function createInOneFile(db: Database.Database, list = migrations): void {
  for (const { store, config } of list) {
    store?.(db)
    config?.(db, 'main')
  }
  db.pragma(`user_version = ${newestVersion(list)}`)
}

/** Of a backup. */
export const scenarioFiles =
  'CREATE TABLE IF NOT EXISTS scenario_file (store TEXT NOT NULL, piece BLOB NOT NULL)'

/**
 * The first entry in the schema of a store, a configuration, a backup or an event log that its version does not create, such as `trigger "name"`; null: none.
 * It could run code or return other rows, so check it before anything else is read.
 */
export function foreignEntry(
  db: Database.Database,
  list = migrations,
  ofLog = false,
): string | null {
  const encoding = String(db.pragma('encoding', { simple: true }))
  // SQLite attaches no configuration of another encoding.
  if (encoding !== 'UTF-8') return `encoding "${encoding}"`
  const ran = list.filter(({ version }) => version <= versionOf(db))
  const created = new Database(':memory:')
  try {
    createInOneFile(created, ran)
    // With the statistics that SQLite adds.
    created.exec(`${ofLog ? searchTables : scenarioFiles}; ANALYZE`)
    const expected = new Set(schemaOf(created).map((entry) => JSON.stringify(entry)))
    const found = schemaOf(db).find((entry) => !expected.has(JSON.stringify(entry)))
    return found ? `${found.type} "${found.name}"` : null
  } finally {
    created.close()
  }
}

function schemaOf(db: Database.Database): { type: string; name: string }[] {
  const select = 'SELECT type, name, tbl_name, sql FROM main.sqlite_schema'
  return db.prepare<[], { type: string; name: string }>(select).all()
}
