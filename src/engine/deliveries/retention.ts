import { type Db, prepare } from '../platform/sqlite.ts'
import type { Indexer } from '../search/indexer/indexer.ts'
import { refSlots } from '../search/indexer/limits.ts'
import { contentBytesSql, type Ingest } from './ingest.ts'

/** Tables with rows for each delivery, and the column with its ID. */
const tables = [
  { name: 'delivery', id: 'id' },
  { name: 'delivery_content', id: 'id' },
  { name: 'delivery_finding', id: 'delivery_id' },
] as const

/**
 * Deletes all deliveries that are not pinned, in one transaction, and returns how many. Pinned rows are copied aside first, because SQLite empties a
 * whole table much faster than it deletes single rows. The search index is rebuilt with the pinned deliveries.
 */
function clearDeliveries(db: Db, ingest: Ingest, indexer: Indexer): number {
  const clear = db.transaction((): number => {
    const kept = prepare<[], { deliveries: number; bytes: number }>(
      db,
      `SELECT count(*) AS deliveries, coalesce(sum(${contentBytesSql}), 0) AS bytes
       FROM delivery JOIN delivery_content USING (id) WHERE pinned = 1`,
    ).get() ?? { deliveries: 0, bytes: 0 }
    for (const { name, id } of tables) {
      db.exec(
        `CREATE TABLE kept_${name} AS SELECT * FROM ${name} WHERE ${id} IN (SELECT id FROM delivery WHERE pinned = 1)`,
      )
    }
    for (const { name } of tables) {
      db.exec(
        `DELETE FROM ${name}; INSERT INTO ${name} SELECT * FROM kept_${name}; DROP TABLE kept_${name}`,
      )
    }
    db.exec(`
      DELETE FROM delivery_note WHERE delivery_id NOT IN (SELECT id FROM delivery);
      DELETE FROM attempt_body WHERE id IN (
        SELECT id FROM attempt WHERE delivery_id IS NOT NULL AND delivery_id NOT IN (SELECT id FROM delivery)
      );
      DELETE FROM attempt WHERE delivery_id IS NOT NULL AND delivery_id NOT IN (SELECT id FROM delivery);
      DELETE FROM delivery_tag WHERE delivery_id NOT IN (SELECT id FROM delivery);
      DELETE FROM finding_list WHERE id NOT IN (SELECT finding_list_id FROM delivery WHERE finding_list_id IS NOT NULL);
      DELETE FROM finding_list_kind WHERE list_id NOT IN (SELECT id FROM finding_list);
      DELETE FROM finding_kind WHERE id NOT IN (SELECT kind_id FROM finding_list_kind UNION ALL SELECT kind_id FROM delivery_finding);
      DELETE FROM delivery_ref;
      INSERT INTO delivery_text (delivery_text) VALUES ('delete-all');
      UPDATE search_progress SET indexed_id = 0;
    `)
    const { deliveries, bytes } = ingest.tally()
    const deleted = deliveries - kept.deliveries
    ingest.forget(deleted, bytes - kept.bytes)
    return deleted
  })
  // Otherwise SQLite would check the references to each row, one by one.
  db.pragma('foreign_keys = OFF')
  try {
    return clear()
  } finally {
    db.pragma('foreign_keys = ON')
    ingest.findings.reload()
    indexer.reload()
  }
}

export interface KeepLimits {
  readonly deliveries: number
  /** Total size of heads and bodies. */
  readonly bytes: number
}

/** Number of rows deleted in one step: few enough that the writer soon continues with new deliveries. */
const stepRows = 64

export interface Retention {
  /** Deletes some of the oldest deliveries if a limit is exceeded. Returns how many were deleted. */
  readonly step: (limits: KeepLimits) => number
  /** Deletes these deliveries, pinned or not, in one transaction. Returns how many there were. */
  readonly remove: (ids: readonly number[]) => number
  /** Deletes all deliveries that are not pinned, in one transaction. Returns how many there were. */
  readonly clear: () => number
}

/** Enforces the storage limits, oldest deliveries first. Pinned deliveries are kept, but count. */
export function createRetention(db: Db, ingest: Ingest, indexer: Indexer): Retention {
  const oldest = prepare<[number], { id: number; bytes: number }>(
    db,
    `SELECT delivery.id, ${contentBytesSql} AS bytes
     FROM delivery JOIN delivery_content USING (id)
     WHERE pinned = 0 ORDER BY delivery.id LIMIT ?`,
  )
  const removeRow = prepare<[number]>(db, 'DELETE FROM delivery WHERE id = ?')
  const removeRefs = prepare<[number, number]>(
    db,
    'DELETE FROM delivery_ref WHERE id BETWEEN ? AND ?',
  )
  const removeText = prepare<[number]>(db, 'DELETE FROM delivery_text WHERE rowid = ?')
  const remove = (id: number): void => {
    removeRow.run(id)
    if (id > indexer.indexedId()) return
    removeRefs.run(id * refSlots, id * refSlots + refSlots - 1)
    removeText.run(id)
  }

  const step = db.transaction((limits: KeepLimits): number => {
    const tally = ingest.tally()
    let rows = tally.deliveries - limits.deliveries
    let bytes = tally.bytes - limits.bytes
    if (rows <= 0 && bytes <= 0) return 0
    let deletedRows = 0
    let deletedBytes = 0
    for (const row of oldest.all(stepRows)) {
      if (rows <= 0 && bytes <= 0) break
      remove(row.id)
      rows -= 1
      bytes -= row.bytes
      deletedRows += 1
      deletedBytes += row.bytes
    }
    if (deletedRows > 0) ingest.forget(deletedRows, deletedBytes)
    return deletedRows
  })

  const bytesOf = prepare<[number], { bytes: number }>(
    db,
    `SELECT ${contentBytesSql} AS bytes FROM delivery JOIN delivery_content USING (id) WHERE delivery.id = ?`,
  )
  const removeThese = db.transaction((ids: readonly number[]): number => {
    let rows = 0
    let bytes = 0
    for (const id of ids) {
      const row = bytesOf.get(id)
      if (!row) continue
      remove(id)
      rows += 1
      bytes += row.bytes
    }
    if (rows > 0) ingest.forget(rows, bytes)
    return rows
  })

  return {
    step,
    remove: (ids) => removeThese(ids),
    clear: () => clearDeliveries(db, ingest, indexer),
  }
}
