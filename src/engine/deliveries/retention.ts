import { type Db, prepare } from '../platform/sqlite.ts'
import type { Indexer } from '../search/indexer/indexer.ts'
import { refSlots } from '../search/indexer/limits.ts'
import { contentBytesSql, type Ingest } from './ingest.ts'

const tables = ['delivery', 'delivery_content'] as const

/** Pinned rows are copied aside, because SQLite empties a whole table much faster than it deletes rows. The search index is rebuilt from them. */
function clearDeliveries(db: Db, ingest: Ingest, indexer: Indexer): number {
  const clear = db.transaction((): number => {
    const kept = prepare<[], { deliveries: number; bytes: number }>(
      db,
      `SELECT count(*) AS deliveries, coalesce(sum(${contentBytesSql}), 0) AS bytes
       FROM delivery JOIN delivery_content USING (id) WHERE pinned = 1`,
    ).get() ?? { deliveries: 0, bytes: 0 }
    for (const name of tables) {
      db.exec(
        `CREATE TABLE kept_${name} AS SELECT * FROM ${name} WHERE id IN (SELECT id FROM delivery WHERE pinned = 1)`,
      )
    }
    for (const name of tables) {
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
      DELETE FROM finding_kind WHERE id NOT IN (SELECT kind_id FROM finding_list_kind);
      DELETE FROM shared_head WHERE id NOT IN (SELECT head_id FROM delivery_content WHERE head_id IS NOT NULL);
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
    ingest.heads.reload()
    indexer.reload()
  }
}

export interface KeepLimits {
  readonly deliveries: number
  /** Heads and bodies. */
  readonly bytes: number
}

/** Rows deleted at a time. A step deletes this number as often as its time allows. */
const rangeRows = 256
const rangeBytes = 4 * 1024 * 1024
/** Before its commit: `most` while the store exceeds a limit by more than this share, because a flood is stored in longer transactions, too. */
const stepMs = { usual: 8, most: 50, share: 0.02 } as const
/** Percent of deleted entries from which a part of the text index is rewritten: while deliveries are deleted, and afterwards. */
const compaction = { busy: 40, quiet: 10 } as const
const compactionPages = 8

/** Deletions after which the text index is checked again. */
const compactEvery = 1000

export interface Retention {
  /** Deletes the oldest if a limit is exceeded, or compacts the text index. Returns how many were deleted; null: nothing to do. */
  readonly step: (limits: KeepLimits) => number | null
  /** False: not worth it. */
  readonly compact: () => boolean
  /** Pinned or not, in one transaction. Returns how many there were. */
  readonly remove: (ids: readonly number[]) => number
  /** Pinned ones stay. Returns how many there were. */
  readonly clear: () => number
}

interface SizeRow {
  readonly id: number
  readonly bytes: number
  readonly head: number | null
}

/** Oldest deliveries first. Pinned deliveries are kept, but count. `now`: a monotonic clock, in milliseconds. */
export function createRetention(
  db: Db,
  ingest: Ingest,
  indexer: Indexer,
  now: () => number = () => performance.now(),
): Retention {
  const step = createStep(db, ingest, now)
  const remove = createRemove(db, ingest)
  const compact = db.transaction(() => compactText(db, compaction.quiet))
  /** False: nothing was deleted since the text index was found compact. */
  let mayCompact = true
  return {
    step: (limits) => {
      const deleted = step(limits)
      if (deleted !== null) mayCompact = true
      return deleted
    },
    compact: () => {
      if (mayCompact) mayCompact = compact()
      return mayCompact
    },
    remove: (ids) => {
      mayCompact = true
      return remove(ids)
    },
    clear: () => clearDeliveries(db, ingest, indexer),
  }
}

const sizesSql = `SELECT delivery.id, ${contentBytesSql} AS bytes, head_id AS head FROM delivery JOIN delivery_content USING (id)`

function createStep(db: Db, ingest: Ingest, now: () => number): Retention['step'] {
  const oldest = prepare<[number], SizeRow>(
    db,
    `${sizesSql} WHERE pinned = 0 ORDER BY delivery.id LIMIT ?`,
  )
  const pinnedIn = prepare<[{ lo: number; hi: number }], { id: number }>(
    db,
    'SELECT id FROM delivery INDEXED BY delivery_pinned WHERE pinned = 1 AND id BETWEEN $lo AND $hi ORDER BY id',
  )
  const removeRange = createRemoveRange(db)

  const deleteOldest = (excess: { rows: number; bytes: number }): readonly SizeRow[] => {
    const rows = enoughOf(oldest.all(rangeRows), excess)
    const [lo, hi] = [rows[0]?.id, rows.at(-1)?.id]
    if (lo === undefined || hi === undefined) return []
    let from = lo
    for (const { id: pinned } of pinnedIn.all({ lo, hi })) {
      if (from < pinned) removeRange(from, pinned - 1)
      from = pinned + 1
    }
    removeRange(from, hi)
    return rows
  }

  /** Deletions since the text index was last found compact enough. */
  let uncompacted = 0
  return db.transaction((limits: KeepLimits): number | null => {
    const { deliveries, bytes } = ingest.tally()
    if (deliveries <= limits.deliveries && bytes <= limits.bytes) return null
    if (uncompacted >= compactEvery) {
      if (compactText(db, compaction.busy)) return 0
      uncompacted = 0
    }
    const isFarOver =
      deliveries > limits.deliveries * (1 + stepMs.share) ||
      bytes > limits.bytes * (1 + stepMs.share)
    const until = now() + (isFarOver ? stepMs.most : stepMs.usual)
    let deletedRows = 0
    let deletedBytes = 0
    do {
      const rows = deleteOldest({
        rows: deliveries - deletedRows - limits.deliveries,
        bytes: bytes - deletedBytes - limits.bytes,
      })
      if (rows.length === 0) break
      deletedRows += rows.length
      deletedBytes += deleteHeads(ingest, rows)
    } while (now() < until)
    if (deletedRows === 0) return null
    ingest.forget(deletedRows, deletedBytes)
    uncompacted += deletedRows
    return deletedRows
  })
}

function createRemove(db: Db, ingest: Ingest): Retention['remove'] {
  const given = prepare<[string], SizeRow>(
    db,
    `${sizesSql} WHERE delivery.id IN (SELECT value FROM json_each(?)) ORDER BY delivery.id`,
  )
  const removeRange = createRemoveRange(db)
  return db.transaction((ids: readonly number[]): number => {
    const rows = given.all(JSON.stringify(ids))
    for (let at = 0; at < rows.length; at += 1) {
      const lo = rows[at]?.id ?? 0
      while (rows[at + 1]?.id === (rows[at]?.id ?? 0) + 1) at += 1
      removeRange(lo, rows[at]?.id ?? lo)
    }
    if (rows.length > 0) ingest.forget(rows.length, deleteHeads(ingest, rows))
    return rows.length
  })
}

function createRemoveRange(db: Db): (lo: number, hi: number) => void {
  // The foreign keys delete the rows of other tables.
  const rows = prepare<[number, number]>(db, 'DELETE FROM delivery WHERE id BETWEEN ? AND ?')
  const refs = prepare<[number, number]>(db, 'DELETE FROM delivery_ref WHERE id BETWEEN ? AND ?')
  const text = prepare<[number, number]>(
    db,
    'DELETE FROM delivery_text WHERE rowid BETWEEN ? AND ?',
  )
  return (lo, hi) => {
    text.run(lo, hi)
    refs.run(lo * refSlots, hi * refSlots + refSlots - 1)
    rows.run(lo, hi)
  }
}

/** Only heads that nothing else uses. Returns the size of the rows. */
function deleteHeads(ingest: Ingest, rows: readonly SizeRow[]): number {
  const heads = new Set(rows.flatMap(({ head }) => (head === null ? [] : [head])))
  ingest.heads.deleteUnused([...heads])
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Until neither limit is exceeded any more, or they are many for one range. */
function enoughOf(
  rows: readonly SizeRow[],
  excess: { readonly rows: number; readonly bytes: number },
): readonly SizeRow[] {
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    if ((index >= excess.rows && bytes >= excess.bytes) || bytes >= rangeBytes) return true
    bytes += row.bytes
    return false
  })
  return end < 0 ? rows : rows.slice(0, end)
}

/** SQLite would do so by itself, but without a limit: `deletemerge` is 0 otherwise. Returns false if there was nothing to do. */
function compactText(db: Db, percent: number): boolean {
  const changes = prepare<[], number>(db, 'SELECT total_changes()').pluck()
  db.exec(`INSERT INTO delivery_text (delivery_text, rank) VALUES ('deletemerge', ${percent})`)
  const before = changes.get() ?? 0
  db.exec(`INSERT INTO delivery_text (delivery_text, rank) VALUES ('merge', ${compactionPages})`)
  // The statement itself counts as one change.
  const merged = (changes.get() ?? 0) - before >= 2
  db.exec("INSERT INTO delivery_text (delivery_text, rank) VALUES ('deletemerge', 0)")
  return merged
}
