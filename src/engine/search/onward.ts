import { prepare, type Db } from '../store/driver.ts'
import type { SqlValue } from './binder.ts'
import type { CompiledFilter } from './compile.ts'
import { Pace } from './scan.ts'

/** From behind `after` up to `last`, both ids. */
export interface Onward {
  readonly after: number
  readonly last: number
  /** The oldest that there is. */
  readonly firstId: number
  readonly limit: number
}

/**
 * Ids of a filter after an id, oldest first, at most `limit`, and up to which id was looked when that is reached or the time is over.
 * Looks once at least.
 */
export function findOnward(
  db: Db,
  filter: CompiledFilter,
  { after, last, firstId, limit }: Onward,
  deadline: number,
): { ids: number[]; upTo: number } {
  const find = prepare<[Record<string, SqlValue>], number>(
    db,
    `${filter.select('d.id')} ORDER BY d.id LIMIT @limit`,
  ).pluck()
  const pace = new Pace(filter.readsContent)
  const found: number[] = []
  let upTo = Math.max(after, Math.min(firstId - 1, last))
  while (upTo < last) {
    const lo = upTo + 1
    const hi = Math.min(last, lo + pace.span - 1)
    const left = limit - found.length
    const ids = pace.learn(hi - lo + 1, () => find.all({ ...filter.values, lo, hi, limit: left }))
    found.push(...ids)
    upTo = ids.length < left ? hi : (ids.at(-1) ?? hi)
    if (ids.length >= left || performance.now() >= deadline) break
  }
  return { ids: found, upTo }
}
