import { prepare, type Db } from '../store/driver.ts'
import type { SqlValue } from './binder.ts'
import type { CompiledFilter } from './compile.ts'
import type { IdRange } from './scan.ts'

/** The statements of one filter over a range of ids. */
export interface Lookups {
  /** Ids that match, in any order, at most `limit`. */
  readonly list: (range: IdRange, limit: number) => number[]
  readonly count: (range: IdRange) => number
  /** Ids that match, newest first. */
  readonly page: (range: IdRange, offset: number, limit: number) => number[]
  /** Of these ids those that did not cease to match. */
  readonly still: (ids: readonly number[]) => number[]
}

export function lookupsOf(db: Db, filter: CompiledFilter): Lookups {
  const { values } = filter
  const ids = (sql: string) => prepare<[Record<string, SqlValue>], number>(db, sql).pluck()
  const list = ids(`${filter.selectIds('d.id')} LIMIT @limit`)
  const count = ids(filter.selectIds('count(*)'))
  const page = ids(`${filter.selectIds('d.id')} ORDER BY d.id DESC LIMIT @limit OFFSET @offset`)
  const still = ids(filter.still)
  return {
    list: (range, limit) => list.all({ ...values, ...range, limit }),
    count: (range) => count.get({ ...values, ...range }) ?? 0,
    page: (range, offset, limit) => page.all({ ...values, ...range, offset, limit }),
    still: (among) => still.all({ ...values, ids: JSON.stringify(among) }),
  }
}
