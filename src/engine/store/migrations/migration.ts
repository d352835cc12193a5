import type { Db } from '../../platform/sqlite.ts'

/** One step of the schema. Published ones are never edited: a change is the next number. */
export interface Migration {
  readonly version: number
  readonly name: string
  up(db: Db): void
}
