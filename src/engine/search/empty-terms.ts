import { prepare, type Db } from '../platform/sqlite.ts'
import type { Census } from './census.ts'
import type { CompiledFilter } from './compile.ts'
import type { IdRange } from './scan.ts'

/** So many entries of the index by time are read to find where a time begins: a few tens of milliseconds. */
const mostEntries = 200_000

/**
 * Ids of which `since` and `before` already tell that nothing among them matches. Exact: clocks may go back, so the deliveries since a
 * time are all looked at, and where they are too many to do so, nothing is said.
 */
export function emptyTerms(db: Db, filter: CompiledFilter, census: Census): readonly IdRange[] {
  const { from, to } = filter.received
  const ranges: IdRange[] = []
  if (from !== null) {
    const since = idsSince(db, from)
    if (since) ranges.push({ lo: 0, hi: since.n === 0 ? census.lastId : since.lowest - 1 })
  }
  if (to !== null) {
    const since = idsSince(db, to)
    // Ids from there on are all since then only when there are as many as were counted.
    const all = since && since.n > 0 && countFrom(db, since.lowest) === since.n
    if (all) ranges.push({ lo: since.lowest, hi: census.lastId })
  }
  return ranges
}

function idsSince(db: Db, us: number): { n: number; lowest: number } | null {
  const row = prepare<[number, number], { n: number; lowest: number | null }>(
    db,
    `SELECT count(*) AS n, min(id) AS lowest FROM
       (SELECT id FROM delivery INDEXED BY delivery_by_time WHERE received_us >= ? LIMIT ?)`,
  ).get(us, mostEntries + 1)
  return row && row.n <= mostEntries ? { n: row.n, lowest: row.lowest ?? 0 } : null
}

function countFrom(db: Db, id: number): number {
  const row = prepare<[number], { n: number }>(
    db,
    `SELECT count(*) AS n FROM delivery INDEXED BY delivery_by_verdict
     WHERE verdict IN ('valid', 'invalid', 'missing', 'unsigned', 'unchecked') AND id >= ?`,
  ).get(id)
  return row?.n ?? 0
}
