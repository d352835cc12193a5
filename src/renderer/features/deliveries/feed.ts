import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { oncePerFrame } from '../../platform/frames.ts'
import { showStats, useShell } from '../shell/store.ts'
import { filterText, isFiltering, matches } from './filter.ts'
import { pageSize } from './rows.ts'
import { useDeliveries } from './store.ts'

/** More than this waiting for a frame (a window in the background has none) is fetched later instead of kept. */
const pendingLimit = 5000
/** Milliseconds between two looks at the newest page while a flood is not pushed as a whole. */
const catchUpEvery = 250
/** Milliseconds between two looks at the count while retention takes rows away. */
const recountEvery = 1000
/** Milliseconds between two looks at the figures of the store. */
const figuresEvery = 250
const pagesAtOnce = 3
const unknownTypesKept = 50

/** Keeps the list of deliveries true: takes pushes in once a frame and fetches the pages that are seen. */
export function startFeed(client: Client): void {
  const get = useDeliveries.getState
  const set = useDeliveries.setState
  let pending: DeliverySummary[] = []
  let stats: StoreStats | null = null
  /** The newest id that was pushed or fetched. */
  let known = 0
  let gap = false
  /** Grows with each restart of the list: what was asked under an older one is not taken. */
  let epoch = 0
  let restarting = false
  let restartAgain = false
  let catchUpTimer = 0
  let recountTimer = 0
  let figuresTimer = 0
  const underWay = new Set<number>()

  const live = (): boolean => get().atTop && !get().paused

  function apply(): void {
    const rows = pending
    pending = []
    showFigures()
    const newest = stats?.newestId ?? known
    for (const row of rows) {
      if (row.id > known + 1) gap = true
      known = Math.max(known, row.id)
    }
    if (newest > known) gap = true
    noteUnknownTypes(rows)
    const state = get()
    const fitting = rows.filter((row) => matches(state.filter, row))
    if (live() && state.phase === 'ready') {
      state.rows.prepend(fitting, state.selectedId)
      if (fitting.length > 0) set({ revision: state.revision + 1 })
      if (gap) catchUp()
    } else if (fitting.length > 0 || gap) {
      // The page that is under way may be older than these rows.
      if (restarting) gap = true
      wait(fitting.length, newest)
    }
  }

  /** Figures at most four times a second: they are read by people, and redraw bars and counts. */
  function showFigures(): void {
    if (figuresTimer !== 0) return
    figuresTimer = window.setTimeout(() => {
      figuresTimer = 0
      if (stats) showStats(stats)
    }, figuresEvery)
  }

  function wait(fitting: number, newest: number): void {
    const { filter, rows, waiting } = get()
    // Without a filter the ids tell the number even when not all were pushed.
    if (isFiltering(filter)) set({ waiting: waiting + fitting, waitingAtLeast: gap })
    else set({ waiting: Math.max(0, newest - newestShown(rows.idAt(0), rows.anchor)) })
  }

  function noteUnknownTypes(rows: readonly DeliverySummary[]): void {
    const { unknownTypes } = get()
    const found = new Set(unknownTypes)
    for (const { type } of rows) {
      if (type !== null && !eventTypeOf(type) && found.size < unknownTypesKept) found.add(type)
    }
    if (found.size > unknownTypes.length) set({ unknownTypes: [...found].sort() })
  }

  function catchUp(): void {
    if (catchUpTimer !== 0) return
    catchUpTimer = window.setTimeout(() => {
      catchUpTimer = 0
      if (gap && live()) void restart()
    }, catchUpEvery)
  }

  /** Fetches the newest page and begins the list anew from it. */
  async function restart(): Promise<void> {
    if (restarting) {
      restartAgain = true
      return
    }
    restarting = true
    epoch += 1
    gap = false
    try {
      const { filter } = get()
      const page = await client.call('deliveries.page', {
        filter: filterText(filter),
        upTo: null,
        offset: 0,
        limit: pageSize * 2,
      })
      known = Math.max(known, page.upTo)
      noteUnknownTypes(page.rows)
      const state = get()
      if (state.filter === filter) {
        epoch += 1
        state.rows.restart(page, state.selectedId)
        set({
          phase: 'ready',
          revision: state.revision + 1,
          waiting: 0,
          waitingAtLeast: false,
        })
        if (gap) catchUp()
      }
    } catch (error) {
      fail(error)
    } finally {
      restarting = false
    }
    if (restartAgain) {
      restartAgain = false
      void restart()
    } else fetchSeen()
  }

  function fail(error: unknown): void {
    // The banner tells of a lost connection, and all is asked again when it is back.
    if (error instanceof CallError && error.code === 'connection_lost') gap = true
    else set({ phase: 'failed', message: sentence(error) })
  }

  /** Fetches pages around what is seen, nearest first, a few at a time. */
  function fetchSeen(): void {
    const { rows, seen, filter, phase, selectedId } = get()
    if (phase !== 'ready' || restarting) return
    rows.trim((seen.from + seen.to) / 2, selectedId)
    for (const page of rows.missing(seen.from - 20, seen.to + 40)) {
      if (underWay.size >= pagesAtOnce) return
      if (!underWay.has(page)) void fetchPage(page, filter)
    }
  }

  async function fetchPage(page: number, filter: ReturnType<typeof get>['filter']): Promise<void> {
    const asked = epoch
    const anchor = get().rows.anchor
    underWay.add(page)
    try {
      const { rows, total } = await client.call('deliveries.page', {
        filter: filterText(filter),
        upTo: anchor,
        offset: page * pageSize,
        limit: pageSize,
      })
      const state = get()
      // The anchor may have moved up meanwhile: the offset would then mean another place.
      if (asked === epoch && state.rows.anchor === anchor) {
        state.rows.setPage(page, rows, total)
        set({ revision: state.revision + 1 })
      }
    } catch (error) {
      // Not asked again from here: without a connection that fails at once, and would go round for ever.
      return fail(error)
    } finally {
      underWay.delete(page)
    }
    fetchSeen()
  }

  function recount(): void {
    if (recountTimer !== 0) return
    recountTimer = window.setTimeout(() => {
      recountTimer = 0
      void fetchPage(Math.floor(get().seen.from / pageSize), get().filter)
    }, recountEvery)
  }

  const soon = oncePerFrame(apply)

  client.on('deliveries.arrived', (push) => {
    stats = push.stats
    if (pending.length + push.rows.length > pendingLimit) {
      pending = []
      gap = true
    } else pending.push(...push.rows)
    soon()
  })
  client.on('deliveries.changed', ({ rows }) => {
    const state = get()
    state.rows.change(rows)
    set({ revision: state.revision + 1 })
  })
  client.on('deliveries.removed', (push) => {
    stats = push.stats
    showStats(push.stats)
    if (push.reason === 'cleared') void restart()
    else recount()
  })
  client.onReload(() => {
    known = 0
    void restart()
  })
  client.onConnection(({ phase }) => {
    if (phase === 'connected' && gap) {
      if (live()) void restart()
      else fetchSeen()
    }
  })

  useDeliveries.subscribe((state, before) => {
    if (state.filter !== before.filter) {
      set({ phase: 'loading' })
      void restart()
      return
    }
    const wasLive = before.atTop && !before.paused
    if (live() && !wasLive && (state.waiting > 0 || gap)) void restart()
    else if (state.seen !== before.seen) fetchSeen()
  })
  // The first reload comes with the first welcome; stats of the snapshot are the shell's.
  known = useShell.getState().stats.newestId
}

function newestShown(first: number | null, anchor: number): number {
  return Math.max(first ?? 0, anchor)
}
