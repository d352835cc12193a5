import type { DeliverySummary, StoreStats } from '#contract/models.ts'
import { type Client, CallError } from '#client/client.ts'
import { filterAddress } from '#client/addresses/deliveries.ts'
import { oncePerFrame } from '#client/limit-calls.ts'
import { listedIntegration, useAuthorization } from '#client/state/authorization.ts'
import { showStats, useShell } from '#client/state/app.ts'
import { Pages, noteKnown } from './feed/pages.ts'
import { usesVerdict, usesAnnotations } from '#client/state/filter.ts'
import { onShownScope, shownScope } from '#client/state/scope.ts'
import {
  type DeliveriesState,
  isLive,
  isSameList,
  queryOf,
  useDeliveries,
} from '#client/state/deliveries.ts'
import { messageOf } from '#kit/use-action.ts'

const live = useDeliveries.of(null)
const minInterval = 200
const batchSize = 1000
/** Maximum rows held back while the list is scrolled down. With more, the list reloads when the user returns to the top. */
const maxHeld = 5000

interface FollowOptions {
  readonly live: () => boolean
  /** Whether the list is visible. It is only followed while it is. */
  readonly watched: () => boolean
  /** Reloads the list. */
  readonly restart: () => void
}

class Follow {
  readonly #client: Client
  readonly #options: FollowOptions
  #after: number | null = null
  #held: DeliverySummary[] = []
  /** Incremented with each reload, to ignore responses for an older list. */
  #epoch = 0
  #asking = false
  #resting = false
  #pendingRequest = false

  constructor(client: Client, options: FollowOptions) {
    this.#client = client
    this.#options = options
  }

  /** The list was reloaded and contains all matches up to this ID; null: it is about to reload. */
  begin(upTo: number | null): void {
    this.#epoch += 1
    this.#after = upTo
    this.#held = []
    if (upTo !== null) this.more()
  }

  /** New matches may be available. */
  more(): void {
    this.#pendingRequest = true
    if (!this.#asking && !this.#resting) void this.#ask()
  }

  /** The user is back at the top: adds the held rows to the list. */
  addHeld(): void {
    if (this.#held.length > maxHeld) return this.#options.restart()
    const rows = this.#held
    this.#held = []
    if (rows.length > 0) this.#put(rows)
    live.setState({ waiting: 0, waitingAtLeast: false })
    this.more()
  }

  async #ask(): Promise<void> {
    const after = this.#after
    if (after === null || this.#held.length > maxHeld || !this.#options.watched()) return
    this.#pendingRequest = false
    this.#asking = true
    const requestEpoch = this.#epoch
    let full = false
    try {
      const { search } = live.getState()
      const { rows, upTo } = await this.#client.call('deliveries.newer', {
        log: null,
        filter: queryOf(live.getState()),
        after,
        asOf: search.asOf,
        limit: batchSize,
      })
      if (requestEpoch === this.#epoch) {
        full = rows.length === batchSize
        // The response may cover only a part: request the rest.
        if (upTo > after) this.#pendingRequest = true
        this.#after = Math.max(after, upTo)
        this.#take(rows)
      } else this.#pendingRequest = true
    } catch (error) {
      const lost = error instanceof CallError && error.code === 'connection_lost'
      if (requestEpoch === this.#epoch && !lost) {
        live.setState({ phase: 'failed', message: messageOf(error) })
      }
    } finally {
      this.#asking = false
    }
    if (full) return this.more()
    this.#resting = true
    window.setTimeout(() => {
      this.#resting = false
      if (this.#pendingRequest) this.more()
    }, minInterval)
  }

  #take(rows: readonly DeliverySummary[]): void {
    if (rows.length === 0) return
    if (this.#options.live()) this.#put(rows)
    else {
      this.#held = [...this.#held, ...rows]
      live.setState({ waiting: this.#held.length, waitingAtLeast: this.#held.length > maxHeld })
    }
  }

  #put(rows: readonly DeliverySummary[]): void {
    const state = live.getState()
    state.rows.prepend(rows, state.selectedId)
    live.setState({ revision: state.revision + 1 })
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
  new LiveFeed(client, visibility).start()
}

class LiveFeed {
  readonly #client: Client
  readonly #visibility: Visibility
  readonly #pages: Pages
  readonly #follow: Follow
  readonly #applySoon = oncePerFrame(() => this.#apply())
  readonly #timers = { catchUp: 0, recount: 0, stats: 0 }
  #pending: DeliverySummary[] = []
  #stats: StoreStats | null = null
  #known = 0
  #gap = false

  constructor(client: Client, visibility: Visibility) {
    this.#client = client
    this.#visibility = visibility
    const watched = (): boolean => this.#watched()
    this.#follow = new Follow(client, {
      live: isListLive,
      watched,
      restart: () => this.#restart(),
    })
    this.#pages = new Pages(client, {
      log: null,
      deliveries: live,
      watched,
      onBegun: (upTo, rows) => {
        this.#known = Math.max(this.#known, upTo)
        noteKnown(live, rows)
        this.#follow.begin(isFiltering() ? upTo : null)
        if (this.#gap && !isFiltering()) this.#catchUp()
      },
      onLost: () => {
        this.#gap = true
      },
    })
  }

  start(): void {
    this.#followPushes()
    this.#followConnection()
    const wake = (): void => this.#wake()
    this.#visibility.onChange(wake)
    useShell.subscribe((state, before) => state.tab !== before.tab && wake())
    onShownScope(wake)
    live.subscribe((state, before) => this.#onChange(state, before))
    followIntegration()
    useAuthorization.subscribe(followIntegration)
    // The connection triggers the first reload. The shell already has the statistics of the snapshot.
    this.#known = useShell.getState().stats.newestId
  }

  #followPushes(): void {
    this.#client.on('deliveries.arrived', (push) => {
      this.#stats = push.stats
      if (this.#pending.length + push.rows.length > pendingLimit) {
        this.#pending = []
        this.#gap ||= !isFiltering()
      } else this.#pending.push(...push.rows)
      this.#applySoon()
    })
    this.#client.on('deliveries.indexed', (push) => {
      this.#stats = push.stats
      this.#updateStatsSoon()
      if (isFiltering()) this.#follow.more()
    })
    this.#client.on('deliveries.changed', ({ rows }) => this.#change(rows))
    this.#client.on('deliveries.removed', (push) => {
      this.#stats = push.stats
      showStats(push.stats)
      if (push.reason !== 'retention') this.#restart()
      else this.#throttle('recount', recountEvery, () => this.#pages.recount())
    })
  }

  #followConnection(): void {
    this.#client.onReload(() => {
      this.#known = 0
      this.#restart()
    })
    this.#client.onConnection(({ phase }) => {
      if (phase !== 'connected') return
      if (this.#gap && isListLive()) this.#restart()
      else this.#pages.reconnected()
      this.#follow.more()
    })
  }

  #watched(): boolean {
    const onPage = useShell.getState().tab === filterAddress('') && shownScope() === null
    return onPage && this.#visibility.visible()
  }

  #restart(): void {
    this.#gap = false
    void this.#pages.restart()
  }

  #apply(): void {
    const rows = this.#pending
    this.#pending = []
    this.#updateStatsSoon()
    noteKnown(live, rows)
    if (isFiltering()) return this.#follow.more()
    const newest = this.#stats?.newestId ?? this.#known
    for (const row of rows) {
      if (row.id > this.#known + 1) this.#gap = true
      this.#known = Math.max(this.#known, row.id)
    }
    if (newest > this.#known) this.#gap = true
    const state = live.getState()
    if (isListLive() && state.phase === 'ready') {
      state.rows.prepend(rows, state.selectedId)
      if (rows.length > 0) live.setState({ revision: state.revision + 1 })
      if (this.#gap) this.#catchUp()
    } else if (rows.length > 0 || this.#gap) {
      // A page that is being fetched may be older than these rows.
      if (this.#pages.restarting()) this.#gap = true
      // The IDs give the number even if not all rows were pushed.
      live.setState({ waiting: Math.max(0, newest - state.rows.newest) })
    }
  }

  #change(rows: readonly DeliverySummary[]): void {
    const state = live.getState()
    // Also update rows that wait for the next frame, so that the change is not lost.
    const fresh = new Map(rows.map((row) => [row.id, row]))
    this.#pending = this.#pending.map((row) => fresh.get(row.id) ?? row)
    this.#pages.changed(rows)
    state.rows.change(rows)
    live.setState({ revision: state.revision + 1 })
    // A changed row may start or stop matching the filter. The list stays as it is while the user is scrolled down.
    const rechecked = rows.some(({ recheck }) => recheck !== undefined)
    if (usesAnnotations(state.filter) || (rechecked && usesVerdict(state.filter))) {
      this.#gap = true
      // What a user changes is shown at once, also with a selected row.
      this.#throttle('catchUp', catchUpEvery, () => {
        const { atTop, paused } = live.getState()
        if (this.#gap && atTop && !paused) this.#restart()
      })
    }
  }

  #onChange(state: DeliveriesState, before: DeliveriesState): void {
    if (!isSameList(state, before)) {
      this.#follow.begin(null)
      live.setState({ phase: 'loading', stopped: false })
      this.#restart()
      return
    }
    const wasLive = isLive(before)
    if (isLive(state) && !wasLive) {
      if (this.#gap || (state.waiting > 0 && !isFiltering())) this.#restart()
      else if (isFiltering()) this.#follow.addHeld()
    } else if (state.seen !== before.seen || state.stopped !== before.stopped) {
      this.#pages.fetchSeen()
    }
  }

  #wake(): void {
    if (!this.#watched()) return
    this.#pages.fetchSeen()
    this.#follow.more()
  }

  /** At most four times a second, since each update re-renders bars and counts. */
  #updateStatsSoon(): void {
    this.#throttle('stats', statsEvery, () => this.#stats && showStats(this.#stats))
  }

  #catchUp(): void {
    this.#throttle('catchUp', catchUpEvery, () => this.#gap && isListLive() && this.#restart())
  }

  #throttle(name: 'catchUp' | 'recount' | 'stats', after: number, run: () => void): void {
    if (this.#timers[name] !== 0) return
    this.#timers[name] = window.setTimeout(() => {
      this.#timers[name] = 0
      run()
    }, after)
  }
}

function isListLive(): boolean {
  return isLive(live.getState())
}

function isFiltering(): boolean {
  return queryOf(live.getState()) !== ''
}

function followIntegration(): void {
  const integrationId = listedIntegration(useAuthorization.getState())
  if (integrationId !== live.getState().integrationId) live.setState({ integrationId })
}

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
