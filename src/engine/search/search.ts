import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { ListSort } from '#contract/deliveries.ts'
import { readByIds } from '../deliveries/store.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import { type IdGaps, createIdGapsReader } from './id-gaps.ts'
import type { CompiledFilter } from './compile.ts'
import { emptyTerms } from './empty-terms.ts'
import { Positions } from './positions.ts'
import { readFilter } from './read-filter.ts'
import { blockOf, firstOf, lastOf, Pace } from './scan.ts'
import { outcomeSql, type SqlValue } from './sql.ts'

export type PageInput = Omit<ParsedInput<'deliveries.page'>, 'log' | 'asOf' | 'sort'> & {
  readonly asOf: number
  readonly sort?: ListSort | null
}

export type NewerInput = Omit<ParsedInput<'deliveries.newer'>, 'log' | 'asOf'> & {
  readonly asOf: number
}

export interface IdsInput {
  readonly filter: string
  readonly after: number
  /** Inclusive; null: the newest. */
  readonly upTo: number | null
  readonly asOf: number
  readonly limit: number
}

export interface Ids {
  /** Oldest first. */
  readonly ids: number[]
  /** If the result is not complete, call again with this as `after`. */
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
  readonly touched: (ids: readonly number[]) => void
}

const budgetMs = 30
const maxCached = 8
const maxSorted = 10_000

/** Caches positions. `budget`: the time limit of a call in milliseconds. */
export function createSearch(db: Db, budget = budgetMs): Search {
  const readGaps = createIdGapsReader(db)
  const cache = new Map<string, Positions>()

  function positionsOf(filter: CompiledFilter, now: IdGaps): Positions {
    const found = cache.get(filter.key)
    cache.delete(filter.key)
    const positions = found ?? new Positions(db, filter)
    if (!found) for (const range of emptyTerms(db, filter, now)) positions.markEmpty(range, now)
    cache.set(filter.key, positions)
    const [oldest] = cache.keys()
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
    return positions
  }

  function find(input: PageInput, deadline: number): Found {
    const filter = readFilter(db, input.filter, input.asOf)
    const now = readGaps()
    const newest = filter.needsIndex ? now.indexedId : now.lastId
    const upTo = Math.min(input.upTo ?? newest, newest)
    if (filter.all) return readAll(db, now, { ...input, upTo })
    const positions = positionsOf(filter, now)
    positions.scan(upTo, now.firstId, now, deadline)
    return readPage(positions, now, { ...input, upTo })
  }

  // One transaction, so that counts, rows and deletions are consistent.
  const page = db.transaction((input: PageInput, deadline: number): Page => {
    const { sort } = input
    const { ids, ...found } = sort
      ? findSorted(db, input, sort, (range) => find({ ...input, ...range }, deadline))
      : find(input, deadline)
    return { ...found, rows: readByIds(db, ids) }
  })

  const newer = db.transaction((input: NewerInput, deadline: number): Newer => {
    const filter = readFilter(db, input.filter, input.asOf)
    const { lastId, indexedId, firstId } = readGaps()
    const last = filter.needsIndex ? indexedId : lastId
    const { ids, upTo } = scanForward(db, filter, { ...input, last, firstId }, deadline)
    return { rows: readByIds(db, ids), upTo }
  })

  const idsOf = db.transaction((input: IdsInput, deadline: number): Ids => {
    const filter = readFilter(db, input.filter, input.asOf)
    const { lastId, indexedId, firstId } = readGaps()
    const newest = filter.needsIndex ? indexedId : lastId
    const last = Math.min(input.upTo ?? newest, newest)
    const { ids, upTo } = scanForward(db, filter, { ...input, last, firstId }, deadline)
    return { ids, reached: upTo, complete: upTo >= last }
  })

  return {
    page: (input) => page(input, performance.now() + budget),
    newer: (input) => newer(input, performance.now() + budget),
    idsOf: (input) => idsOf(input, performance.now() + budget),
    touched: (ids) => {
      for (const positions of cache.values()) positions.touched(ids)
    },
  }
}

type Found = Omit<Page, 'rows'> & { readonly ids: number[] }

function findSorted(
  db: Db,
  { offset, limit }: PageInput,
  { by, descending }: ListSort,
  find: (range: { offset: number; limit: number }) => Found,
): Found {
  const found = find({ offset: 0, limit: by === 'received' ? limit : maxSorted })
  if (!found.complete) return { ...found, ids: [], total: 0 }
  if (by === 'received') {
    if (descending) return find({ offset, limit })
    const left = Math.max(0, found.total - offset)
    const from = Math.max(0, left - limit)
    const { ids } = find({ offset: from, limit: left - from })
    return { ...found, ids: ids.toReversed() }
  }
  const order = `${sortSql[by]} ${descending ? 'DESC' : 'ASC'} NULLS LAST`
  const sorted = prepare<[Record<'ids', string> & Record<'limit' | 'offset', number>], number>(
    db,
    `SELECT d.id FROM json_each(@ids) AS of JOIN delivery AS d ON d.id = of.value ORDER BY ${order}, d.id DESC LIMIT @limit OFFSET @offset`,
  ).pluck()
  const ids = sorted.all({ ids: JSON.stringify(found.ids), limit, offset })
  return { ...found, ids, total: found.ids.length }
}

const sortSql = {
  amount: 'd.amount',
  type: 'd.type',
  outcome: `instr('ok refused rejected missing invalid', ${outcomeSql})`,
} as const

function readPage(
  positions: Positions,
  gaps: IdGaps,
  { upTo, offset, limit }: { upTo: number; offset: number; limit: number },
): Found {
  const lowest = blockOf(gaps.firstId)
  let total = 0
  const ids: number[] = []
  let block = blockOf(upTo)
  for (; block >= lowest; block -= 1) {
    const known = positions.at(block, upTo, gaps)
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
  const left = Math.max(0, lastOf(block) - gaps.firstId + 1)
  const range = Math.max(1, upTo - gaps.firstId + 1)
  const searched = complete ? 1 : Math.min(0.999, Math.max(0, 1 - left / range))
  return { ids: [...still], upTo, total, complete, searched }
}

/** In blocks without deleted deliveries, positions are computed without a query. */
function readAll(
  db: Db,
  gaps: IdGaps,
  { upTo, offset, limit }: { upTo: number; offset: number; limit: number },
): Found {
  const idsIn = prepare<[Record<'from' | 'to' | 'wanted' | 'skip', number>], number>(
    db,
    'SELECT id FROM delivery WHERE id BETWEEN $from AND $to ORDER BY id DESC LIMIT $wanted OFFSET $skip',
  ).pluck()
  const countIn = prepare<[Record<'from' | 'to', number>], number>(
    db,
    'SELECT count(*) FROM delivery WHERE id BETWEEN $from AND $to',
  ).pluck()
  const ids: number[] = []
  let total = 0
  for (let block = blockOf(upTo); block >= blockOf(gaps.firstId); block -= 1) {
    const from = firstOf(block)
    const to = Math.min(lastOf(block), upTo)
    const size = to - from + 1
    const missing = gaps.missing(block)
    // Gaps are counted only for complete blocks.
    const isCounted = to === lastOf(block) || upTo === gaps.lastId || missing === 0
    const count = isCounted ? size - missing : (countIn.get({ from, to }) ?? 0)
    const skip = Math.max(0, offset - total)
    const wanted = Math.min(limit - ids.length, count - skip)
    if (wanted > 0 && missing === 0) {
      for (let n = 0; n < wanted; n += 1) ids.push(to - skip - n)
    } else if (wanted > 0) ids.push(...idsIn.all({ from, to, wanted, skip }))
    total += count
  }
  return { ids, upTo, total, complete: true, searched: 1 }
}

interface ForwardScan {
  readonly after: number
  readonly last: number
  readonly firstId: number
  readonly limit: number
}

/** Oldest first. Stops at the limit or the deadline, but runs at least one statement. */
function scanForward(
  db: Db,
  filter: CompiledFilter,
  { after, last, firstId, limit }: ForwardScan,
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
    const ids = pace.measure(hi - lo + 1, () => find.all({ ...filter.values, lo, hi, limit: left }))
    found.push(...ids)
    upTo = ids.length < left ? hi : (ids.at(-1) ?? hi)
    if (ids.length >= left || performance.now() >= deadline) break
  }
  return { ids: found, upTo }
}
