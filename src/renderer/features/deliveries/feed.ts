import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import { oncePerFrame } from '../../platform/limit-calls.ts'
import { listedIntegration, useAuthorization } from '../../state/authorization.ts'
import { showStats, useShell } from '../../state/app.ts'
import { createPages, noteUnknownTypes } from './feed/pages.ts'
import { usesVerdict, usesAnnotations } from '../../state/filter.ts'
import { onShownScope, shownScope } from '../../state/scope.ts'
import { queryOf, useDeliveries } from '../../state/deliveries.ts'
import { CallError, sentence } from '#renderer/platform/call-error.ts'

/** Minimum milliseconds between two requests. */
const minInterval = 200
const batchSize = 1000
/** Maximum rows held back while the list is scrolled down. With more, the list reloads when the user returns to the top. */
const maxHeld = 5000

interface FollowOptions {
  /** Whether new rows may be added to the list immediately. */
  readonly live: () => boolean
  /** Whether the list is visible. It is only followed while it is. */
  readonly watched: () => boolean
  /** Reloads the list. */
  readonly restart: () => void
}

/** Fetches new deliveries that match the filter of the live list. Only the engine can evaluate a filter. */
interface Follow {
  /** The list was reloaded and contains all matches up to this ID; null: it is about to reload. */
  begin(upTo: number | null): void
  /** New matches may be available. */
  more(): void
  /** The user is back at the top: adds the held rows to the list. */
  addHeld(): void
}

function createFollow(client: Client, { live, watched, restart }: FollowOptions): Follow {
  const { getState: get, setState: set } = useDeliveries.of(null)
  /** All matches up to this ID are in the list or held; null before the list is loaded. */
  let after: number | null = null
  let held: DeliverySummary[] = []
  /** Incremented with each reload, to ignore responses for an older list. */
  let epoch = 0
  let asking = false
  let resting = false
  let pendingRequest = false

  function more(): void {
    pendingRequest = true
    if (!asking && !resting) void ask()
  }

  async function ask(): Promise<void> {
    if (after === null || held.length > maxHeld || !watched()) return
    pendingRequest = false
    asking = true
    const requestEpoch = epoch
    let full = false
    try {
      const { search } = get()
      const { rows, upTo } = await client.call('deliveries.newer', {
        log: null,
        filter: queryOf(get()),
        after,
        asOf: search.asOf,
        limit: batchSize,
      })
      if (requestEpoch === epoch) {
        full = rows.length === batchSize
        // The response may cover only a part: request the rest.
        if (upTo > after) pendingRequest = true
        after = Math.max(after, upTo)
        take(rows)
      } else pendingRequest = true
    } catch (error) {
      const lost = error instanceof CallError && error.code === 'connection_lost'
      if (requestEpoch === epoch && !lost) set({ phase: 'failed', message: sentence(error) })
    } finally {
      asking = false
    }
    if (full) return more()
    resting = true
    window.setTimeout(() => {
      resting = false
      if (pendingRequest) more()
    }, minInterval)
  }

  function take(rows: readonly DeliverySummary[]): void {
    if (rows.length === 0) return
    if (live()) put(rows)
    else {
      held = [...held, ...rows]
      set({ waiting: held.length, waitingAtLeast: held.length > maxHeld })
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
    addHeld() {
      if (held.length > maxHeld) return restart()
      const rows = held
      held = []
      if (rows.length > 0) put(rows)
      set({ waiting: 0, waitingAtLeast: false })
      more()
    },
  }
}

/** Maximum rows buffered until the next frame. A background window has no frames, so it fetches the rows later instead. */
const pendingLimit = 5000
/** Milliseconds between two fetches of the newest page during a flood, when not all rows are pushed. */
const catchUpEvery = 250
/** Milliseconds between two counts while retention deletes rows. */
const recountEvery = 1000
/** Milliseconds between two updates of the store statistics. */
const statsEvery = 250

/**
 * Keeps the live list up to date, also while a log is shown. Without a filter, pushed rows are added once per frame. With a filter, matching rows are
 * requested from the engine. Visible pages are fetched.
 */
export function startFeed(client: Client, visibility: Visibility): void {
  const deliveries = useDeliveries.of(null)
  const { getState: get, setState: set } = deliveries
  let pending: DeliverySummary[] = []
  let stats: StoreStats | null = null
  /** The newest ID that was pushed or fetched. */
  let known = 0
  /** Some rows were not pushed, so the newest page must be fetched. */
  let gap = false
  const timers = { catchUp: 0, recount: 0, stats: 0 }

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
    updateStatsSoon()
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
      // A page that is being fetched may be older than these rows.
      if (pages.restarting()) gap = true
      // The IDs give the number even if not all rows were pushed.
      const shown = Math.max(state.rows.idAt(0) ?? 0, state.rows.anchor)
      set({ waiting: Math.max(0, newest - shown) })
    }
  }

  /** Throttles `run` to once in `after` milliseconds. */
  function throttle(name: keyof typeof timers, after: number, run: () => void): void {
    if (timers[name] !== 0) return
    timers[name] = window.setTimeout(() => {
      timers[name] = 0
      run()
    }, after)
  }

  /** At most four times a second, since each update re-renders bars and counts. */
  const updateStatsSoon = (): void => throttle('stats', statsEvery, () => stats && showStats(stats))
  const catchUp = (): void => throttle('catchUp', catchUpEvery, () => gap && live() && restart())

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
    updateStatsSoon()
    if (filtering()) follow.more()
  })
  client.on('deliveries.changed', ({ rows }) => {
    const state = get()
    // Also update rows that wait for the next frame, so that the change is not lost.
    const fresh = new Map(rows.map((row) => [row.id, row]))
    pending = pending.map((row) => fresh.get(row.id) ?? row)
    pages.changed(rows)
    state.rows.change(rows)
    set({ revision: state.revision + 1 })
    // A changed row may start or stop matching the filter. The list stays as it is while the user is scrolled down.
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
    else throttle('recount', recountEvery, () => pages.recount())
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

  /** Resumes fetching when the list becomes visible. */
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
      else if (filtering()) follow.addHeld()
    } else if (state.seen !== before.seen || state.stopped !== before.stopped) pages.fetchSeen()
  })
  const followIntegration = (): void => {
    const integrationId = listedIntegration(useAuthorization.getState())
    if (integrationId !== get().integrationId) set({ integrationId })
  }
  followIntegration()
  useAuthorization.subscribe(followIntegration)
  // The connection triggers the first reload. The shell already has the statistics of the snapshot.
  known = useShell.getState().stats.newestId
}

/** Whether the window is visible. */
export interface Visibility {
  visible(): boolean
  onChange(listener: () => void): void
}

export function documentVisibility(document: Document): Visibility {
  return {
    visible: () => document.visibilityState === 'visible',
    onChange: (listener) => document.addEventListener('visibilitychange', listener),
  }
}
