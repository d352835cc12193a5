import { z } from 'zod'
import { prepare, type Db } from '../platform/sqlite.ts'

/** What a delivery of an event log has that one of the live store has not, or has elsewhere. */
export interface LogRest {
  /** What stands here as its body is not what was captured. */
  readonly bodyRedacted: boolean
  /** Why its body is not here; null: it is. */
  readonly omitted: string | null
  /** Where it was not forwarded to, and why, as sentences. */
  readonly notForwarded: string[]
}

const Sentences = z.array(z.string())

/** False for the live store, which need not be asked for each delivery. */
export function hasLogRest(db: Db): boolean {
  return (
    prepare<[], { one: number }>(db, 'SELECT 1 AS one FROM log_delivery LIMIT 1').get() !==
    undefined
  )
}

/** Of deliveries that have nothing of it, and of all in the live store, null. The statement is made once. */
export function createLogRestReader(db: Db): (id: number) => LogRest | null {
  const select = prepare<
    [number],
    { body_redacted: number; omitted: string | null; not_forwarded: string }
  >(db, 'SELECT body_redacted, omitted, not_forwarded FROM log_delivery WHERE id = ?')
  return (id) => {
    const row = select.get(id)
    return row
      ? {
          bodyRedacted: row.body_redacted === 1,
          omitted: row.omitted,
          notForwarded: Sentences.parse(JSON.parse(row.not_forwarded)),
        }
      : null
  }
}

/** Returns how it is stored. */
export function createPutLogRest(db: Db): (id: number, rest: LogRest) => void {
  const insert = prepare<[number, number, string | null, string]>(
    db,
    'INSERT INTO log_delivery (id, body_redacted, omitted, not_forwarded) VALUES (?, ?, ?, ?)',
  )
  return (id, { bodyRedacted, omitted, notForwarded }) => {
    if (!bodyRedacted && omitted === null && notForwarded.length === 0) return
    insert.run(id, bodyRedacted ? 1 : 0, omitted, JSON.stringify(notForwarded))
  }
}
