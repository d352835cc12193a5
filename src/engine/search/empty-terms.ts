import { prepare, type Db } from '../platform/sqlite.ts'
import type { IdGaps } from './id-gaps.ts'
import type { CompiledFilter } from './compile.ts'
import type { IdRange } from './scan.ts'

/** Reading this many index entries takes a few tens of milliseconds. */
const maxEntries = 200_000

/** Nothing in these ranges matches `since` or `before`. Clocks may go back, so all deliveries since a time are checked; too many give no range. */
export function emptyTerms(db: Db, filter: CompiledFilter, gaps: IdGaps): readonly IdRange[] {
  const { from, to } = filter.received
  const ranges: IdRange[] = []
  if (from !== null) {
    const since = idsSince(db, from)
    if (since) ranges.push({ lo: 0, hi: since.n === 0 ? gaps.lastId : since.lowest - 1 })
  }
  if (to !== null) {
    const since = idsSince(db, to)
    // All IDs from there on are since that time only if their number equals the count.
    const isExact = since && since.n > 0 && countFrom(db, since.lowest) === since.n
    if (isExact) ranges.push({ lo: since.lowest, hi: gaps.lastId })
  }
  return ranges
}

function idsSince(db: Db, us: number): { n: number; lowest: number } | null {
  const row = prepare<[{ us: number; limit: number }], { n: number; lowest: number | null }>(
    db,
    `SELECT count(*) AS n, min(id) AS lowest FROM
       (SELECT id FROM delivery INDEXED BY delivery_by_time WHERE received_us >= $us LIMIT $limit)`,
  ).get({ us, limit: maxEntries + 1 })
  return row && row.n <= maxEntries ? { n: row.n, lowest: row.lowest ?? 0 } : null
}

function countFrom(db: Db, id: number): number {
  const row = prepare<[number], { n: number }>(
    db,
    `SELECT count(*) AS n FROM delivery INDEXED BY delivery_by_verdict
     WHERE verdict IN ('valid', 'invalid', 'missing', 'unsigned', 'unchecked') AND id >= ?`,
  ).get(id)
  return row?.n ?? 0
}
