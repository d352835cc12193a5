import type { Db } from '../../platform/sqlite.ts'

/** One migration of the schema. Published migrations are never edited: a change is a new migration with the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  up(db: Db): void
}
