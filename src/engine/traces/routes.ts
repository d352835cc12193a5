import { throwDeliveryNotFound } from '../deliveries/lookup.ts'
import { readerOf } from '../store/reader-of.ts'
import { routes } from '../platform/routes.ts'
import type { Store } from '../store/store.ts'
import type { Logs } from '../event-logs/service.ts'

export interface TracePorts {
  readonly store: Store
  readonly logs: Logs
}

export const traceRoutes = routes<TracePorts>()({
  'deliveries.trace': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('trace', id)) ?? throwDeliveryNotFound(id)
  },

  'deliveries.related': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('related', id)) ?? throwDeliveryNotFound(id)
  },
})
