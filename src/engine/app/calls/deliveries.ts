import type { Context } from '../context.ts'
import { routes } from '../../platform/routes.ts'
import { throwDeliveryNotFound } from '../../deliveries/store.ts'
import { readerOf } from '../../event-logs/service.ts'
import { idsOf } from '../../sending/jobs/ids-for-job.ts'
import { currentBrand } from '../../diagnosis/background-diagnosis.ts'

export const deliveryRoutes = routes<Context>()({
  'deliveries.since': ({ store }, input) => store.reader.call('since', input),

  'deliveries.stored': async ({ store, capture }) => {
    await capture.drained()
    return store.reader.call('stats')
  },

  'deliveries.get': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  },

  'deliveries.body': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return (await reader.call('body', input)) ?? throwDeliveryNotFound(input.id)
  },

  'deliveries.values': async (context, { log, ...input }) => {
    const reader = await readerOf(context, log)
    return reader.call('bodyValues', input)
  },

  'deliveries.signature': async (context, { id, log }) => {
    const reader = await readerOf(context, log)
    // Endpoints in a log belong to whoever wrote it. Ours are unrelated, even if their IDs are equal.
    if (log !== null) return (await reader.call('loggedSignature', id)) ?? throwDeliveryNotFound(id)
    const delivery = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
    const secrets = context.registry.secretsOf(delivery.endpointId)
    const brand = currentBrand(context, delivery.endpointId)
    return (await reader.call('signature', { id, secrets, brand })) ?? throwDeliveryNotFound(id)
  },

  'deliveries.annotate': async ({ store, bus }, input) => {
    await store.writer.call('annotate', input)
    const [row = throwDeliveryNotFound(input.id)] = await store.reader.call('rows', [input.id])
    bus.push('deliveries.changed', { rows: [row] })
    return row
  },

  'deliveries.mark': async (context, { pinned, tag, ...which }) => {
    const total = { changed: 0, full: 0 }
    for (const ids of chunks(await idsOf(context, which))) {
      const { changed, full } = await context.store.writer.call('mark', { ids, pinned, tag })
      if (changed.length > 0) {
        const rows = await context.store.reader.call('rows', changed)
        context.bus.push('deliveries.changed', { rows })
      }
      total.changed += changed.length
      total.full += full
    }
    return total
  },

  'deliveries.delete': async (context, which) => {
    let total = 0
    for (const ids of chunks(await idsOf(context, which))) {
      const { deleted, stats } = await context.store.writer.call('deleteDeliveries', ids)
      context.stats = { ...context.stats, ...stats }
      total += deleted
    }
    if (total > 0) {
      context.bus.push('deliveries.removed', { reason: 'deleted', stats: context.stats })
    }
    return { deleted: total }
  },

  'deliveries.clear': async (context) => {
    const { deleted, stats } = await context.store.writer.call('clear')
    context.stats = { ...context.stats, ...stats }
    context.bus.push('deliveries.removed', { reason: 'cleared', stats: context.stats })
    return { deleted }
  },
})

const batchSize = 64

function chunks(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  )
}
