import { routes } from '../platform/routes.ts'
import { readerOf } from '../store/reader-of.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { Logs } from '../event-logs/service.ts'

export interface SearchPorts {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly logs: Logs
}

export const searchRoutes = routes<SearchPorts>()({
  'deliveries.page': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    const asOf = input.asOf ?? context.clock.now()
    return { ...(await reader.call('page', { ...input, asOf })), asOf }
  },

  'deliveries.newer': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('newer', { ...input, asOf: input.asOf ?? context.clock.now() })
  },

  'deliveries.groups': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('groups', { ...input, asOf: input.asOf ?? context.clock.now() })
  },

  'filters.saved': ({ store }) => store.reader.call('savedFilters'),

  'filters.save': async (context, { id = null, ...view }) => {
    const saved = await context.store.writer.call('writeFilter', { id, ...view })
    await pushFilters(context)
    return saved
  },

  'filters.remove': async (context, { id }) => {
    await context.store.writer.call('deleteFilter', id)
    await pushFilters(context)
    return {}
  },

  'filters.suggest': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('suggest', input)
  },
})

async function pushFilters({ bus, store }: SearchPorts): Promise<void> {
  bus.push('filters.changed', await store.reader.call('savedFilters'))
}
