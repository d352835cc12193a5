import { prepare, type Db } from '../platform/sqlite.ts'
import type { SqlValue } from './sql.ts'
import type { IdGaps } from './id-gaps.ts'
import type { CompiledFilter } from './compile.ts'
import { emptyTerms } from './empty-terms.ts'
import { blockOf, firstOf, lastOf, Pace } from './scan.ts'

export type ClassKey = string | number | null

const maxCached = 6

/** The most recently used. */
export class CachedCounts {
  readonly #counts = new Map<string, ClassCounts>()

  of(key: string, create: () => ClassCounts): ClassCounts {
    const counts = this.#counts.get(key) ?? create()
    this.#counts.delete(key)
    this.#counts.set(key, counts)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > maxCached && oldest !== undefined) this.#counts.delete(oldest)
    return counts
  }

  touched(ids: readonly number[]): void {
    for (const counts of this.#counts.values()) counts.touched(ids)
  }
}

type Counts = Map<ClassKey, Count>

export interface Count {
  readonly n: number
  readonly first: number
  readonly last: number
}

interface Counted {
  readonly counts: Counts
  /** Deleted deliveries in the block at the time. */
  readonly missing: number
}

/** `next`: the highest ID that is not counted yet. */
type PartialCount = Counted & { readonly block: number; readonly upTo: number; next: number }

interface ClassOptions {
  /** Of `delivery AS d`. */
  readonly classSql: string
  /** The class of a delivery may change later. */
  readonly changes: boolean
}

/** Counts the results of a filter by class, newest first, a few milliseconds at a time. */
export class ClassCounts {
  readonly #changes: boolean
  readonly #rows: ReturnType<typeof prepare<[Record<string, SqlValue>], Row>>
  readonly #values: Readonly<Record<string, SqlValue>>
  readonly #pace: Pace
  readonly #known = new Map<number, Counted>()
  #open: (Counted & { block: number; upTo: number }) | null = null
  #partial: PartialCount | null = null

  constructor(db: Db, filter: CompiledFilter, { classSql, changes }: ClassOptions, gaps: IdGaps) {
    this.#changes = changes || filter.changes
    this.#pace = new Pace(filter.readsContent)
    this.#rows = prepare(
      db,
      `${filter.select(`${classSql} AS class, count(*) AS n, min(d.id) AS first, max(d.id) AS last`)} GROUP BY class`,
    )
    this.#values = filter.values
    for (const { lo, hi } of emptyTerms(db, filter, gaps)) {
      for (let block = blockOf(lo + lastOf(0)); lastOf(block) <= hi; block += 1) {
        this.#known.set(block, { counts: new Map(), missing: gaps.missing(block) })
      }
    }
  }

  /** From the newest to the oldest, at least one piece. Returns the share of counted IDs. */
  count(upTo: number, gaps: IdGaps, deadline: number): number {
    const lowest = blockOf(gaps.firstId)
    for (let block = blockOf(upTo); block >= lowest; block -= 1) {
      while (!this.#at(block, upTo, gaps)) {
        const left = this.#countPiece(block, upTo, gaps)
        if (performance.now() < deadline || (left <= 0 && block === lowest)) continue
        const all = Math.max(1, upTo - gaps.firstId + 1)
        const remaining = Math.max(0, firstOf(block) - gaps.firstId) + Math.max(0, left)
        return Math.min(0.999, Math.max(0, 1 - remaining / all))
      }
    }
    return 1
  }

  totals(upTo: number, gaps: IdGaps): Counts {
    const all: Counts = new Map()
    for (let block = blockOf(upTo); block >= blockOf(gaps.firstId); block -= 1) {
      const known = this.#at(block, upTo, gaps) ?? this.#partOf(block, upTo)
      for (const [key, count] of known?.counts ?? []) addCount(all, key, count)
    }
    return all
  }

  touched(ids: readonly number[]): void {
    if (!this.#changes) return
    for (const block of new Set(ids.map(blockOf))) {
      this.#known.delete(block)
      if (this.#open?.block === block) this.#open = null
      if (this.#partial?.block === block) this.#partial = null
    }
  }

  #at(block: number, upTo: number, gaps: IdGaps): Counted | null {
    const open = this.#open?.block === block && this.#open.upTo === upTo ? this.#open : null
    const known = lastOf(block) <= upTo ? this.#known.get(block) : open
    return known?.missing === gaps.missing(block) ? known : null
  }

  #partOf(block: number, upTo: number): Counted | null {
    return this.#partial?.block === block && this.#partial.upTo === upTo ? this.#partial : null
  }

  #countPiece(block: number, upTo: number, gaps: IdGaps): number {
    const partial = this.#resumeOrStart(block, Math.min(lastOf(block), upTo), gaps)
    const lo = Math.max(firstOf(block), partial.next - this.#pace.span + 1)
    const rows = this.#pace.measure(partial.next - lo + 1, () =>
      this.#rows.all({ ...this.#values, lo, hi: partial.next }),
    )
    for (const { class: key, ...count } of rows) addCount(partial.counts, key, count)
    partial.next = lo - 1
    if (partial.next < firstOf(block)) {
      const { counts, missing } = partial
      if (lastOf(block) <= upTo) this.#known.set(block, { counts, missing })
      else this.#open = { counts, missing, block, upTo }
      this.#partial = null
    }
    return partial.next - firstOf(block) + 1
  }

  #resumeOrStart(block: number, upTo: number, gaps: IdGaps): PartialCount {
    const missing = gaps.missing(block)
    const before = this.#partial
    if (before?.block === block && before.upTo === upTo && before.missing === missing) return before
    const partial = { block, upTo, missing, next: upTo, counts: new Map() }
    this.#partial = partial
    return partial
  }
}

interface Row extends Count {
  readonly class: ClassKey
}

function addCount(counts: Counts, key: ClassKey, count: Count): void {
  counts.set(key, sumOf(counts.get(key), count))
}

export function sumOf(a: Count | undefined, b: Count): Count {
  return a ? { n: a.n + b.n, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) } : b
}
