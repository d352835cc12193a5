import type { Db } from '../../platform/sqlite.ts'
import { initial } from './001-initial.ts'

/** Published migrations are never edited: a change is a new migration with the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  up(db: Db): void
}

/** In order. `user_version` of a store is the number of the last one that ran. */
export const migrations: readonly Migration[] = [initial]

export function newestVersion(list: readonly Migration[]): number {
  return list.at(-1)?.version ?? 0
}

/** Each migration sets its version in the same transaction. */
export function migrate(db: Db, from: number, list: readonly Migration[]): void {
  for (const migration of list) {
    if (migration.version <= from) continue
    db.transaction(() => {
      migration.up(db)
      db.pragma(`user_version = ${migration.version}`)
    })()
  }
}
