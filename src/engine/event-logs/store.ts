import { z } from 'zod'
import { EventLog } from '#contract/logs.ts'
import { prepare, type Db } from '../platform/sqlite.ts'

/** An imported log, and the name of its store in the folder of the logs. */
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

/** What is shown of a log that was never written for this version is left out: it can be imported again. */
export function readLogs(db: Db): StoredLog[] {
  return prepare<[], Row>(db, 'SELECT * FROM event_log ORDER BY id')
    .all()
    .flatMap(({ id, sha256, store, imported_ms: importedAt, view }) => {
      const read = z.string().transform(parsed).pipe(View).safeParse(view)
      return read.success ? [{ log: { ...read.data, id, sha256, importedAt }, store }] : []
    })
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}

export interface LogFields {
  readonly log: Omit<EventLog, 'id'>
  readonly store: string
}

/** Writes a log in the place of one with the same content, whose number it keeps. Returns its number. */
export function putLog(db: Db, { log, store }: LogFields): number {
  const row = prepare<[string, string, number, string], { id: number }>(
    db,
    `INSERT INTO event_log (sha256, store, imported_ms, view) VALUES (?, ?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE SET store = excluded.store, imported_ms = excluded.imported_ms, view = excluded.view
     RETURNING id`,
  ).get(log.sha256, store, Math.round(log.importedAt), JSON.stringify(View.parse(log)))
  if (!row) throw new Error('a log got no number')
  return row.id
}

export function deleteLog(db: Db, id: number): void {
  prepare<[number]>(db, 'DELETE FROM event_log WHERE id = ?').run(id)
}
