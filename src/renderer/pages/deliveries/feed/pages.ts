import type { CallOutput } from '#contract/calls.ts'
import type { StoreApi } from 'zustand'
import type { DeliverySummary } from '#contract/models.ts'
import { CallError, type Client } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { type DeliveryRows, pageSize } from '#client/state/delivery-rows.ts'
import type { Scope } from '#client/state/scope.ts'
import { type DeliveriesState, queryOf } from '#client/state/deliveries.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'

const pagesAtOnce = 3
const above = 20
const below = 40
/** Milliseconds to wait after a call without progress, since the search waits for the search index. */
const retryDelay = 250

interface PagesOptions {
  /** The scope of the deliveries and the state that holds them. */
  readonly log: Scope
  readonly deliveries: StoreApi<DeliveriesState>
  /** Whether the list is visible. A search only continues while it is. */
  readonly watched: () => boolean
  /** The list was reloaded with the deliveries up to this ID. */
  readonly onBegun: (upTo: number, rows: readonly DeliverySummary[]) => void
  /** The connection was lost while the newest page was being fetched. */
  readonly onLost: () => void
}

type SearchStep = 'progress' | 'waiting' | 'failed' | 'stale'

/** The pages of the list, fetched as they become visible, and the search for matches. */
export class Pages {
  readonly #client: Client
  readonly #options: PagesOptions
  readonly #deliveries: StoreApi<DeliveriesState>
  /** Incremented with each reload, to ignore responses for an older list. */
  #epoch = 0
  #loading: string | null = null
  #loaded: string | null = null
  #restartAgain = false
  #lost = false
  #searching = false
  #timer = 0
  readonly #inFlight = new Set<number>()
  readonly #late = createLateChanges(
    () => this.#loading !== null || this.#inFlight.size > 0 || this.#searching,
  )

  constructor(client: Client, options: PagesOptions) {
    this.#client = client
    this.#options = options
    this.#deliveries = options.deliveries
  }

  async restart(): Promise<void> {
    const list = this.#list()
    const key = JSON.stringify(list)
    if (this.#loading === key) {
      this.#restartAgain = true
      return
    }
    // Do not wait for a response for another list.
    this.#loading = key
    this.#restartAgain = false
    this.#lost = false
    this.#epoch += 1
    const requestEpoch = this.#epoch
    try {
      const page = await this.#client.call('deliveries.page', {
        ...list,
        upTo: null,
        offset: 0,
        limit: pageSize * 2,
      })
      if (requestEpoch !== this.#epoch) return
      this.#epoch += 1
      this.#applyFirstPage(page, key)
    } catch (error) {
      if (requestEpoch !== this.#epoch) return
      this.#fail(error)
      if (this.#lost) this.#options.onLost()
    }
    this.#loading = null
    this.#late.clearWhenIdle()
    if (this.#restartAgain) void this.restart()
    else this.fetchSeen()
  }

  #list() {
    const state = this.#deliveries.getState()
    return { log: this.#options.log, filter: queryOf(state), sort: state.sort }
  }

  #applyFirstPage(page: CallOutput<'deliveries.page'>, key: string): void {
    const { rows, selectedId, revision } = this.#deliveries.getState()
    rows.restart(page, selectedId, this.#loaded !== key)
    this.#loaded = key
    this.#late.apply(rows)
    this.#deliveries.setState({
      phase: 'ready',
      revision: revision + 1,
      waiting: 0,
      waitingAtLeast: false,
      search: { asOf: page.asOf, complete: page.complete, searched: page.searched },
    })
    this.#options.onBegun(page.upTo, page.rows)
  }

  #fail(error: unknown): void {
    // The banner reports a lost connection, and everything is requested again once it is back.
    if (error instanceof CallError && error.code === 'connection_lost') this.#lost = true
    else this.#deliveries.setState({ phase: 'failed', message: messageOf(error) })
  }

  /** Fetches the pages around the visible rows, a few at a time. Once they are loaded, runs the next step of the search. */
  fetchSeen(): void {
    const { rows, seen, phase, selectedId, stopped } = this.#deliveries.getState()
    if (phase !== 'ready' || this.#loading !== null) return
    rows.trim((seen.from + seen.to) / 2, selectedId)
    const missing = rows.missing(seen.from - above, seen.to + below)
    for (const page of missing) {
      if (this.#inFlight.size >= pagesAtOnce) return
      if (!this.#inFlight.has(page)) void this.#fetchPage(page)
    }
    if (missing.length === 0 && !rows.complete && !stopped && this.#options.watched())
      void this.#searchNext()
  }

  async #fetchPage(page: number): Promise<void> {
    this.#inFlight.add(page)
    const outcome = await this.#ask(page * pageSize, pageSize, page)
    this.#inFlight.delete(page)
    this.#late.clearWhenIdle()
    this.#next(outcome)
  }

  async #searchNext(): Promise<void> {
    if (this.#searching) return
    this.#searching = true
    const { rows, seen } = this.#deliveries.getState()
    const end = rows.pageOf(rows.count)
    const outcome =
      end <= rows.pageOf(seen.to + below)
        ? await this.#ask(end * pageSize, pageSize, end)
        : await this.#ask(0, 1, null)
    this.#searching = false
    this.#late.clearWhenIdle()
    this.#next(outcome)
  }

  #next(outcome: SearchStep): void {
    switch (outcome) {
      case 'progress':
      case 'stale':
        return this.fetchSeen()
      case 'waiting':
        if (this.#timer !== 0 || this.#deliveries.getState().stopped) return
        this.#timer = window.setTimeout(() => {
          this.#timer = 0
          this.fetchSeen()
        }, retryDelay)
        return
      case 'failed':
        // Not retried here: without a connection it would fail immediately, in an endless loop.
        return
    }
  }

  async #ask(offset: number, limit: number, page: number | null): Promise<SearchStep> {
    const requestEpoch = this.#epoch
    const { rows, search } = this.#deliveries.getState()
    const { anchor, count } = rows
    try {
      const response = await this.#client.call('deliveries.page', {
        ...this.#list(),
        upTo: anchor,
        asOf: search.asOf,
        offset,
        limit,
      })
      // If the anchor moved in the meantime, the offset refers to another row.
      if (requestEpoch !== this.#epoch || rows.anchor !== anchor) return 'stale'
      if (page === null) rows.found(response.total, response.complete)
      else rows.setPage(page, response)
      this.#late.apply(rows)
      const state = this.#deliveries.getState()
      this.#deliveries.setState({
        revision: state.revision + 1,
        search: {
          asOf: state.search.asOf,
          complete: rows.complete,
          searched: rows.complete ? 1 : Math.max(state.search.searched, response.searched),
        },
      })
      const gained = response.searched > search.searched || rows.count > count
      return response.complete || gained ? 'progress' : 'waiting'
    } catch (error) {
      if (requestEpoch !== this.#epoch) return 'stale'
      this.#fail(error)
      return 'failed'
    }
  }

  /** Whether the newest page is being fetched. It may be older than rows pushed in the meantime. */
  restarting(): boolean {
    return this.#loading !== null
  }

  /** Rows changed. Responses still in flight may be older than the change. */
  changed(rows: readonly DeliverySummary[]): void {
    this.#late.note(rows)
  }

  /** Fetches the visible rows again after rows were deleted, to update the count. */
  recount(): void {
    const { rows, seen, phase } = this.#deliveries.getState()
    if (phase === 'ready' && !this.restarting()) void this.#fetchPage(rows.pageOf(seen.from))
  }

  /** Repeats requests that failed with the connection. */
  reconnected(): void {
    if (!this.#lost) return
    this.#lost = false
    if (this.#deliveries.getState().phase === 'loading') void this.restart()
    else this.fetchSeen()
  }
}

/**
 * Rows that changed while pages were being fetched. Such a page may have been read before the change and must not undo it. Applying a change
 * that is older than the page does no harm, since the later change is pushed as well.
 */
function createLateChanges(busy: () => boolean) {
  const late = new Map<number, DeliverySummary>()
  return {
    note(rows: readonly DeliverySummary[]): void {
      if (busy()) for (const row of rows) late.set(row.id, row)
    },
    apply(rows: DeliveryRows): void {
      if (late.size > 0) rows.change([...late.values()])
    },
    /** Clears the changes once nothing is in flight. */
    clearWhenIdle(): void {
      if (!busy()) late.clear()
    },
  }
}

const maxUnknownTypes = 50

/** Collects undocumented types, to offer them as filters, and whether there is more than one location. */
export function noteKnown(
  deliveries: StoreApi<DeliveriesState>,
  rows: readonly DeliverySummary[],
): void {
  const { unknownTypes, locations } = deliveries.getState()
  const types = new Set(unknownTypes)
  const names = new Set(locations)
  for (const { type, locationName } of rows) {
    if (type !== null && !eventTypeOf(type) && types.size < maxUnknownTypes) types.add(type)
    if (locationName !== null && names.size < 2) names.add(locationName)
  }
  if (types.size > unknownTypes.length) deliveries.setState({ unknownTypes: [...types].sort() })
  if (names.size > locations.length) deliveries.setState({ locations: [...names] })
}
