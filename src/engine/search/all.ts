import { readByIds } from '../store/deliveries.ts'
import { prepare, type Db } from '../store/driver.ts'
import type { Census } from './census.ts'
import { blockOf, firstOf, lastOf } from './scan.ts'
import type { Page } from './search.ts'

/** A page of all deliveries: where each id has one, its place is known without a look. */
export function readAll(
  db: Db,
  census: Census,
  { upTo, offset, limit }: { upTo: number; offset: number; limit: number },
): Page {
  const idsIn = prepare<[number, number, number, number], number>(
    db,
    'SELECT id FROM delivery WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ? OFFSET ?',
  ).pluck()
  const countIn = prepare<[number, number], number>(
    db,
    'SELECT count(*) FROM delivery WHERE id BETWEEN ? AND ?',
  ).pluck()
  const ids: number[] = []
  let total = 0
  for (let block = blockOf(upTo); block >= blockOf(census.firstId); block -= 1) {
    const from = firstOf(block)
    const to = Math.min(lastOf(block), upTo)
    const size = to - from + 1
    const missing = census.missing(block)
    // Which are missing is known only of a block that is looked at as far as it goes.
    const whole = to === lastOf(block) || upTo === census.lastId || missing === 0
    const count = whole ? size - missing : (countIn.get(from, to) ?? 0)
    const skip = Math.max(0, offset - total)
    const wanted = Math.min(limit - ids.length, count - skip)
    if (wanted > 0 && missing === 0) {
      for (let n = 0; n < wanted; n += 1) ids.push(to - skip - n)
    } else if (wanted > 0) ids.push(...idsIn.all(from, to, wanted, skip))
    total += count
  }
  return { rows: readByIds(db, ids), upTo, total, complete: true, searched: 1 }
}
