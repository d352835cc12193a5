import type { FieldChoice } from '#contract/masking.ts'
import type { LibraryLog } from './store.ts'
import { prepare, type Db, type NamedValues } from '../platform/sqlite.ts'

export interface LogFields {
  readonly log: Omit<LibraryLog, 'id'>
  readonly store: string
}

/** A log with the same content is replaced and keeps its id. */
export function putLog(db: Db, { log, store }: LogFields): number {
  const { sha256, importedAt, ...view } = log
  const row = prepare<[NamedValues], { id: number }>(
    db,
    `INSERT INTO event_log (sha256, store, imported_ms, view) VALUES ($sha256, $store, $importedAt, $view)
     ON CONFLICT (sha256) DO UPDATE SET store = excluded.store, imported_ms = excluded.imported_ms, view = excluded.view
     RETURNING id`,
  ).get({ sha256, store, importedAt: Math.round(importedAt), view: JSON.stringify(view) })
  if (!row) throw new Error('the log was not inserted')
  return row.id
}

export function deleteLog(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM event_log WHERE id = ?').run(id)
}

export function writeFieldChoices(db: Db, choices: readonly FieldChoice[]): void {
  const insert = prepare<[NamedValues]>(
    db,
    'INSERT OR REPLACE INTO field_choice (field, choice) VALUES ($field, $as)',
  )
  db.transaction(() => {
    db.exec('DELETE FROM field_choice')
    for (const { field, as } of choices) insert.run({ field, as })
  })()
}
