import type { CallOutput } from '#contract/calls.ts'
import type { DeliverySummary } from '#contract/models.ts'

export const pageSize = 100
/** How many pages stay in memory. The pages farthest from the visible range are removed first. */
const maxPages = 40
/** With more rows than this above the anchor, the anchor moves up, so that memory is bounded. */
const headLimit = 1000
const headKeptPages = 3

interface LoadedPage {
  readonly ids: readonly number[]
  /** False: the page was incomplete because the search was still running, and may grow. */
  readonly settled: boolean
}

type PageAnswer = Pick<CallOutput<'deliveries.page'>, 'rows' | 'total' | 'complete'>

/**
 * The loaded part of the list: new rows (`head`) above an anchor ID, and below it pages at fixed
 * offsets from that anchor. Adding a row is O(1). The list is never copied.
 */
export class DeliveryRows {
  readonly byId = new Map<number, DeliverySummary>()
  /** Oldest first, so that a new row is appended. */
  #head: number[] = []
  readonly #pages = new Map<number, LoadedPage>()
  #anchor = 0
  #total = 0
  #complete = true

  /** The ID that page offsets are relative to: `upTo` of the page call. */
  get anchor(): number {
    return this.#anchor
  }

  /** The highest ID that the list may show. */
  get newest(): number {
    return this.#head.at(-1) ?? this.#anchor
  }

  /** The number of rows above the anchor. Page offsets start below them. */
  get above(): number {
    return this.#head.length
  }

  /** False: the search for rows below the anchor is still running. */
  get complete(): boolean {
    return this.#complete
  }

  /** The number of rows in the list, loaded or not. While the search is running, the number found so far. */
  get count(): number {
    return this.#head.length + this.#total
  }

  /** The ID at an index; null if it is not loaded. */
  idAt(index: number): number | null {
    if (index < this.#head.length) return this.#head[this.#head.length - 1 - index] ?? null
    const offset = index - this.#head.length
    return this.#pages.get(Math.floor(offset / pageSize))?.ids[offset % pageSize] ?? null
  }

  rowAt(index: number): DeliverySummary | null {
    const id = this.idAt(index)
    return id === null ? null : (this.byId.get(id) ?? null)
  }

  /** The index of an ID; null if it is not loaded. */
  indexOf(id: number): number | null {
    const inHead = find(this.#head, id)
    if (inHead !== null) return this.#head.length - 1 - inHead
    for (const [page, { ids }] of this.#pages) {
      const position = ids.indexOf(id)
      if (position !== -1) return this.#head.length + page * pageSize + position
    }
    return null
  }

  /**
   * Restarts with the newest page. Rows received in the meantime stay above it, unless the list is a different one (`another`).
   * `keep`: a row that stays loaded because it is open.
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

  /** Sets the number of matches. A restarted search temporarily reports fewer matches, which is ignored. */
  found(total: number, complete: boolean): void {
    this.#total = complete ? total : Math.max(this.#total, total)
    this.#complete ||= complete
  }

  /** Adds new rows, oldest first. Rows that are already loaded are skipped. */
  prepend(rows: readonly DeliverySummary[], keep: number | null): void {
    for (const row of rows) {
      if (row.id <= (this.#head.at(-1) ?? this.#anchor)) continue
      this.#head.push(row.id)
      this.byId.set(row.id, row)
    }
    // Moving the anchor would restart the search, so it is only moved when the search is complete.
    if (this.#complete && this.#head.length > headLimit) this.#raiseAnchor(keep)
  }

  /** Updates changed rows. Rows that are not loaded are ignored. */
  change(rows: readonly DeliverySummary[]): void {
    for (const row of rows) if (this.byId.has(row.id)) this.byId.set(row.id, row)
  }

  pageOf(index: number): number {
    return Math.max(0, Math.floor((index - this.#head.length) / pageSize))
  }

  /** The pages between two indexes that are not loaded, or not completely. */
  missing(from: number, to: number): number[] {
    const last = Math.floor((Math.min(to, this.count - 1) - this.#head.length) / pageSize)
    const pages: number[] = []
    for (let page = this.pageOf(from); page <= last; page++) {
      const loaded = this.#pages.get(page)
      const length = Math.min(pageSize, this.#total - page * pageSize)
      if (!loaded || (!loaded.settled && loaded.ids.length < length)) pages.push(page)
    }
    return pages
  }

  /** Removes pages far from an index, so that scrolling through a million rows does not keep them all in memory. */
  trim(around: number, keep: number | null): void {
    if (this.#pages.size <= maxPages) return
    const centre = (around - this.#head.length) / pageSize
    const byDistance = [...this.#pages.keys()].sort(
      (a, b) => Math.abs(a - centre) - Math.abs(b - centre),
    )
    for (const page of byDistance.slice(maxPages / 2)) {
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

/** Binary search in ascending IDs. */
function find(ids: readonly number[], id: number): number | null {
  let low = 0
  let high = ids.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const here = ids[middle]
    if (here === undefined) return null
    if (here === id) return middle
    if (here < id) low = middle + 1
    else high = middle - 1
  }
  return null
}
