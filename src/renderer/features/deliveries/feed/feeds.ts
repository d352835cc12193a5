import type { Client } from '../../../platform/client.ts'
import { startFeed } from '../feed.ts'
import { closeLog, openLog, useOpenLogs } from '../scope/open-logs.ts'
import { forgetScope, onShownScope, type Scope, shownScope } from '../../../state/scope.ts'
import type { Visibility } from './visibility.ts'
import { useDeliveries } from '../../../state/deliveries.ts'
import { createPages } from './pages.ts'
import { noteUnknownTypes } from './unknown-types.ts'

/** So many logs are kept as they were left; of more, the one that was not shown for the longest is closed. */
export const logsKept = 5

/** Keeps the live list, and a list for each log that is open. */
export function startFeeds(client: Client, visibility: Visibility): void {
  startFeed(client, visibility)
  /** Shown last, last. */
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

  /** Lets go of what was closed. What is shown stays until another is: it must not lose its rows under one's eyes. */
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
    const there = new Set(view.logs.map(({ id }) => id))
    for (const log of logs.keys()) if (!there.has(log)) closeLog(log)
  })
}

/** The list of an event log, which never changes: only its pages are fetched. */
interface LogFeed {
  /** Somebody looks again. */
  wake(): void
  reconnected(): void
  /** Begins anew. */
  restart(): void
  stop(): void
}

function startLogFeed(client: Client, log: number, visibility: Visibility): LogFeed {
  const deliveries = useDeliveries.of(log)
  const watched = (): boolean => visibility.visible() && shownScope() === log
  const pages = createPages(client, {
    log,
    deliveries,
    watched,
    onBegun: (_upTo, rows) => noteUnknownTypes(deliveries, rows),
    // It is asked again by itself, since nothing of it is shown yet.
    onLost: () => undefined,
  })
  const stop = deliveries.subscribe((state, before) => {
    if (state.filter !== before.filter || state.asked !== before.asked) {
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
