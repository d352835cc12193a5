import type { CallOutput } from '#contract/calls.ts'
import { readByIds } from '../store/deliveries.ts'
import type { Db } from '../store/driver.ts'
import { createCensus, type Census } from './census.ts'
import { readAll } from './all.ts'
import type { CompiledFilter } from './compile.ts'
import { knownEmpty } from './known-empty.ts'
import { findOnward } from './onward.ts'
import { Positions } from './positions.ts'
import { readFilter } from './read-filter.ts'
import { blockOf, lastOf } from './scan.ts'

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

/** All that match up to an id, of which so many at once, those behind `after`. */
export interface IdsInput {
  readonly filter: string
  readonly after: number
  /** Null: the newest. */
  readonly upTo: number | null
  /** Milliseconds since the epoch. */
  readonly asOf: number
  readonly limit: number
}

export interface Ids {
  /** Oldest first. */
  readonly ids: number[]
  /** Up to this id was looked: where it is not complete, ask again with it as `after`. */
  readonly reached: number
  readonly complete: boolean
}

export type Page = Omit<CallOutput<'deliveries.page'>, 'asOf'>
export type Newer = CallOutput<'deliveries.newer'>

export interface Search {
  /** Throws `bad_filter`. */
  readonly page: (input: PageInput) => Page
  /** Throws `bad_filter`. */
  readonly newer: (input: NewerInput) => Newer
  /** Throws `bad_filter`. */
  readonly idsOf: (input: IdsInput) => Ids
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
    const last = filter.needsIndex ? indexedId : lastId
    const { ids, upTo } = findOnward(db, filter, { ...input, last, firstId }, deadline)
    return { rows: readByIds(db, ids), upTo }
  })

  const idsOf = db.transaction((input: IdsInput, deadline: number): Ids => {
    const filter = readFilter(db, input.filter, input.asOf)
    const { lastId, indexedId, firstId } = census()
    const newest = filter.needsIndex ? indexedId : lastId
    const last = Math.min(input.upTo ?? newest, newest)
    const { ids, upTo } = findOnward(db, filter, { ...input, last, firstId }, deadline)
    return { ids, reached: upTo, complete: upTo >= last }
  })

  return {
    page: (input) => page(input, performance.now() + budget),
    newer: (input) => newer(input, performance.now() + budget),
    idsOf: (input) => idsOf(input, performance.now() + budget),
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
