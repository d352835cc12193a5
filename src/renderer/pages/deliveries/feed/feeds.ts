import type { Client } from '#client/client.ts'
import { startFeed, type Visibility } from '../feed.ts'
import { forgetScope, onShownScope, type Scope, shownScope } from '#client/state/scope.ts'
import { listAddress } from '#client/addresses/deliveries.ts'
import { isSameList, useDeliveries } from '#client/state/deliveries.ts'
import { Pages, noteKnown } from './pages.ts'
import { create } from 'zustand'

/** Maximum number of open logs. Opening more closes the least recently shown one. */
export const logsKept = 5

/** Maintains the live list and a list for each open log. */
export function startFeeds(client: Client, visibility: Visibility): void {
  startFeed(client, visibility)
  /** Ordered by when each was last shown, latest last. */
  const logs = new Map<number, LogFeed>()

  function show(scope: Scope): void {
    if (scope !== null) {
      const feed = logs.get(scope) ?? startLogFeed(client, scope, visibility)
      logs.delete(scope)
      logs.set(scope, feed)
      openLog(scope)
      for (const log of [...logs.keys()].slice(0, -logsKept)) closeLog(log)
      feed.wake()
    }
    sweep()
  }

  /** Discards closed logs, except for the one that is shown: its rows must not disappear. */
  function sweep(): void {
    const open = new Set<Scope>(useOpenLogs.getState().ids).add(shownScope())
    for (const [log, feed] of logs) {
      if (open.has(log)) continue
      feed.stop()
      logs.delete(log)
      forgetScope(log)
    }
  }

  show(shownScope())
  onShownScope(show)
  useOpenLogs.subscribe(sweep)
  visibility.onChange(() => logs.forEach((feed) => feed.wake()))
  client.onReload(() => logs.forEach((feed) => feed.restart()))
  client.onConnection(({ phase }) => {
    if (phase === 'connected') logs.forEach((feed) => feed.reconnected())
  })
  client.on('logs.changed', (view) => {
    const existing = new Set(view.logs.map(({ id }) => id))
    for (const log of logs.keys()) if (!existing.has(log)) closeLog(log)
  })
}

type LogFeed = ReturnType<typeof startLogFeed>

/** The list of an event log. A log never changes, so only its pages are fetched. */
function startLogFeed(client: Client, log: number, visibility: Visibility) {
  const deliveries = useDeliveries.of(log)
  const watched = (): boolean => visibility.visible() && shownScope() === log
  const pages = new Pages(client, {
    log,
    deliveries,
    watched,
    onBegun: (_upTo, rows) => noteKnown(deliveries, rows),
    // Retried automatically, since nothing is shown yet.
    onLost: () => undefined,
  })
  const stop = deliveries.subscribe((state, before) => {
    if (!isSameList(state, before)) {
      deliveries.setState({ phase: 'loading', stopped: false })
      void pages.restart()
    } else if (state.seen !== before.seen || state.stopped !== before.stopped) pages.fetchSeen()
  })
  void pages.restart()
  return {
    wake: () => watched() && pages.fetchSeen(),
    reconnected: () => pages.reconnected(),
    restart: () => void pages.restart(),
    stop,
  }
}

/** The open logs in the order they were opened. Each keeps its own state, separate from the live list. */
export const useOpenLogs = create<{ readonly ids: readonly number[] }>(() => ({ ids: [] }))

export function openLog(id: number): void {
  useOpenLogs.setState(({ ids }) => (ids.includes(id) ? {} : { ids: [...ids, id] }))
}

/** Closes the list of a log and discards its state. The log itself stays. */
export function closeLog(id: number): void {
  useOpenLogs.setState(({ ids }) => ({ ids: ids.filter((open) => open !== id) }))
}

/** Closes a log. If it is shown, navigates to the live deliveries. */
export function closeScope(log: number, here: boolean): void {
  closeLog(log)
  if (here) location.assign(listAddress(null))
}
