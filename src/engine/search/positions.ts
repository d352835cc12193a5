import { type Db, prepare } from '../platform/sqlite.ts'
import type { IdGaps } from './id-gaps.ts'
import type { CompiledFilter } from './compile.ts'
import { blockOf, blockSize, firstOf, type IdRange, lastOf, Pace } from './scan.ts'
import type { SqlValue } from './sql.ts'

interface Known {
  readonly count: number
  /** IDs relative to the first of the block. Null: they must be looked up again. */
  readonly places: Uint16Array | null
  /** Deleted deliveries of the block. If that changes, the block is scanned again. */
  readonly missing: number
}

interface Open extends Known {
  readonly block: number
  readonly upTo: number
}

interface PartialScan {
  readonly block: number
  readonly lowest: number
  readonly upTo: number
  readonly missing: number
  next: number
  count: number
  places: number[] | null
}

/** Of a block, if they can be looked up again. */
const maxPlaces = 512
const denseShare = 1 / 32
const maxOpen = 4
/** If many deliveries change at once, only the newest are reported. This many before them may have changed too. */
const unreportedChanges = 1024

/**
 * Matches of one filter by block, scanned from the newest on, a few milliseconds at a time, and cached. Full blocks never gain rows, so newer deliveries
 * affect only the newest block. `IdGaps` detects deleted rows, and `touched` reports changed ones.
 */
export class Positions {
  readonly #filter: CompiledFilter
  readonly #pace: Pace
  readonly #known = new Map<number, Known>()
  readonly #lookups: Lookups
  /** Positions are expensive to find, or free. */
  readonly #listsAll: boolean
  #open: Open[] = []
  #partial: PartialScan[] = []
  #dense = false

  constructor(db: Db, filter: CompiledFilter) {
    this.#filter = filter
    this.#listsAll = filter.readsContent || filter.listsFast
    this.#pace = new Pace(filter.readsContent)
    this.#lookups = lookupsOf(db, filter)
  }

  markEmpty(range: IdRange, gaps: IdGaps): void {
    for (let block = blockOf(range.lo + blockSize - 1); lastOf(block) <= range.hi; block += 1) {
      const missing = gaps.missing(block)
      this.#known.set(block, { count: 0, places: new Uint16Array(), missing })
    }
  }

  /** Changed deliveries may match no longer, or now. */
  touched(ids: readonly number[]): void {
    if (!this.#filter.changes || ids.length === 0) return
    const oldest = Math.max(0, Math.min(...ids) - unreportedChanges)
    const blocks = new Set([...ids, oldest].map(blockOf))
    for (const block of blocks) this.#known.delete(block)
    this.#open = this.#open.filter(({ block }) => !blocks.has(block))
    this.#partial = this.#partial.filter(({ block }) => !blocks.has(block))
  }

  /** Null: not cached, or not valid any more. */
  at(block: number, upTo: number, gaps: IdGaps): Known | null {
    const known =
      lastOf(block) <= upTo
        ? this.#known.get(block)
        : this.#open.find((open) => open.block === block && open.upTo === upTo)
    return known?.missing === gaps.missing(block) ? known : null
  }

  /** From `upTo` down to `lowest`, until the deadline. Runs at least one step. */
  scan(upTo: number, lowest: number, gaps: IdGaps, deadline: number): void {
    for (let block = blockOf(upTo); block >= blockOf(lowest); block -= 1) {
      while (!this.at(block, upTo, gaps)) {
        this.#scanStep(block, upTo, blockOf(lowest), gaps)
        if (performance.now() >= deadline) return
      }
    }
  }

  /** Newest first. */
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

  /** Detects changes before they are reported. */
  still(ids: readonly number[]): readonly number[] {
    if (!this.#filter.changes || ids.length === 0) return ids
    const matching = new Set(this.#lookups.still(ids))
    return ids.filter((id) => matching.has(id))
  }

  #scanStep(block: number, upTo: number, lowest: number, gaps: IdGaps): void {
    const blocks = Math.floor(this.#pace.span / blockSize)
    const isFull = lastOf(block) <= upTo && !this.#partial.some((scan) => scan.block === block)
    const last =
      isFull && !this.#dense ? this.#unknownBelow(block, blocks, lowest, upTo, gaps) : block
    if (last < block) this.#scanBlocks(block, last, gaps)
    else this.#scanWithin(block, upTo, gaps)
  }

  #unknownBelow(block: number, max: number, lowest: number, upTo: number, gaps: IdGaps): number {
    let last = block
    while (last > lowest && block - last + 1 < max && !this.at(last - 1, upTo, gaps)) last -= 1
    return last
  }

  #scanBlocks(first: number, last: number, gaps: IdGaps): void {
    const range = { lo: firstOf(last), hi: lastOf(first) }
    const size = range.hi - range.lo + 1
    const limit = this.#listsAll ? size : maxPlaces
    const ids = this.#pace.measure(size, () => this.#lookups.list(range, limit + 1))
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
      this.#store(block, places, gaps)
    }
  }

  #store(block: number, places: Uint16Array, gaps: IdGaps): void {
    const stored = this.#keeps(places.length) ? places : null
    this.#known.set(block, { count: places.length, places: stored, missing: gaps.missing(block) })
  }

  #keeps(count: number): boolean {
    return this.#filter.readsContent || count <= maxPlaces
  }

  #scanWithin(block: number, upTo: number, gaps: IdGaps): void {
    const scan = this.#resumeOrStart(block, Math.min(lastOf(block), upTo), gaps)
    if (scan.next >= scan.lowest) {
      const lo = Math.max(scan.lowest, scan.next - this.#pace.span + 1)
      const found = this.#pace.measure(scan.next - lo + 1, () => this.#find({ lo, hi: scan.next }))
      scan.count += found.count
      if (found.ids && scan.places) {
        for (const id of found.ids) scan.places.push(id - firstOf(block))
      } else scan.places = null
      scan.next = lo - 1
    }
    if (scan.next < scan.lowest) this.#finish(scan)
  }

  /** A newest block that is known up to a lower ID is continued from there. */
  #resumeOrStart(block: number, upTo: number, gaps: IdGaps): PartialScan {
    const missing = gaps.missing(block)
    this.#partial = this.#partial.filter((scan) => scan.block !== block || scan.missing === missing)
    const scans = this.#partial.filter((scan) => scan.block === block)
    // A scan up to a lower ID is completed first. Otherwise each call would start again while deliveries keep arriving.
    const pending =
      scans.find((scan) => scan.upTo === upTo) ?? scans.find((scan) => scan.upTo < upTo)
    if (pending) return pending
    const base = this.#open
      .filter((open) => open.block === block && open.upTo < upTo && open.missing === missing)
      .reduce<Open | null>((best, open) => (best && best.upTo > open.upTo ? best : open), null)
    const fresh: PartialScan = {
      block,
      upTo,
      missing,
      lowest: base ? base.upTo + 1 : firstOf(block),
      next: upTo,
      count: base?.count ?? 0,
      places: base && !base.places ? null : [...(base?.places ?? [])],
    }
    this.#partial = [fresh, ...this.#partial].slice(0, maxOpen)
    return fresh
  }

  #finish(scan: PartialScan): void {
    const { block, upTo, count, places, missing } = scan
    this.#partial = this.#partial.filter((other) => other !== scan)
    const known = {
      count,
      places: places && this.#keeps(count) ? newestFirst(places) : null,
      missing,
    }
    if (lastOf(block) <= upTo) this.#known.set(block, known)
    else {
      const others = this.#open.filter((open) => open.block !== block || open.upTo !== upTo)
      this.#open = [{ ...known, block, upTo }, ...others].slice(0, maxOpen)
    }
  }

  #find(range: IdRange): { count: number; ids: number[] | null } {
    const size = range.hi - range.lo + 1
    if (this.#listsAll || !this.#dense) {
      const limit = this.#listsAll ? size : Math.max(maxPlaces, size * denseShare)
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

type Lookups = ReturnType<typeof lookupsOf>

function lookupsOf(db: Db, filter: CompiledFilter) {
  const { values } = filter
  const ids = (sql: string) => prepare<[Record<string, SqlValue>], number>(db, sql).pluck()
  const list = ids(`${filter.selectIds('d.id')} LIMIT @limit`)
  const count = ids(filter.selectIds('count(*)'))
  const page = ids(`${filter.selectIds('d.id')} ORDER BY d.id DESC LIMIT @limit OFFSET @offset`)
  const still = ids(filter.still)
  return {
    /** In any order. */
    list: (range: IdRange, limit: number) => list.all({ ...values, ...range, limit }),
    count: (range: IdRange) => count.get({ ...values, ...range }) ?? 0,
    /** Newest first. */
    page: (range: IdRange, offset: number, limit: number) =>
      page.all({ ...values, ...range, offset, limit }),
    still: (among: readonly number[]) => still.all({ ...values, ids: JSON.stringify(among) }),
  }
}
