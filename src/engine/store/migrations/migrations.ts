import type { Db } from '../../platform/sqlite.ts'
import { first } from './001-first.ts'
import { authorization } from './002-authorization.ts'
import { understanding } from './003-understanding.ts'
import { sending } from './004-sending.ts'
import { tunnel } from './005-tunnel.ts'
import { eventLogs } from './006-event-logs.ts'
import { sealedHeaders } from './007-sealed-headers.ts'
import { ruleUses } from './008-rule-uses.ts'
import { rechecks } from './009-rechecks.ts'
import { findingLists } from './010-finding-lists.ts'
import { rehearsals } from './011-rehearsals.ts'
import { sharedHeads } from './012-shared-heads.ts'
import type { Migration } from './migration.ts'

/** All migrations in order. `user_version` of a store is the number of the last one that ran. */
export const migrations: readonly Migration[] = [
  first,
  authorization,
  understanding,
  sending,
  tunnel,
  eventLogs,
  sealedHeaders,
  ruleUses,
  rechecks,
  findingLists,
  rehearsals,
  sharedHeads,
]

/** The version of a store after all migrations. */
export function newestVersion(list: readonly Migration[]): number {
  return list.at(-1)?.version ?? 0
}

/** Runs the migrations after `from`. Each sets its version in the same transaction. */
export function migrate(db: Db, from: number, list: readonly Migration[]): void {
  for (const migration of list) {
    if (migration.version <= from) continue
    db.transaction(() => {
      migration.up(db)
      db.pragma(`user_version = ${migration.version}`)
    })()
  }
}
