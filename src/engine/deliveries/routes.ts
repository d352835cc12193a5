import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { throwDeliveryNotFound, readerOf } from './lookup.ts'
import { idsOf } from '../sending/jobs/ids-for-job.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { Logs } from '../event-logs/service.ts'
import type { StoreStats } from '#contract/models.ts'

/** Dependencies of the calls for deliveries. */
export interface DeliveryPorts {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly logs: Logs
  stats: StoreStats
}

/** The calls for deliveries, by name. */
export function deliveryRoutes(ports: DeliveryPorts) {
  return {
    'deliveries.since': (input: ParsedInput<'deliveries.since'>) => since(ports, input),
    'deliveries.stored': (input: ParsedInput<'deliveries.stored'>) => stored(ports, input),
    'deliveries.get': (input: ParsedInput<'deliveries.get'>) => get(ports, input),
    'deliveries.body': (input: ParsedInput<'deliveries.body'>) => body(ports, input),
    'deliveries.signature': (input: ParsedInput<'deliveries.signature'>) => signature(ports, input),
    'deliveries.annotate': (input: ParsedInput<'deliveries.annotate'>) => annotate(ports, input),
    'deliveries.pin': (input: ParsedInput<'deliveries.pin'>) => pin(ports, input),
    'deliveries.mark': (input: ParsedInput<'deliveries.mark'>) => mark(ports, input),
    'deliveries.delete': (input: ParsedInput<'deliveries.delete'>) => remove(ports, input),
    'deliveries.clear': () => clear(ports),
  } satisfies Partial<Handlers>
}

async function since(
  { store }: DeliveryPorts,
  input: ParsedInput<'deliveries.since'>,
): Promise<CallOutput<'deliveries.since'>> {
  return store.reader.call('since', input)
}

async function stored(
  { store }: DeliveryPorts,
  { maxBehind = Number.POSITIVE_INFINITY }: ParsedInput<'deliveries.stored'>,
): Promise<CallOutput<'deliveries.stored'>> {
  const { lastId, storedId } = store.progress
  const waits = lastId - storedId <= maxBehind
  if (waits) await store.writer.call('level')
  const stats = await store.reader.call('stats')
  return { ...stats, behind: waits ? 0 : Math.max(0, lastId - stats.newestId) }
}

async function get(
  context: DeliveryPorts,
  { id, log }: ParsedInput<'deliveries.get'>,
): Promise<CallOutput<'deliveries.get'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
}

async function body(
  context: DeliveryPorts,
  { log, ...input }: ParsedInput<'deliveries.body'>,
): Promise<CallOutput<'deliveries.body'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('body', input)) ?? throwDeliveryNotFound(input.id)
}

async function signature(
  context: DeliveryPorts,
  { id, log }: ParsedInput<'deliveries.signature'>,
): Promise<CallOutput<'deliveries.signature'>> {
  const reader = await readerOf(context, log)
  // Endpoints in a log belong to whoever wrote it. Ours are unrelated, even if their IDs are equal.
  if (log !== null) return (await reader.call('loggedSignature', id)) ?? throwDeliveryNotFound(id)
  const delivery = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  const secrets = context.registry.secretsOf(delivery.endpointId)
  return (await reader.call('signature', { id, secrets })) ?? throwDeliveryNotFound(id)
}

async function pin(
  { store, bus }: DeliveryPorts,
  input: ParsedInput<'deliveries.pin'>,
): Promise<CallOutput<'deliveries.pin'>> {
  const row = (await store.writer.call('pin', input)) ?? throwDeliveryNotFound(input.id)
  bus.push('deliveries.changed', { rows: [row] })
  return {}
}

async function clear(context: DeliveryPorts): Promise<CallOutput<'deliveries.clear'>> {
  const { deleted, stats } = await context.store.writer.call('clear')
  context.stats = stats
  context.bus.push('deliveries.removed', { reason: 'cleared', stats })
  return { deleted }
}

/** Number of deliveries sent to the writer in one call: few enough that it soon continues with new deliveries. */
const batchSize = 64

/** Pins, unpins or tags several deliveries. */
async function mark(
  context: DeliveryPorts,
  { pinned, tag, ...which }: ParsedInput<'deliveries.mark'>,
): Promise<CallOutput<'deliveries.mark'>> {
  const total = { changed: 0, full: 0 }
  for (const ids of chunks(await idsOf(context, which))) {
    const { rows, full } = await context.store.writer.call('mark', { ids, pinned, tag })
    if (rows.length > 0) context.bus.push('deliveries.changed', { rows })
    total.changed += rows.length
    total.full += full
  }
  return total
}

/** Deletes several deliveries. */
async function remove(
  context: DeliveryPorts,
  which: ParsedInput<'deliveries.delete'>,
): Promise<CallOutput<'deliveries.delete'>> {
  let total = 0
  for (const ids of chunks(await idsOf(context, which))) {
    const { deleted, stats } = await context.store.writer.call('deleteDeliveries', ids)
    context.stats = stats
    total += deleted
  }
  if (total > 0) {
    context.bus.push('deliveries.removed', { reason: 'deleted', stats: context.stats })
  }
  return { deleted: total }
}

function chunks(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  )
}

async function annotate(
  { store, bus }: DeliveryPorts,
  input: ParsedInput<'deliveries.annotate'>,
): Promise<CallOutput<'deliveries.annotate'>> {
  const row = await store.writer.call('annotate', input)
  bus.push('deliveries.changed', { rows: [row] })
  return row
}
