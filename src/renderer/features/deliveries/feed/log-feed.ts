import type { Client } from '../../../platform/client.ts'
import { shownScope } from '../scope/scope.ts'
import { useDeliveries } from '../store.ts'
import { createPages } from './pages.ts'
import { noteUnknownTypes } from './unknown-types.ts'
import type { Visibility } from './visibility.ts'

/** The list of an event log, which never changes: only its pages are fetched. */
export interface LogFeed {
  /** Somebody looks again. */
  wake(): void
  reconnected(): void
  /** Begins anew. */
  restart(): void
  stop(): void
}

export function startLogFeed(client: Client, log: number, visibility: Visibility): LogFeed {
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
