import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import { oncePerFrame } from '../../platform/frames.ts'
import { listedIntegration, useAuthorization } from '../../state/authorization.ts'
import { showStats, useShell } from '../../state/app.ts'
import { createPages } from './feed/pages.ts'
import { noteUnknownTypes } from './feed/unknown-types.ts'
import type { Visibility } from './feed/visibility.ts'
import { usesVerdict, usesAnnotations } from '../../state/filter.ts'
import { onShownScope, shownScope } from '../../state/scope.ts'
import { queryOf, useDeliveries } from '../../state/deliveries.ts'
import { CallError, sentence } from '#renderer/platform/call-error.ts'

/** Milliseconds between two questions, however much is pushed meanwhile. */
const pace = 200
const rowsAtOnce = 1000
/** So many rows wait for the user to come back to the top; for more, the list begins anew then. */
const heldMost = 5000

interface Followed {
  /** Whether rows may go into the list as they come. */
  readonly live: () => boolean
  /** Whether anybody looks at the list: only then it is followed. */
  readonly watched: () => boolean
  /** Begins the list anew, for want of a better way. */
  readonly restart: () => void
}

/** What arrives and matches a filter of the live list: asked for, since only the engine can tell what matches. */
interface Follow {
  /** The list began anew and holds all that matches up to this id; null: it is about to. */
  begin(upTo: number | null): void
  /** There may be more. */
  more(): void
  /** The user is back at the top: what waited goes into the list. */
  takeIn(): void
}

function createFollow(client: Client, { live, watched, restart }: Followed): Follow {
  const { getState: get, setState: set } = useDeliveries.of(null)
  /** Up to this id all that matches is in the list or held; null: there is no list. */
  let after: number | null = null
  let held: DeliverySummary[] = []
  /** Grows with each list: an answer for an older one is not taken. */
  let epoch = 0
  let asking = false
  let resting = false
  let wanted = false

  function more(): void {
    wanted = true
    if (!asking && !resting) void ask()
  }

  async function ask(): Promise<void> {
    if (after === null || held.length > heldMost || !watched()) return
    wanted = false
    asking = true
    const asked = epoch
    let full = false
    try {
      const { search } = get()
      const { rows, upTo } = await client.call('deliveries.newer', {
        log: null,
        filter: queryOf(get()),
        after,
        asOf: search.asOf,
        limit: rowsAtOnce,
      })
      if (asked === epoch) {
        full = rows.length === rowsAtOnce
        // Where an answer looked at a part of it only, the rest is still to be asked for.
        if (upTo > after) wanted = true
        after = Math.max(after, upTo)
        take(rows)
      } else wanted = true
    } catch (error) {
      const lost = error instanceof CallError && error.code === 'connection_lost'
      if (asked === epoch && !lost) set({ phase: 'failed', message: sentence(error) })
    } finally {
      asking = false
    }
    if (full) return more()
    resting = true
    window.setTimeout(() => {
      resting = false
      if (wanted) more()
    }, pace)
  }

  function take(rows: readonly DeliverySummary[]): void {
    if (rows.length === 0) return
    if (live()) put(rows)
    else {
      held = [...held, ...rows]
      set({ waiting: held.length, waitingAtLeast: held.length > heldMost })
    }
  }

  function put(rows: readonly DeliverySummary[]): void {
    const state = get()
    state.rows.prepend(rows, state.selectedId)
    set({ revision: state.revision + 1 })
  }

  return {
    begin(upTo) {
      epoch += 1
      after = upTo
      held = []
      if (upTo !== null) more()
    },
    more,
    takeIn() {
      if (held.length > heldMost) return restart()
      const rows = held
      held = []
      if (rows.length > 0) put(rows)
      set({ waiting: 0, waitingAtLeast: false })
      more()
    },
  }
}

/** More than this waiting for a frame (a window in the background has none) is fetched later instead of kept. */
const pendingLimit = 5000
/** Milliseconds between two looks at the newest page while a flood is not pushed as a whole. */
const catchUpEvery = 250
/** Milliseconds between two looks at the count while retention takes rows away. */
const recountEvery = 1000
/** Milliseconds between two looks at the figures of the store. */
const figuresEvery = 250

/**
 * Keeps the live list of deliveries true, also while a log is shown. Without a filter what is pushed goes into it, once a frame; under one, what the engine answers
 * that matches. The pages that are seen are fetched.
 */
export function startFeed(client: Client, visibility: Visibility): void {
  const deliveries = useDeliveries.of(null)
  const { getState: get, setState: set } = deliveries
  let pending: DeliverySummary[] = []
  let stats: StoreStats | null = null
  /** The newest id that was pushed or fetched. */
  let known = 0
  /** Not all that belongs into the list was told: the newest page must be fetched. */
  let gap = false
  const timers = { catchUp: 0, recount: 0, figures: 0 }

  const live = (): boolean => get().atTop && !get().paused
  const watched = (): boolean =>
    visibility.visible() && useShell.getState().page === 'deliveries' && shownScope() === null
  const filtering = (): boolean => queryOf(get()) !== ''

  const pages = createPages(client, {
    log: null,
    deliveries,
    watched,
    onBegun(upTo, rows) {
      known = Math.max(known, upTo)
      noteUnknownTypes(deliveries, rows)
      follow.begin(filtering() ? upTo : null)
      if (gap && !filtering()) catchUp()
    },
    onLost: () => {
      gap = true
    },
  })
  const follow = createFollow(client, { live, watched, restart })

  function restart(): void {
    gap = false
    void pages.restart()
  }

  function apply(): void {
    const rows = pending
    pending = []
    figuresSoon()
    noteUnknownTypes(deliveries, rows)
    if (filtering()) return follow.more()
    const newest = stats?.newestId ?? known
    for (const row of rows) {
      if (row.id > known + 1) gap = true
      known = Math.max(known, row.id)
    }
    if (newest > known) gap = true
    const state = get()
    if (live() && state.phase === 'ready') {
      state.rows.prepend(rows, state.selectedId)
      if (rows.length > 0) set({ revision: state.revision + 1 })
      if (gap) catchUp()
    } else if (rows.length > 0 || gap) {
      // The page that is under way may be older than these rows.
      if (pages.restarting()) gap = true
      // The ids tell the number even when not all were pushed.
      const shown = Math.max(state.rows.idAt(0) ?? 0, state.rows.anchor)
      set({ waiting: Math.max(0, newest - shown) })
    }
  }

  /** Runs at most once in so many milliseconds. */
  function later(name: keyof typeof timers, after: number, run: () => void): void {
    if (timers[name] !== 0) return
    timers[name] = window.setTimeout(() => {
      timers[name] = 0
      run()
    }, after)
  }

  /** At most four times a second: figures are read by people, and redraw bars and counts. */
  const figuresSoon = (): void => later('figures', figuresEvery, () => stats && showStats(stats))
  const catchUp = (): void => later('catchUp', catchUpEvery, () => gap && live() && restart())

  const soon = oncePerFrame(apply)

  client.on('deliveries.arrived', (push) => {
    stats = push.stats
    if (pending.length + push.rows.length > pendingLimit) {
      pending = []
      gap ||= !filtering()
    } else pending.push(...push.rows)
    soon()
  })
  client.on('deliveries.indexed', (push) => {
    stats = push.stats
    figuresSoon()
    if (filtering()) follow.more()
  })
  client.on('deliveries.changed', ({ rows }) => {
    const state = get()
    // What arrived waits for its frame: a mark that comes in the same moment must not be lost with it.
    const fresh = new Map(rows.map((row) => [row.id, row]))
    pending = pending.map((row) => fresh.get(row.id) ?? row)
    pages.changed(rows)
    state.rows.change(rows)
    set({ revision: state.revision + 1 })
    // What is pinned now may match now, or no longer; a list that is being read keeps still.
    const rechecked = rows.some(({ recheck }) => recheck !== undefined)
    if (usesAnnotations(state.filter) || (rechecked && usesVerdict(state.filter))) {
      gap = true
      catchUp()
    }
  })
  client.on('deliveries.removed', (push) => {
    stats = push.stats
    showStats(push.stats)
    if (push.reason !== 'retention') restart()
    else later('recount', recountEvery, () => pages.recount())
  })
  client.onReload(() => {
    known = 0
    restart()
  })
  client.onConnection(({ phase }) => {
    if (phase !== 'connected') return
    if (gap && live()) restart()
    else pages.reconnected()
    follow.more()
  })

  /** Goes on with what rested while nobody looked. */
  function wake(): void {
    if (!watched()) return
    pages.fetchSeen()
    follow.more()
  }
  visibility.onChange(wake)
  useShell.subscribe((state, before) => state.page !== before.page && wake())
  onShownScope(wake)

  deliveries.subscribe((state, before) => {
    if (queryOf(state) !== queryOf(before) || state.asked !== before.asked) {
      follow.begin(null)
      set({ phase: 'loading', stopped: false })
      restart()
      return
    }
    const wasLive = before.atTop && !before.paused
    if (live() && !wasLive) {
      if (gap || (state.waiting > 0 && !filtering())) restart()
      else if (filtering()) follow.takeIn()
    } else if (state.seen !== before.seen || state.stopped !== before.stopped) pages.fetchSeen()
  })
  const followIntegration = (): void => {
    const integrationId = listedIntegration(useAuthorization.getState())
    if (integrationId !== get().integrationId) set({ integrationId })
  }
  followIntegration()
  useAuthorization.subscribe(followIntegration)
  // The first reload comes with the first welcome; stats of the snapshot are the shell's.
  known = useShell.getState().stats.newestId
}
