import type { Timeline } from '#contract/deliveries.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import type { SqlValue } from './sql.ts'
import type { IdGaps } from './id-gaps.ts'
import { createIdGapsReader } from './id-gaps.ts'
import type { CompiledFilter } from './compile.ts'
import { emptyTerms } from './empty-terms.ts'
import { readFilter } from './read-filter.ts'
import { blockOf, firstOf, lastOf, Pace } from './scan.ts'
import {
  bucketsFor,
  type Buckets,
  classesOf,
  classSql,
  type ClassKey,
  type TimelineKind,
} from './timeline-classes.ts'

export interface TimelineInput {
  readonly filter: string
  /** Inclusive; null: the newest. */
  readonly upTo: number | null
  /** Milliseconds since the epoch. Null in `from` or `to`: no limit. */
  readonly asOf: number
  readonly from: number | null
  readonly to: number | null
  readonly buckets: number
  readonly by: TimelineKind
}

export interface Timelines {
  /** Called again with the same input, it continues. Throws `bad_filter`. */
  readonly query: (input: TimelineInput) => Timeline
  readonly touched: (ids: readonly number[]) => void
}

const budgetMs = 30
const maxCached = 6

/** Counts are cached by block of IDs until deliveries of the block are deleted. */
export function createTimelines(db: Db, budget = budgetMs): Timelines {
  const readGaps = createIdGapsReader(db)
  const charts = new Charts()

  const query = db.transaction((input: TimelineInput, deadline: number): Timeline => {
    const filter = readFilter(db, input.filter, input.asOf)
    const now = readGaps()
    const range = rangeOf(db, filter, input)
    if (!range) return emptyTimeline(input)
    const buckets = bucketsFor(range.from, range.to, input.buckets)
    const key = JSON.stringify([filter.key, input.by, buckets.width, input.from, input.to])
    const chart = charts.of(key, () => {
      const { by, from, to } = input
      const { width } = buckets
      return new Chart(
        db,
        filter,
        { classSql: classSql(by), changes: by === 'verdict', width, from, to },
        now,
      )
    })
    const newest = filter.needsIndex ? now.indexedId : now.lastId
    const upTo = Math.min(input.upTo ?? newest, newest)
    const share = chart.count(upTo, now, deadline)
    return {
      from: buckets.from,
      bucketMs: buckets.width,
      series: seriesOf(input.by, chart.totals(upTo, now), buckets),
      complete: share === 1,
      searched: share,
    }
  })

  return {
    query: (input) => query(input, performance.now() + budget),
    touched: (ids) => charts.touched(ids),
  }
}

/** The most recently used. */
export class Charts {
  readonly #charts = new Map<string, Chart>()

  of(key: string, create: () => Chart): Chart {
    const chart = this.#charts.get(key) ?? create()
    this.#charts.delete(key)
    this.#charts.set(key, chart)
    const [oldest] = this.#charts.keys()
    if (this.#charts.size > maxCached && oldest !== undefined) this.#charts.delete(oldest)
    return chart
  }

  touched(ids: readonly number[]): void {
    for (const chart of this.#charts.values()) chart.touched(ids)
  }
}

/** By class and bucket. Buckets are numbered from the epoch. */
export type Counts = Map<ClassKey, Map<number, Count>>

/** How many, and the lowest and highest ID. */
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

export interface ChartOptions {
  /** Of `delivery AS d`. */
  readonly classSql: string
  /** The class of a delivery may change later. */
  readonly changes: boolean
  /** Of a bucket, and from when to when deliveries are counted, in milliseconds. */
  readonly width: number
  readonly from: number | null
  readonly to: number | null
}

/** Counts the results of a filter by class and time, newest first, a few milliseconds at a time. */
export class Chart {
  readonly #changes: boolean
  readonly #rows: ReturnType<typeof prepare<[Record<string, SqlValue>], Row>>
  readonly #values: Readonly<Record<string, SqlValue>>
  readonly #pace: Pace
  readonly #known = new Map<number, Counted>()
  #open: (Counted & { readonly block: number; readonly upTo: number }) | null = null
  #partial: PartialCount | null = null

  constructor(
    db: Db,
    filter: CompiledFilter,
    { classSql, changes, width, from, to }: ChartOptions,
    gaps: IdGaps,
  ) {
    this.#changes = changes || filter.changes
    this.#pace = new Pace(filter.readsContent)
    this.#rows = prepare(
      db,
      `${filter.select(`d.received_us / CAST(@width AS INTEGER) AS bucket, ${classSql} AS class, count(*) AS n, min(d.id) AS first, max(d.id) AS last`)}
       AND d.received_us >= @begin AND d.received_us < @end GROUP BY bucket, class`,
    )
    this.#values = {
      ...filter.values,
      width: width * 1000,
      begin: from === null ? 0 : Math.ceil(from * 1000),
      end: to === null ? Number.MAX_SAFE_INTEGER : Math.ceil(to * 1000),
    }
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
      if (known) addTo(all, known.counts)
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

  /** Returns the number of remaining IDs. */
  #countPiece(block: number, upTo: number, gaps: IdGaps): number {
    const partial = this.#resumeOrStart(block, Math.min(lastOf(block), upTo), gaps)
    const lo = Math.max(firstOf(block), partial.next - this.#pace.span + 1)
    const rows = this.#pace.measure(partial.next - lo + 1, () =>
      this.#rows.all({ ...this.#values, lo, hi: partial.next }),
    )
    for (const { bucket, class: key, ...count } of rows)
      addCount(partial.counts, key, bucket, count)
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
  readonly bucket: number
  readonly class: ClassKey
}

function addCount(counts: Counts, key: ClassKey, bucket: number, count: Count): void {
  let buckets = counts.get(key)
  if (!buckets) counts.set(key, (buckets = new Map()))
  buckets.set(bucket, sumOf(buckets.get(bucket), count))
}

export function sumOf(a: Count | undefined, b: Count): Count {
  return a ? { n: a.n + b.n, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) } : b
}

function addTo(all: Counts, counts: Counts): void {
  for (const [key, buckets] of counts) {
    for (const [bucket, count] of buckets) addCount(all, key, bucket, count)
  }
}

/** Null if the range contains no deliveries. */
function rangeOf(
  db: Db,
  { received }: CompiledFilter,
  { from, to }: TimelineInput,
): { from: number; to: number } | null {
  const end = (which: 'min' | 'max'): number | null =>
    prepare<[], { us: number | null }>(
      db,
      `SELECT ${which}(received_us) AS us FROM delivery WHERE received_us > 0`,
    ).get()?.us ?? null
  const [first, last] = [end('min'), end('max')]
  if (first === null || last === null) return null
  const begin = from ?? Math.max(first, received.from ?? first) / 1000
  // `to` and `before:` are exclusive: the last possible time is a microsecond earlier.
  const until = to === null ? Math.min(last, (received.to ?? Infinity) - 1) / 1000 : to - 0.001
  return until < begin ? null : { from: begin, to: until }
}

function emptyTimeline({ by, asOf, from }: TimelineInput): Timeline {
  const at = bucketsFor(from ?? asOf, from ?? asOf, 1)
  const series = seriesOf(by, new Map(), { ...at, count: 0 })
  return { from: at.from, bucketMs: at.width, series, complete: true, searched: 1 }
}

function seriesOf(by: TimelineKind, counts: Counts, buckets: Buckets): Timeline['series'] {
  const first = buckets.from / buckets.width
  const totals = new Map<ClassKey, number>()
  for (const [key, inBuckets] of counts) {
    let sum = 0
    for (const { n } of inBuckets.values()) sum += n
    totals.set(key, sum)
  }
  return classesOf(by, totals).map(({ key, label, term, of }) => {
    const series = Array.from({ length: buckets.count }, () => 0)
    for (const classKey of of) {
      for (const [bucket, { n }] of counts.get(classKey) ?? []) {
        const at = bucket - first
        if (at >= 0 && at < series.length) series[at] = (series[at] ?? 0) + n
      }
    }
    return { key, label, term, counts: series }
  })
}
