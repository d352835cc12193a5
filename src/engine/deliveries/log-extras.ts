import { insertInto, prepare, type Db } from '../platform/sqlite.ts'

/** Only deliveries in an event log have these. */
export interface LogExtras {
  /** The stored body differs from the captured body. */
  readonly bodyRedacted: boolean
  readonly omitted: string | null
  /** Targets and reasons, as sentences. */
  readonly notForwarded: string[]
}

/** False for the live store, so that it need not be queried for each delivery. */
export function hasLogExtras(db: Db): boolean {
  return (
    prepare<[], { one: number }>(db, 'SELECT 1 AS one FROM log_delivery LIMIT 1').get() !==
    undefined
  )
}

/** The function returns null if there are none. */
export function createLogExtrasReader(db: Db): (id: number) => LogExtras | null {
  const select = prepare<
    [number],
    { body_redacted: number; omitted: string | null; not_forwarded: string }
  >(db, 'SELECT body_redacted, omitted, not_forwarded FROM log_delivery WHERE id = ?')
  return (id) => {
    const row = select.get(id)
    if (!row) return null
    const notForwarded: string[] = JSON.parse(row.not_forwarded)
    return { bodyRedacted: row.body_redacted === 1, omitted: row.omitted, notForwarded }
  }
}

export function createLogExtrasWriter(db: Db): (id: number, extras: LogExtras) => void {
  const columns = ['id', 'body_redacted', 'omitted', 'not_forwarded'] as const
  const insert = insertInto(db, 'log_delivery', columns)
  return (id, { bodyRedacted, omitted, notForwarded }) => {
    if (!bodyRedacted && omitted === null && notForwarded.length === 0) return
    insert({
      id,
      body_redacted: bodyRedacted ? 1 : 0,
      omitted,
      not_forwarded: JSON.stringify(notForwarded),
    })
  }
}
