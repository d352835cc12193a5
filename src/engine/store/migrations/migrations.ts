import type { Db } from '../../platform/sqlite.ts'
import type { Schema } from '../config-file.ts'
import { initial } from './001-initial.ts'

/** Published migrations are never edited: a change is a new migration with the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** Of what arrived and was sent. */
  readonly store?: (db: Db) => void
  /** Of the configuration. `schema`: `config`, or `main` if all tables are in one file (an event log, a backup). */
  readonly config?: (db: Db, schema: Schema) => void
}

/** In order. `user_version` of a file is the number of the last one that ran. */
export const migrations: readonly Migration[] = [initial]

export function newestVersion(list: readonly Migration[] = migrations): number {
  return list.at(-1)?.version ?? 0
}

export function versionOf(db: Db, schema: Schema = 'main'): number {
  return Number(db.pragma(`${schema}.user_version`, { simple: true }))
}

/** Each migration sets the version of a file in the same transaction. */
export function migrate(db: Db, list: readonly Migration[]): void {
  const from = versionOf(db)
  for (const migration of list) {
    if (migration.version > from) {
      db.transaction(() => {
        migration.store?.(db)
        db.pragma(`main.user_version = ${migration.version}`)
      })()
    }
  }
  migrateConfiguration(db, list)
}

function migrateConfiguration(db: Db, list: readonly Migration[]): void {
  const from = versionOf(db, 'config')
  for (const migration of list) {
    if (migration.version <= from) continue
    db.transaction(() => {
      migration.config?.(db, 'config')
      db.pragma(`config.user_version = ${migration.version}`)
    })()
  }
}

/** For an empty database, which gets the tables of both. */
export function createInOneFile(db: Db): void {
  for (const { store, config } of migrations) {
    store?.(db)
    config?.(db, 'main')
  }
  db.pragma(`user_version = ${newestVersion()}`)
}
