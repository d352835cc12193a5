import { type Db, prepare } from '../platform/sqlite.ts'
import type { Census } from './census.ts'
import type { CompiledFilter } from './compile.ts'
import { blockOf, blockSize, firstOf, type IdRange, lastOf, Pace } from './scan.ts'
import type { SqlValue } from './sql.ts'

/** What is known of a block: how many match, and in which places, newest first, where they are few or were dear to find. */
interface Known {
  readonly count: number
  /** Ids less the block's first. Null: they are looked up again. */
  readonly places: Uint16Array | null
  /** How many of the block were gone when it was looked at: it is looked at again when more are. */
  readonly missing: number
}

/** The newest block is known up to an id. */
interface Open extends Known {
  readonly block: number
  readonly upTo: number
}

/** A block that is being looked at: a piece at a time, newest first. */
interface Begun {
  readonly block: number
  readonly lowest: number
  readonly upTo: number
  readonly missing: number
  next: number
  count: number
  places: number[] | null
}

/** So many places of a block are kept where they can be found again at any time. */
const fewPlaces = 512
/** A block with more than this share of matches is counted, not listed. */
const denseShare = 1 / 32
const openKept = 4
/** Of many that changed at once only the newest are told: as many before them may have changed as well. */
const untold = 1024

/**
 * Where the rows of one filter are: how many in each block, filled from the newest on, a few milliseconds at a time, and kept. Blocks never
 * gain rows once they are full, so that newer deliveries only add to the top; what loses rows is seen by the census, and what changes is
 * told by `touched`.
 */
export class Positions {
  readonly #filter: CompiledFilter
  readonly #pace: Pace
  readonly #known = new Map<number, Known>()
  readonly #lookups: Lookups
  /** Places are listed, however many: they are dear to find, or cost nothing. */
  readonly #listsAll: boolean
  #open: Open[] = []
  #begun: Begun[] = []
  #dense = false

  constructor(db: Db, filter: CompiledFilter) {
    this.#filter = filter
    this.#listsAll = filter.readsContent || filter.listsFast
    this.#pace = new Pace(filter.readsContent)
    this.#lookups = lookupsOf(db, filter)
  }

  /** Says that nothing matches in these blocks, for whoever knows it in another way. */
  rule(out: IdRange, census: Census): void {
    for (let block = blockOf(out.lo + blockSize - 1); lastOf(block) <= out.hi; block += 1) {
      const missing = census.missing(block)
      this.#known.set(block, { count: 0, places: new Uint16Array(), missing })
    }
  }

  /** Deliveries may have come to match or ceased to. */
  touched(ids: readonly number[]): void {
    if (!this.#filter.changes || ids.length === 0) return
    const oldest = Math.max(0, Math.min(...ids) - untold)
    const blocks = new Set([...ids, oldest].map(blockOf))
    for (const block of blocks) this.#known.delete(block)
    this.#open = this.#open.filter(({ block }) => !blocks.has(block))
    this.#begun = this.#begun.filter(({ block }) => !blocks.has(block))
  }

  /** What is known of a block up to an id, as far as it still holds. */
  at(block: number, upTo: number, census: Census): Known | null {
    const known =
      lastOf(block) <= upTo
        ? this.#known.get(block)
        : this.#open.find((open) => open.block === block && open.upTo === upTo)
    return known?.missing === census.missing(block) ? known : null
  }

  /** Looks at what is not known yet from `upTo` down to `lowest`, until the deadline, but at least once. */
  learn(upTo: number, lowest: number, census: Census, deadline: number): void {
    for (let block = blockOf(upTo); block >= blockOf(lowest); block -= 1) {
      while (!this.at(block, upTo, census)) {
        this.#look(block, upTo, blockOf(lowest), census)
        if (performance.now() >= deadline) return
      }
    }
  }

  /** Ids of a block, newest first: those from the `offset`th on. */
  ids(block: number, known: Known, upTo: number, offset: number, limit: number): number[] {
    if (known.places) {
      return Array.from(
        known.places.subarray(offset, offset + limit),
        (place) => firstOf(block) + place,
      )
    }
    const range = { lo: firstOf(block), hi: Math.min(lastOf(block), upTo) }
    return this.#lookups.page(range, offset, limit)
  }

  /** Those of the ids that still match: a change is seen here before it is told. */
  still(ids: readonly number[]): readonly number[] {
    if (!this.#filter.changes || ids.length === 0) return ids
    const left = new Set(this.#lookups.still(ids))
    return ids.filter((id) => left.has(id))
  }

  /** One step: several blocks where few match, else a block or a part of one. */
  #look(block: number, upTo: number, lowest: number, census: Census): void {
    const blocks = Math.floor(this.#pace.span / blockSize)
    const whole = lastOf(block) <= upTo && !this.#begun.some((begun) => begun.block === block)
    const last =
      whole && !this.#dense ? this.#unknownBelow(block, blocks, lowest, upTo, census) : block
    if (last < block) this.#lookAtRun(block, last, census)
    else this.#lookInside(block, upTo, census)
  }

  /** The lowest of at most `most` blocks one below the other that are not known. */
  #unknownBelow(block: number, most: number, lowest: number, upTo: number, census: Census): number {
    let last = block
    while (last > lowest && block - last + 1 < most && !this.at(last - 1, upTo, census)) last -= 1
    return last
  }

  #lookAtRun(first: number, last: number, census: Census): void {
    const range = { lo: firstOf(last), hi: lastOf(first) }
    const size = range.hi - range.lo + 1
    const limit = this.#listsAll ? size : fewPlaces
    const ids = this.#pace.learn(size, () => this.#lookups.list(range, limit + 1))
    if (ids.length > limit) {
      this.#dense = true
      return
    }
    const byBlock = new Map<number, number[]>()
    for (const id of ids) {
      const block = blockOf(id)
      const places = byBlock.get(block)
      if (places) places.push(id - firstOf(block))
      else byBlock.set(block, [id - firstOf(block)])
    }
    for (let block = last; block <= first; block += 1) {
      const places = newestFirst(byBlock.get(block) ?? [])
      this.#know(block, places, census)
    }
  }

  #know(block: number, places: Uint16Array, census: Census): void {
    const kept = this.#keeps(places.length) ? places : null
    this.#known.set(block, { count: places.length, places: kept, missing: census.missing(block) })
  }

  /** Whether so many places of a block are kept. */
  #keeps(count: number): boolean {
    return this.#filter.readsContent || count <= fewPlaces
  }

  #lookInside(block: number, upTo: number, census: Census): void {
    const begun = this.#begin(block, Math.min(lastOf(block), upTo), census)
    if (begun.next >= begun.lowest) {
      const lo = Math.max(begun.lowest, begun.next - this.#pace.span + 1)
      const found = this.#pace.learn(begun.next - lo + 1, () => this.#find({ lo, hi: begun.next }))
      begun.count += found.count
      if (found.ids && begun.places) {
        for (const id of found.ids) begun.places.push(id - firstOf(block))
      } else begun.places = null
      begun.next = lo - 1
    }
    if (begun.next < begun.lowest) this.#finish(begun)
  }

  /** Goes on with a block; a top that was known up to a lower id is gone on from there. */
  #begin(block: number, upTo: number, census: Census): Begun {
    const missing = census.missing(block)
    this.#begun = this.#begun.filter((begun) => begun.block !== block || begun.missing === missing)
    const here = this.#begun.filter((begun) => begun.block === block)
    // One that goes less far up is finished first: where deliveries keep arriving, each call would else begin anew.
    const begun = here.find((each) => each.upTo === upTo) ?? here.find((each) => each.upTo < upTo)
    if (begun) return begun
    const base = this.#open
      .filter((open) => open.block === block && open.upTo < upTo && open.missing === missing)
      .reduce<Open | null>((best, open) => (best && best.upTo > open.upTo ? best : open), null)
    const fresh: Begun = {
      block,
      upTo,
      missing,
      lowest: base ? base.upTo + 1 : firstOf(block),
      next: upTo,
      count: base?.count ?? 0,
      places: base && !base.places ? null : [...(base?.places ?? [])],
    }
    this.#begun = [fresh, ...this.#begun].slice(0, openKept)
    return fresh
  }

  #finish(begun: Begun): void {
    const { block, upTo, count, places, missing } = begun
    this.#begun = this.#begun.filter((each) => each !== begun)
    const known = {
      count,
      places: places && this.#keeps(count) ? newestFirst(places) : null,
      missing,
    }
    if (lastOf(block) <= upTo) this.#known.set(block, known)
    else {
      const others = this.#open.filter((open) => open.block !== block || open.upTo !== upTo)
      this.#open = [{ ...known, block, upTo }, ...others].slice(0, openKept)
    }
  }

  /** How many match in a range, and which where they are few or dear to find. */
  #find(range: IdRange): { count: number; ids: number[] | null } {
    const size = range.hi - range.lo + 1
    if (this.#listsAll || !this.#dense) {
      const limit = this.#listsAll ? size : Math.max(fewPlaces, size * denseShare)
      const ids = this.#lookups.list(range, limit + 1)
      if (ids.length <= limit) return { count: ids.length, ids }
      this.#dense = true
    }
    const count = this.#lookups.count(range)
    if (count < size * denseShare) this.#dense = false
    return { count, ids: null }
  }
}

function newestFirst(places: readonly number[]): Uint16Array {
  return Uint16Array.from(places).sort((a, b) => b - a)
}

/** The statements of one filter over a range of ids. */
interface Lookups {
  /** Ids that match, in any order, at most `limit`. */
  readonly list: (range: IdRange, limit: number) => number[]
  readonly count: (range: IdRange) => number
  /** Ids that match, newest first. */
  readonly page: (range: IdRange, offset: number, limit: number) => number[]
  /** Of these ids those that did not cease to match. */
  readonly still: (ids: readonly number[]) => number[]
}

function lookupsOf(db: Db, filter: CompiledFilter): Lookups {
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
