import type { Db } from './driver.ts'
import { prepare } from './driver.ts'
import type { Indexer } from './indexer/indexer.ts'
import { contentBytesSql, type Ingest } from './ingest.ts'

/** Tables that have a row or more for each delivery, and the column that says of which. */
const tables = [
  { name: 'delivery', id: 'id' },
  { name: 'delivery_content', id: 'id' },
  { name: 'delivery_finding', id: 'delivery_id' },
] as const

/**
 * Deletes all deliveries that are not pinned, in one transaction; returns how many. What stays is put beside, since SQLite empties a whole
 * table in a small part of the time in which it deletes its rows. The search index begins anew, with the few that stay.
 */
export function clearDeliveries(db: Db, ingest: Ingest, indexer: Indexer): number {
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
      DELETE FROM finding_kind WHERE id NOT IN (SELECT kind_id FROM delivery_finding);
      DELETE FROM delivery_ref;
      INSERT INTO delivery_text (delivery_text) VALUES ('delete-all');
      UPDATE search_progress SET indexed_id = 0;
    `)
    const { deliveries, bytes } = ingest.tally()
    const gone = deliveries - kept.deliveries
    ingest.forget(gone, bytes - kept.bytes)
    return gone
  })
  // Else SQLite would look for references to each row, one by one.
  db.pragma('foreign_keys = OFF')
  try {
    return clear()
  } finally {
    db.pragma('foreign_keys = ON')
    ingest.forgetKinds()
    indexer.reload()
  }
}
