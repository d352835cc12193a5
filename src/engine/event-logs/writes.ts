import type { EventLog, RedactionRule } from '#contract/logs.ts'
import { prepare, type Db, type NamedValues } from '../platform/sqlite.ts'

export interface LogFields {
  readonly log: Omit<EventLog, 'id'>
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

export function writeRedactionRules(db: Db, rules: readonly RedactionRule[]): void {
  const insert = prepare<[string]>(db, 'INSERT OR IGNORE INTO redaction_rule (rule) VALUES (?)')
  db.transaction(() => {
    db.exec('DELETE FROM redaction_rule')
    for (const rule of rules) insert.run(JSON.stringify(rule))
  })()
}
