import type { StoreApi } from 'zustand'
import type { DeliverySummary } from '#contract/models.ts'
import { CallError, sentence } from '#renderer/platform/call-error.ts'
import type { Client } from '#renderer/platform/client.ts'
import { type DeliveryRows, pageSize } from '../../../state/delivery-rows.ts'
import type { Scope } from '../../../state/scope.ts'
import { type DeliveriesState, queryOf } from '../../../state/deliveries.ts'

const pagesAtOnce = 3
/** Places fetched above and below what is seen. */
const above = 20
const below = 40
/** Milliseconds to the next call where one has brought the search no further: it waits for the search index. */
const standstill = 250

interface Asked {
  /** Whose deliveries, and the state that holds them. */
  readonly log: Scope
  readonly deliveries: StoreApi<DeliveriesState>
  /** Whether anybody looks at the list: only then a search goes on. */
  readonly watched: () => boolean
  /** The list begins anew with what the engine knew up to this id. */
  readonly onBegun: (upTo: number, rows: readonly DeliverySummary[]) => void
  /** The newest page was lost with the connection. */
  readonly onLost: () => void
}

/** The pages of the list, fetched where they are seen, and the search for them. */
export interface Pages {
  /** Fetches the newest page and begins the list anew from it. */
  restart(): Promise<void>
  /** Whether the newest page is on its way: it may be older than what is pushed meanwhile. */
  restarting(): boolean
  /** Fetches what is seen and not here, and searches on. */
  fetchSeen(): void
  /** Asks for what is seen again, since rows went and their number with them. */
  recount(): void
  /** Asks again for what was lost with the connection. */
  reconnected(): void
  /** Rows changed: answers that are on their way may be older than that. */
  changed(rows: readonly DeliverySummary[]): void
}

export function createPages(client: Client, whose: Asked): Pages {
  const { log, deliveries, watched, onBegun, onLost } = whose
  const get = deliveries.getState
  const set = deliveries.setState
  /** Grows with each restart of the list: what was asked under an older one is not taken. */
  let epoch = 0
  /** The filter of the newest page that is on its way. */
  let beginning: string | null = null
  /** The filter of the list that is there. */
  let begun: string | null = null
  let again = false
  let lost = false
  let searching = false
  let timer = 0
  const underWay = new Set<number>()
  const late = createLateChanges(() => beginning !== null || underWay.size > 0 || searching)

  async function restart(): Promise<void> {
    const filter = queryOf(get())
    if (beginning === filter) {
      again = true
      return
    }
    // The answer to another filter that is still under way is not waited for.
    beginning = filter
    again = false
    lost = false
    epoch += 1
    const asked = epoch
    try {
      const page = await client.call('deliveries.page', {
        log,
        filter,
        upTo: null,
        offset: 0,
        limit: pageSize * 2,
      })
      if (asked !== epoch) return
      epoch += 1
      begin(page)
    } catch (error) {
      if (asked !== epoch) return
      fail(error)
      if (lost) onLost()
    }
    beginning = null
    late.rest()
    if (again) void restart()
    else fetchSeen()
  }

  function begin(page: Awaited<ReturnType<typeof client.call<'deliveries.page'>>>): void {
    const { rows, selectedId, revision } = get()
    const filter = queryOf(get())
    rows.restart(page, selectedId, begun !== filter)
    begun = filter
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
    // The banner tells of a lost connection, and all is asked again when it is back.
    if (error instanceof CallError && error.code === 'connection_lost') lost = true
    else set({ phase: 'failed', message: sentence(error) })
  }

  /** Pages around what is seen, a few at a time; where they are all here, the next step of the search. */
  function fetchSeen(): void {
    const { rows, seen, phase, selectedId, stopped } = get()
    if (phase !== 'ready' || beginning !== null) return
    rows.trim((seen.from + seen.to) / 2, selectedId)
    const missing = rows.missing(seen.from - above, seen.to + below)
    for (const page of missing) {
      if (underWay.size >= pagesAtOnce) return
      if (!underWay.has(page)) void fetchPage(page)
    }
    if (missing.length === 0 && !rows.complete && !stopped && watched()) void searchOn()
  }

  async function fetchPage(page: number): Promise<void> {
    underWay.add(page)
    const outcome = await ask(page * pageSize, pageSize, page)
    underWay.delete(page)
    late.rest()
    next(outcome)
  }

  /** What is seen is here: all that is wanted of the next step is how many there are, or the rows that come into sight. */
  async function searchOn(): Promise<void> {
    if (searching) return
    searching = true
    const { rows, seen } = get()
    const end = rows.pageOf(rows.count)
    const outcome =
      end <= rows.pageOf(seen.to + below)
        ? await ask(end * pageSize, pageSize, end)
        : await ask(0, 1, null)
    searching = false
    late.rest()
    next(outcome)
  }

  function next(outcome: 'further' | 'standstill' | 'failed' | 'stale'): void {
    switch (outcome) {
      case 'further':
      case 'stale':
        return fetchSeen()
      case 'standstill':
        if (timer !== 0 || get().stopped) return
        timer = window.setTimeout(() => {
          timer = 0
          fetchSeen()
        }, standstill)
        return
      case 'failed':
        // Not asked again from here: without a connection that fails at once, and would go round for ever.
        return
    }
  }

  async function ask(
    offset: number,
    limit: number,
    page: number | null,
  ): Promise<'further' | 'standstill' | 'failed' | 'stale'> {
    const asked = epoch
    const { rows, search } = get()
    const { anchor, count } = rows
    try {
      const answer = await client.call('deliveries.page', {
        log,
        filter: queryOf(get()),
        upTo: anchor,
        asOf: search.asOf,
        offset,
        limit,
      })
      // The anchor may have moved up meanwhile: the offset would then mean another place.
      if (asked !== epoch || rows.anchor !== anchor) return 'stale'
      if (page === null) rows.found(answer.total, answer.complete)
      else rows.setPage(page, answer)
      late.apply(rows)
      const state = get()
      set({
        revision: state.revision + 1,
        search: {
          asOf: state.search.asOf,
          complete: rows.complete,
          searched: rows.complete ? 1 : Math.max(state.search.searched, answer.searched),
        },
      })
      const gained = answer.searched > search.searched || rows.count > count
      return answer.complete || gained ? 'further' : 'standstill'
    } catch (error) {
      if (asked !== epoch) return 'stale'
      fail(error)
      return 'failed'
    }
  }

  return {
    restart,
    restarting: () => beginning !== null,
    changed: (rows) => late.note(rows),
    fetchSeen,
    recount: () => {
      const { rows, seen, phase } = get()
      if (phase === 'ready' && beginning === null) void fetchPage(rows.pageOf(seen.from))
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
 * Rows that changed while pages are on their way: such a page may have been read before the change, and must not undo it. A change that
 * the page is newer than does no harm, since the one after it is told as well.
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
    /** Forgets them once nothing is on its way. */
    rest(): void {
      if (!busy()) late.clear()
    },
  }
}
