import { prepare, type Db } from './driver.ts'
import { contentBytesSql, type Ingest } from './ingest.ts'

export interface KeepLimits {
  readonly deliveries: number
  /** Heads and bodies. */
  readonly bytes: number
}

/** Deleted at once: few enough that the writer is soon back at what arrives. */
const stepRows = 256

export interface Retention {
  /** Deletes some of the oldest when there are too many. Returns how many went; 0: there is nothing to do. */
  readonly step: (limits: KeepLimits) => number
  /** Deletes all that are not pinned, in one transaction. */
  readonly clear: () => number
}

/** Keeps the store within its limits, oldest first. Pinned deliveries stay, and count. */
export function createRetention(db: Db, ingest: Ingest): Retention {
  const oldest = prepare<[number], { id: number; bytes: number }>(
    db,
    `SELECT delivery.id, ${contentBytesSql} AS bytes
     FROM delivery JOIN delivery_content USING (id)
     WHERE pinned = 0 ORDER BY delivery.id LIMIT ?`,
  )
  const remove = prepare<[number]>(db, 'DELETE FROM delivery WHERE id = ?')

  const step = db.transaction((limits: KeepLimits): number => {
    const tally = ingest.tally()
    let rows = tally.deliveries - limits.deliveries
    let bytes = tally.bytes - limits.bytes
    if (rows <= 0 && bytes <= 0) return 0
    let goneRows = 0
    let goneBytes = 0
    for (const row of oldest.all(stepRows)) {
      if (rows <= 0 && bytes <= 0) break
      remove.run(row.id)
      rows -= 1
      bytes -= row.bytes
      goneRows += 1
      goneBytes += row.bytes
    }
    if (goneRows > 0) ingest.forget(goneRows, goneBytes)
    return goneRows
  })

  const clear = db.transaction((): number => {
    const gone = prepare<[], { n: number; bytes: number }>(
      db,
      `SELECT count(*) AS n, coalesce(sum(${contentBytesSql}), 0) AS bytes
       FROM delivery JOIN delivery_content USING (id) WHERE pinned = 0`,
    ).get()
    db.exec('DELETE FROM delivery WHERE pinned = 0')
    ingest.forget(gone?.n ?? 0, gone?.bytes ?? 0)
    return gone?.n ?? 0
  })

  return { step, clear }
}
