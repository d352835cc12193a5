import type { DeliverySummary } from '#contract/models.ts'

/** Rows asked for at once. */
export const pageSize = 100
/** Pages kept; those farthest from what is seen go first. */
const pagesKept = 40
/** With more rows than this above the anchor, the anchor moves up: nothing grows without end. */
const headLimit = 1000
const headKeptPages = 3

interface HeldPage {
  readonly ids: readonly number[]
  /** False: it came short while the search was under way, and may grow. */
  readonly settled: boolean
}

/** What an answer says of the rows from an offset on. */
export interface PageAnswer {
  readonly rows: readonly DeliverySummary[]
  readonly total: number
  /** False: the search has not come to the oldest delivery. */
  readonly complete: boolean
}

/**
 * The list as it is known here: a stretch of new rows (`head`) above an anchor id, and below it pages at fixed
 * offsets from that anchor. Adding a row is O(1); nothing is ever copied as a whole.
 */
export class DeliveryRows {
  readonly byId = new Map<number, DeliverySummary>()
  /** Oldest first, so that a new row is a push. */
  #head: number[] = []
  readonly #pages = new Map<number, HeldPage>()
  #anchor = 0
  #total = 0
  #complete = true

  /** The id that pages are counted from: `upTo` of the page call. */
  get anchor(): number {
    return this.#anchor
  }

  /** Rows above the anchor: the offsets of pages count from below them. */
  get above(): number {
    return this.#head.length
  }

  /** False: the search for rows below the anchor is still under way. */
  get complete(): boolean {
    return this.#complete
  }

  /** Rows in the list, fetched or not; while the search is under way, those found so far. */
  get count(): number {
    return this.#head.length + this.#total
  }

  /** The id at a place, newest first; null when it is not here yet. */
  idAt(index: number): number | null {
    if (index < this.#head.length) return this.#head[this.#head.length - 1 - index] ?? null
    const offset = index - this.#head.length
    return this.#pages.get(Math.floor(offset / pageSize))?.ids[offset % pageSize] ?? null
  }

  rowAt(index: number): DeliverySummary | null {
    const id = this.idAt(index)
    return id === null ? null : (this.byId.get(id) ?? null)
  }

  /** The place of an id, or null when it is not among the rows that are here. */
  indexOf(id: number): number | null {
    const inHead = find(this.#head, id, 1)
    if (inHead !== null) return this.#head.length - 1 - inHead
    for (const [page, { ids }] of this.#pages) {
      const place = find(ids, id, -1)
      if (place !== null) return this.#head.length + page * pageSize + place
    }
    return null
  }

  /**
   * Begins anew with the newest page. Rows that came while it was under way stay above it, unless the list is another one from here on.
   * `keep`: a row that stays whatever comes, since it is open.
   */
  restart(
    page: PageAnswer & { readonly upTo: number },
    keep: number | null,
    another = false,
  ): void {
    const newer = another ? [] : this.#head.filter((id) => id > page.upTo)
    this.#head = newer
    this.#anchor = page.upTo
    this.#total = page.total
    this.#complete = page.complete
    this.#pages.clear()
    this.#dropAllBut(new Set(keep === null ? newer : [...newer, keep]))
    this.setPage(0, page)
  }

  setPage(page: number, { rows, total, complete }: PageAnswer): void {
    this.found(total, complete)
    for (let start = 0; start === 0 || start < rows.length; start += pageSize) {
      const slice = rows.slice(start, start + pageSize)
      for (const row of slice) this.byId.set(row.id, row)
      this.#pages.set(page + start / pageSize, {
        ids: slice.map((row) => row.id),
        settled: complete || slice.length === pageSize,
      })
    }
  }

  /** How many match. A search that begins again knows less for a while than it did before: that is not taken. */
  found(total: number, complete: boolean): void {
    this.#total = complete ? total : Math.max(this.#total, total)
    this.#complete ||= complete
  }

  /** New rows, oldest first. Those that are here already are left as they are. */
  prepend(rows: readonly DeliverySummary[], keep: number | null): void {
    for (const row of rows) {
      if (row.id <= (this.#head.at(-1) ?? this.#anchor)) continue
      this.#head.push(row.id)
      this.byId.set(row.id, row)
    }
    // From another anchor a search would begin at its beginning: it is moved when there is nothing more to find.
    if (this.#complete && this.#head.length > headLimit) this.#raiseAnchor(keep)
  }

  /** Rows that changed; those that are not here are of no interest. */
  change(rows: readonly DeliverySummary[]): void {
    for (const row of rows) if (this.byId.has(row.id)) this.byId.set(row.id, row)
  }

  /** The page of a place. */
  pageOf(index: number): number {
    return Math.max(0, Math.floor((index - this.#head.length) / pageSize))
  }

  /** Pages between two places that are not here, or not as far as they go by now. */
  missing(from: number, to: number): number[] {
    const last = Math.floor((Math.min(to, this.count - 1) - this.#head.length) / pageSize)
    const pages: number[] = []
    for (let page = this.pageOf(from); page <= last; page++) {
      const held = this.#pages.get(page)
      const length = Math.min(pageSize, this.#total - page * pageSize)
      if (!held || (!held.settled && held.ids.length < length)) pages.push(page)
    }
    return pages
  }

  /** Lets go of pages far from a place, so that a scroll through a million rows does not keep a million rows. */
  trim(around: number, keep: number | null): void {
    if (this.#pages.size <= pagesKept) return
    const centre = (around - this.#head.length) / pageSize
    const byDistance = [...this.#pages.keys()].sort(
      (a, b) => Math.abs(a - centre) - Math.abs(b - centre),
    )
    for (const page of byDistance.slice(pagesKept / 2)) {
      for (const id of this.#pages.get(page)?.ids ?? []) if (id !== keep) this.byId.delete(id)
      this.#pages.delete(page)
    }
  }

  #raiseAnchor(keep: number | null): void {
    const head = this.#head
    const newest = head.slice(-headKeptPages * pageSize).toReversed()
    this.#anchor = newest[0] ?? this.#anchor
    this.#total += head.length
    this.#head = []
    this.#pages.clear()
    this.#dropAllBut(new Set(keep === null ? newest : [...newest, keep]))
    for (let page = 0; page < headKeptPages; page++) {
      this.#pages.set(page, {
        ids: newest.slice(page * pageSize, (page + 1) * pageSize),
        settled: true,
      })
    }
  }

  #dropAllBut(kept: ReadonlySet<number>): void {
    for (const id of this.byId.keys()) if (!kept.has(id)) this.byId.delete(id)
  }
}

/** Binary search in ids that ascend (`direction` 1) or descend (-1). */
function find(ids: readonly number[], id: number, direction: 1 | -1): number | null {
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const here = ids[middle]
    if (here === undefined) return null
    if (here === id) return middle
    if ((here - id) * direction < 0) low = middle + 1
    else high = middle - 1
  }
  return null
}
