import type { StoreApi } from 'zustand'
import type { DeliverySummary } from '#contract/models.ts'
import { CallError, sentence } from '#renderer/platform/call-error.ts'
import type { Client } from '#renderer/platform/client.ts'
import { type DeliveryRows, pageSize } from '../../../state/delivery-rows.ts'
import type { Scope } from '../../../state/scope.ts'
import { type DeliveriesState, queryOf } from '../../../state/deliveries.ts'
import { eventTypeOf } from '#catalogue/catalogue.ts'

const pagesAtOnce = 3
/** Rows fetched above and below the visible ones. */
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

/** The pages of the list, fetched as they become visible, and the search for matches. */
export interface Pages {
  /** Reloads the list from the newest page. */
  restart(): Promise<void>
  /** Whether the newest page is being fetched. It may be older than rows pushed in the meantime. */
  restarting(): boolean
  /** Fetches missing visible rows and continues the search. */
  fetchSeen(): void
  /** Fetches the visible rows again after rows were deleted, to update the count. */
  recount(): void
  /** Repeats requests that failed with the connection. */
  reconnected(): void
  /** Rows changed. Responses still in flight may be older than the change. */
  changed(rows: readonly DeliverySummary[]): void
}

type SearchStep = 'progress' | 'waiting' | 'failed' | 'stale'

export function createPages(client: Client, options: PagesOptions): Pages {
  const { log, deliveries, watched, onBegun, onLost } = options
  const get = deliveries.getState
  const set = deliveries.setState
  /** Incremented with each reload, to ignore responses for an older list. */
  let epoch = 0
  /** The filter of the newest page that is being fetched; null if none is. */
  let loadingFilter: string | null = null
  /** The filter of the loaded list. */
  let loadedFilter: string | null = null
  let restartAgain = false
  let lost = false
  let searching = false
  let timer = 0
  const inFlight = new Set<number>()
  const late = createLateChanges(() => loadingFilter !== null || inFlight.size > 0 || searching)

  async function restart(): Promise<void> {
    const filter = queryOf(get())
    if (loadingFilter === filter) {
      restartAgain = true
      return
    }
    // Do not wait for a response to another filter.
    loadingFilter = filter
    restartAgain = false
    lost = false
    epoch += 1
    const requestEpoch = epoch
    try {
      const page = await client.call('deliveries.page', {
        log,
        filter,
        upTo: null,
        offset: 0,
        limit: pageSize * 2,
      })
      if (requestEpoch !== epoch) return
      epoch += 1
      applyFirstPage(page)
    } catch (error) {
      if (requestEpoch !== epoch) return
      fail(error)
      if (lost) onLost()
    }
    loadingFilter = null
    late.clearWhenIdle()
    if (restartAgain) void restart()
    else fetchSeen()
  }

  function applyFirstPage(page: Awaited<ReturnType<typeof client.call<'deliveries.page'>>>): void {
    const { rows, selectedId, revision } = get()
    const filter = queryOf(get())
    rows.restart(page, selectedId, loadedFilter !== filter)
    loadedFilter = filter
    late.apply(rows)
    set({
      phase: 'ready',
      revision: revision + 1,
      waiting: 0,
      waitingAtLeast: false,
      search: { asOf: page.asOf, complete: page.complete, searched: page.searched },
    })
    onBegun(page.upTo, page.rows)
  }

  function fail(error: unknown): void {
    // The banner reports a lost connection, and everything is requested again once it is back.
    if (error instanceof CallError && error.code === 'connection_lost') lost = true
    else set({ phase: 'failed', message: sentence(error) })
  }

  /** Fetches the pages around the visible rows, a few at a time. Once they are loaded, runs the next step of the search. */
  function fetchSeen(): void {
    const { rows, seen, phase, selectedId, stopped } = get()
    if (phase !== 'ready' || loadingFilter !== null) return
    rows.trim((seen.from + seen.to) / 2, selectedId)
    const missing = rows.missing(seen.from - above, seen.to + below)
    for (const page of missing) {
      if (inFlight.size >= pagesAtOnce) return
      if (!inFlight.has(page)) void fetchPage(page)
    }
    if (missing.length === 0 && !rows.complete && !stopped && watched()) void searchNext()
  }

  async function fetchPage(page: number): Promise<void> {
    inFlight.add(page)
    const outcome = await ask(page * pageSize, pageSize, page)
    inFlight.delete(page)
    late.clearWhenIdle()
    next(outcome)
  }

  /** Runs the next step of the search, for the count or for rows about to become visible. */
  async function searchNext(): Promise<void> {
    if (searching) return
    searching = true
    const { rows, seen } = get()
    const end = rows.pageOf(rows.count)
    const outcome =
      end <= rows.pageOf(seen.to + below)
        ? await ask(end * pageSize, pageSize, end)
        : await ask(0, 1, null)
    searching = false
    late.clearWhenIdle()
    next(outcome)
  }

  function next(outcome: SearchStep): void {
    switch (outcome) {
      case 'progress':
      case 'stale':
        return fetchSeen()
      case 'waiting':
        if (timer !== 0 || get().stopped) return
        timer = window.setTimeout(() => {
          timer = 0
          fetchSeen()
        }, retryDelay)
        return
      case 'failed':
        // Not retried here: without a connection it would fail immediately, in an endless loop.
        return
    }
  }

  async function ask(offset: number, limit: number, page: number | null): Promise<SearchStep> {
    const requestEpoch = epoch
    const { rows, search } = get()
    const { anchor, count } = rows
    try {
      const response = await client.call('deliveries.page', {
        log,
        filter: queryOf(get()),
        upTo: anchor,
        asOf: search.asOf,
        offset,
        limit,
      })
      // If the anchor moved in the meantime, the offset refers to another row.
      if (requestEpoch !== epoch || rows.anchor !== anchor) return 'stale'
      if (page === null) rows.found(response.total, response.complete)
      else rows.setPage(page, response)
      late.apply(rows)
      const state = get()
      set({
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
      if (requestEpoch !== epoch) return 'stale'
      fail(error)
      return 'failed'
    }
  }

  return {
    restart,
    restarting: () => loadingFilter !== null,
    changed: (rows) => late.note(rows),
    fetchSeen,
    recount: () => {
      const { rows, seen, phase } = get()
      if (phase === 'ready' && loadingFilter === null) void fetchPage(rows.pageOf(seen.from))
    },
    reconnected() {
      if (!lost) return
      lost = false
      if (get().phase === 'loading') void restart()
      else fetchSeen()
    },
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

/** Collects undocumented types, to offer them as filters. */
export function noteUnknownTypes(
  deliveries: StoreApi<DeliveriesState>,
  rows: readonly DeliverySummary[],
): void {
  const { unknownTypes } = deliveries.getState()
  const found = new Set(unknownTypes)
  for (const { type } of rows) {
    if (type !== null && !eventTypeOf(type) && found.size < maxUnknownTypes) found.add(type)
  }
  if (found.size > unknownTypes.length) deliveries.setState({ unknownTypes: [...found].sort() })
}
