import type { CallOutput } from '#contract/calls.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { readByIds } from '../store/deliveries.ts'
import { prepare, type Db } from '../store/driver.ts'
import type { SqlValue } from './binder.ts'
import { createCensus, type Census } from './census.ts'
import { readAll } from './all.ts'
import type { CompiledFilter } from './compile.ts'
import { knownEmpty } from './known-empty.ts'
import { Positions } from './positions.ts'
import { readFilter } from './read-filter.ts'
import { blockOf, lastOf, Pace } from './scan.ts'

export interface PageInput {
  readonly filter: string
  /** Null: the newest. */
  readonly upTo: number | null
  /** Milliseconds since the epoch. */
  readonly asOf: number
  readonly offset: number
  readonly limit: number
}

export interface NewerInput {
  readonly filter: string
  readonly after: number
  readonly asOf: number
  readonly limit: number
}

export type Page = Omit<CallOutput<'deliveries.page'>, 'asOf'>
export type Newer = CallOutput<'deliveries.newer'>

export interface Search {
  /** Throws `bad_filter`. */
  readonly page: (input: PageInput) => Page
  /** Throws `bad_filter`. */
  readonly newer: (input: NewerInput) => Newer
  /** These deliveries were changed after they were stored. */
  readonly touched: (ids: readonly number[]) => void
}

/** How long one call looks, in milliseconds. A statement that is under way is not broken off. */
const budgetMs = 30
/** Filters whose positions are kept. */
const mapsKept = 8

/** The search of one connection, with what it has learnt so far. `budget`: for how many milliseconds a call looks. */
export function createSearch(db: Db, budget = budgetMs): Search {
  const census = createCensus(db)
  const maps = new Map<string, Positions>()

  function positionsOf(filter: CompiledFilter, now: Census): Positions {
    const found = maps.get(filter.key)
    maps.delete(filter.key)
    const positions = found ?? new Positions(db, filter)
    if (!found) for (const range of knownEmpty(db, filter, now)) positions.rule(range, now)
    maps.set(filter.key, positions)
    const [oldest] = maps.keys()
    if (maps.size > mapsKept && oldest !== undefined) maps.delete(oldest)
    return positions
  }

  // One transaction: counts, rows and what is gone are of the same moment.
  const page = db.transaction((input: PageInput, deadline: number): Page => {
    const filter = readFilter(db, input.filter, input.asOf)
    const now = census()
    const newest = filter.needsIndex ? now.indexedId : now.lastId
    const upTo = Math.min(input.upTo ?? newest, newest)
    if (filter.all) return readAll(db, now, { ...input, upTo })
    const positions = positionsOf(filter, now)
    positions.learn(upTo, now.firstId, now, deadline)
    return readPage(db, positions, now, { ...input, upTo })
  })

  const newer = db.transaction((input: NewerInput, deadline: number): Newer => {
    const filter = readFilter(db, input.filter, input.asOf)
    const { lastId, indexedId, firstId } = census()
    return readNewer(db, filter, input, firstId, filter.needsIndex ? indexedId : lastId, deadline)
  })

  return {
    page: (input) => page(input, performance.now() + budget),
    newer: (input) => newer(input, performance.now() + budget),
    touched: (ids) => {
      for (const positions of maps.values()) positions.touched(ids)
    },
  }
}

/** The page as far as the positions reach. */
function readPage(
  db: Db,
  positions: Positions,
  census: Census,
  { upTo, offset, limit }: { upTo: number; offset: number; limit: number },
): Page {
  const lowest = blockOf(census.firstId)
  let total = 0
  const ids: number[] = []
  let block = blockOf(upTo)
  for (; block >= lowest; block -= 1) {
    const known = positions.at(block, upTo, census)
    if (!known) break
    const from = Math.max(0, offset - total)
    if (ids.length < limit && from < known.count) {
      ids.push(...positions.ids(block, known, upTo, from, limit - ids.length))
    }
    total += known.count
  }
  const still = positions.still(ids)
  const stale = still.length < ids.length
  if (stale) positions.touched(ids)
  const complete = block < lowest && !stale
  const left = Math.max(0, lastOf(block) - census.firstId + 1)
  const range = Math.max(1, upTo - census.firstId + 1)
  const searched = complete ? 1 : Math.min(0.999, Math.max(0, 1 - left / range))
  return { rows: readByIds(db, still), upTo, total, complete, searched }
}

/** Rows after an id, oldest first, and how far was looked. */
function readNewer(
  db: Db,
  filter: CompiledFilter,
  { after, limit }: NewerInput,
  firstId: number,
  last: number,
  deadline: number,
): Newer {
  const find = prepare<[Record<string, SqlValue>], number>(
    db,
    `${filter.select('d.id')} ORDER BY d.id LIMIT @limit`,
  ).pluck()
  const pace = new Pace(filter.readsContent)
  const rows: DeliverySummary[] = []
  let upTo = Math.max(after, Math.min(firstId - 1, last))
  while (upTo < last) {
    const lo = upTo + 1
    const hi = Math.min(last, lo + pace.span - 1)
    const left = limit - rows.length
    const ids = pace.learn(hi - lo + 1, () => find.all({ ...filter.values, lo, hi, limit: left }))
    rows.push(...readByIds(db, ids))
    upTo = ids.length < left ? hi : (ids.at(-1) ?? hi)
    if (ids.length >= left || performance.now() >= deadline) break
  }
  return { rows, upTo }
}
