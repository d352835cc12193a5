import { type Db, prepare } from '../platform/sqlite.ts'
import type { Ingest } from './ingest.ts'
import { contentBytesSql } from './rows.ts'

/** Of IDs, both inclusive. */
export type Ranges = readonly (readonly [from: number, to: number])[]

/** Deleted deliveries, for the search index. `all`: only pinned ones are left. */
export type Removed = { readonly ranges: Ranges } | 'all'

const tables = ['delivery', 'delivery_content'] as const

/** Pinned rows are copied aside, because SQLite empties a whole table much faster than it deletes rows. */
function clearDeliveries(db: Db, ingest: Ingest): number {
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
      DELETE FROM held_delivery WHERE delivery_id NOT IN (SELECT id FROM delivery);
      DELETE FROM relay_delivery WHERE delivery_id NOT IN (SELECT id FROM delivery);
      DELETE FROM delivery_tag WHERE delivery_id NOT IN (SELECT id FROM delivery);
      DELETE FROM finding_list WHERE id NOT IN (SELECT finding_list_id FROM delivery WHERE finding_list_id IS NOT NULL);
      DELETE FROM finding_list_kind WHERE list_id NOT IN (SELECT id FROM finding_list);
      DELETE FROM finding_kind WHERE id NOT IN (SELECT kind_id FROM finding_list_kind);
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
  }
}

export interface KeepLimits {
  readonly deliveries: number
  /** Heads and bodies. */
  readonly bytes: number
  /** Older ones are deleted. 0: at no age. */
  readonly days: number
}

const rangeRows = 256
const rangeBytes = 4 * 1024 * 1024
/** Before its commit. Groups wait for one step: `most` while the store exceeds a limit by more than this share. */
const stepMs = { usual: 2, most: 6, share: 0.02 } as const
interface SizeRow {
  readonly id: number
  readonly bytes: number
}

interface OldRow extends SizeRow {
  readonly receivedUs: number
}

const dayUs = 86_400_000_000

export type Retention = ReturnType<typeof createRetention>

/** Oldest deliveries first. Pinned deliveries are kept, but count. `removed`: called after the commit. `date`: see `createBelievedTime`. `now`: a monotonic clock, in milliseconds. */
export function createRetention(
  db: Db,
  ingest: Ingest,
  removed: (removed: Removed) => void,
  date: () => number = () => 0,
  now: () => number = () => performance.now(),
) {
  const ranges = createRanges(db)
  /** A failed transaction deletes nothing. */
  const reporting = <T>(work: () => T): T => {
    ranges.take()
    const result = work()
    const taken = ranges.take()
    if (taken.length > 0) removed({ ranges: taken })
    return result
  }
  const step = createStep(db, ingest, ranges.remove, { now, date })
  const remove = createRemove(db, ingest, ranges.remove)
  return {
    /** Deletes the oldest if a limit is exceeded. Returns how many were deleted; null: nothing to do. */
    step: (limits: KeepLimits) => reporting(() => step(limits)),
    /** Pinned or not, in one transaction. Returns how many there were. */
    remove: (ids: readonly number[]) => reporting(() => remove(ids)),
    /** Pinned ones stay. Returns how many there were. */
    clear: () => {
      const deleted = clearDeliveries(db, ingest)
      removed('all')
      return deleted
    },
  }
}

const sizesSql = `SELECT delivery.id, ${contentBytesSql} AS bytes FROM delivery JOIN delivery_content USING (id)`

function createStep(
  db: Db,
  ingest: Ingest,
  removeRange: RemoveRange,
  { now, date }: { now: () => number; date: () => number },
): (limits: KeepLimits) => number | null {
  const oldest = prepare<[number], OldRow>(
    db,
    `SELECT delivery.id, received_us AS receivedUs, ${contentBytesSql} AS bytes
     FROM delivery JOIN delivery_content USING (id) WHERE pinned = 0 ORDER BY delivery.id LIMIT ?`,
  )
  const pinnedIn = prepare<[{ lo: number; hi: number }], { id: number }>(
    db,
    'SELECT id FROM delivery INDEXED BY delivery_pinned WHERE pinned = 1 AND id BETWEEN $lo AND $hi ORDER BY id',
  )

  const deleteOldest = (excess: Excess): readonly SizeRow[] => {
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

  return db.transaction((limits: KeepLimits): number | null => {
    const { deliveries, bytes } = ingest.tally()
    const beforeUs = limits.days === 0 ? -Infinity : date() * 1000 - limits.days * dayUs
    const isWithin = deliveries <= limits.deliveries && bytes <= limits.bytes
    if (isWithin && (limits.days === 0 || !oldest.all(1).some(isBefore(beforeUs)))) return null
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
        beforeUs,
      })
      if (rows.length === 0) break
      deletedRows += rows.length
      deletedBytes += bytesOf(rows)
    } while (now() < until)
    if (deletedRows === 0) return null
    ingest.forget(deletedRows, deletedBytes)
    return deletedRows
  })
}

function createRemove(
  db: Db,
  ingest: Ingest,
  removeRange: RemoveRange,
): (ids: readonly number[]) => number {
  const given = prepare<[string], SizeRow>(
    db,
    `${sizesSql} WHERE delivery.id IN (SELECT value FROM json_each(?)) ORDER BY delivery.id`,
  )
  return db.transaction((ids: readonly number[]): number => {
    const rows = given.all(JSON.stringify(ids))
    for (let at = 0; at < rows.length; at += 1) {
      const lo = rows[at]?.id ?? 0
      while (rows[at + 1]?.id === (rows[at]?.id ?? 0) + 1) at += 1
      removeRange(lo, rows[at]?.id ?? lo)
    }
    if (rows.length > 0) ingest.forget(rows.length, bytesOf(rows))
    return rows.length
  })
}

type RemoveRange = (lo: number, hi: number) => void

/** `take` returns the ranges that were removed since the last call. */
function createRanges(db: Db): { remove: RemoveRange; take: () => (readonly [number, number])[] } {
  // The foreign keys delete the rows of other tables.
  const rows = prepare<[number, number]>(db, 'DELETE FROM delivery WHERE id BETWEEN ? AND ?')
  let ranges: [number, number][] = []
  return {
    remove: (lo, hi) => {
      rows.run(lo, hi)
      ranges.push([lo, hi])
    },
    take: () => {
      const taken = ranges
      ranges = []
      return taken
    },
  }
}

function bytesOf(rows: readonly SizeRow[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

interface Excess {
  readonly rows: number
  readonly bytes: number
  readonly beforeUs: number
}

function isBefore(beforeUs: number): (row: OldRow) => boolean {
  return ({ receivedUs }) => receivedUs < beforeUs
}

/** Until no limit is exceeded any more, or they are many for one range. */
function enoughOf(rows: readonly OldRow[], excess: Excess): readonly SizeRow[] {
  const isOld = isBefore(excess.beforeUs)
  let bytes = 0
  const end = rows.findIndex((row, index) => {
    const isEnough = index >= excess.rows && bytes >= excess.bytes && !isOld(row)
    if (isEnough || bytes >= rangeBytes) return true
    bytes += row.bytes
    return false
  })
  return end < 0 ? rows : rows.slice(0, end)
}

/** Pages of the file that are free, from which and down to which it is made smaller. Deliveries that arrive use them again. */
const freePages = { least: 4096, from: 0.25, downTo: 0.05 } as const
const shrinkPages = 64

/** Returns a function that gives free pages at the end of the file back to the disk until `isOver`, and returns whether there are more. */
export function createShrink(db: Db): (isOver: () => boolean) => boolean {
  const count = (name: string): number => Number(db.pragma(name, { simple: true }))
  let isShrinking = false
  return (isOver) => {
    for (;;) {
      const free = count('freelist_count')
      isShrinking = isShrinking
        ? free > count('page_count') * freePages.downTo
        : free >= freePages.least && free > count('page_count') * freePages.from
      if (!isShrinking || isOver()) return isShrinking
      db.pragma(`incremental_vacuum(${shrinkPages})`)
    }
  }
}
