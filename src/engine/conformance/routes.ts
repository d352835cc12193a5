import { routes } from '../platform/routes.ts'
import { throwDeliveryNotFound } from '../deliveries/lookup.ts'
import { readerOf } from '../store/reader-of.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Store } from '../store/store.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { Logs } from '../event-logs/service.ts'

export interface ConformancePorts {
  readonly bus: Bus
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly logs: Logs
}

export const conformanceRoutes = routes<ConformancePorts>()({
  /** Compares with the endpoint's current settings. Throws `not_found`. */
  'deliveries.headers': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    const { endpointId } = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    const ours = log === null ? endpointId : null
    const settings = ours === null ? null : context.registry.settingsOf(ours)
    return (await reader.call('headerChecks', { id, settings })) ?? throwDeliveryNotFound(id)
  },

  'deliveries.conformance': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return { types: await reader.call('conformance', input) }
  },

  'deliveries.fields': async (context, { log }) =>
    (await readerOf(context, log)).call('payloadFields'),

  'deliveries.dismissNotices': async ({ store, bus }) => {
    await store.writer.call('dismissNotices')
    bus.push('deliveries.observed', {})
    return {}
  },
})
