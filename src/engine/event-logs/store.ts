import { z } from 'zod'
import { EventLog, RedactionRule } from '#contract/logs.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/** An imported log, and the file name of its store in the `logs` folder. */
export interface StoredLog {
  readonly log: EventLog
  readonly store: string
}

interface Row {
  readonly id: number
  readonly sha256: string
  readonly store: string
  readonly imported_ms: number
  readonly view: string
}

const View = EventLog.omit({ id: true, sha256: true, importedAt: true })

/** Returns the imported logs. Skips those whose row does not match the schema; they can be imported again. */
export function readLogs(db: Db): StoredLog[] {
  return prepare<[], Row>(db, 'SELECT * FROM event_log ORDER BY id')
    .all()
    .flatMap(({ id, sha256, store, imported_ms: importedAt, view }) => {
      const read = z.string().transform(parseJson).pipe(View).safeParse(view)
      return read.success ? [{ log: { ...read.data, id, sha256, importedAt }, store }] : []
    })
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

export interface LogFields {
  readonly log: Omit<EventLog, 'id'>
  readonly store: string
}

/** Inserts a log and returns its id. If a log with the same content exists, replaces it and keeps its id. */
export function putLog(db: Db, { log, store }: LogFields): number {
  const row = prepare<[string, string, number, string], { id: number }>(
    db,
    `INSERT INTO event_log (sha256, store, imported_ms, view) VALUES (?, ?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE SET store = excluded.store, imported_ms = excluded.imported_ms, view = excluded.view
     RETURNING id`,
  ).get(log.sha256, store, Math.round(log.importedAt), JSON.stringify(View.parse(log)))
  if (!row) throw new Error('the log was not inserted')
  return row.id
}

export function deleteLog(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM event_log WHERE id = ?').run(id)
}

/** Returns the saved redaction rules, in order. Skips rules that do not match the schema. */
export function readRedactionRules(db: Db): RedactionRule[] {
  return prepare<[], string>(db, 'SELECT rule FROM redaction_rule ORDER BY id')
    .pluck()
    .all()
    .flatMap((text) => {
      const parseJson = RedactionRule.safeParse(JSON.parse(text))
      return parseJson.success ? [parseJson.data] : []
    })
}

/** Replaces all saved redaction rules. */
export function writeRedactionRules(db: Db, rules: readonly RedactionRule[]): void {
  const insert = prepare<[string]>(db, 'INSERT OR IGNORE INTO redaction_rule (rule) VALUES (?)')
  db.transaction(() => {
    db.exec('DELETE FROM redaction_rule')
    for (const rule of rules) insert.run(JSON.stringify(rule))
  })()
}
