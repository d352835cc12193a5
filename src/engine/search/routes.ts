import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { readerOf } from '../deliveries/lookup.ts'
import type { Bus } from '../platform/event-bus.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import type { Logs } from '../event-logs/service.ts'

/** What the calls for lists, filters and the timeline need. */
export interface SearchPorts {
  readonly bus: Bus
  readonly clock: Clock
  readonly store: Store
  readonly logs: Logs
}

/** The calls for lists, filters and the timeline, by name. */
export function searchRoutes(ports: SearchPorts) {
  return {
    'deliveries.page': (input: ParsedInput<'deliveries.page'>) => page(ports, input),
    'deliveries.newer': (input: ParsedInput<'deliveries.newer'>) => newer(ports, input),
    'deliveries.timeline': (input: ParsedInput<'deliveries.timeline'>) => timeline(ports, input),
    'filters.saved': () => savedFilters(ports),
    'filters.save': (input: ParsedInput<'filters.save'>) => save(ports, input),
    'filters.remove': (input: ParsedInput<'filters.remove'>) => remove(ports, input),
    'filters.suggest': (input: ParsedInput<'filters.suggest'>) => suggest(ports, input),
  } satisfies Partial<Handlers>
}

async function page(
  context: SearchPorts,
  { log, ...input }: ParsedInput<'deliveries.page'>,
): Promise<CallOutput<'deliveries.page'>> {
  const reader = await readerOf(context, log)
  const asOf = input.asOf ?? context.clock.now()
  return { ...(await reader.call('page', { ...input, asOf })), asOf }
}

async function newer(
  context: SearchPorts,
  { log, ...input }: ParsedInput<'deliveries.newer'>,
): Promise<CallOutput<'deliveries.newer'>> {
  const reader = await readerOf(context, log)
  return reader.call('newer', { ...input, asOf: input.asOf ?? context.clock.now() })
}

async function timeline(
  context: SearchPorts,
  { log, ...input }: ParsedInput<'deliveries.timeline'>,
): Promise<CallOutput<'deliveries.timeline'>> {
  const reader = await readerOf(context, log)
  return reader.call('timeline', { ...input, asOf: input.asOf ?? context.clock.now() })
}

async function savedFilters({ store }: SearchPorts): Promise<CallOutput<'filters.saved'>> {
  return store.reader.call('savedFilters')
}

async function save(
  context: SearchPorts,
  { id, name, filter }: ParsedInput<'filters.save'>,
): Promise<CallOutput<'filters.save'>> {
  const saved = await context.store.writer.call('writeFilter', { id: id ?? null, name, filter })
  await pushFilters(context)
  return saved
}

async function remove(
  context: SearchPorts,
  { id }: ParsedInput<'filters.remove'>,
): Promise<CallOutput<'filters.remove'>> {
  await context.store.writer.call('deleteFilter', id)
  await pushFilters(context)
  return {}
}

async function suggest(
  context: SearchPorts,
  { log, ...input }: ParsedInput<'filters.suggest'>,
): Promise<CallOutput<'filters.suggest'>> {
  const reader = await readerOf(context, log)
  return reader.call('suggest', input)
}

async function pushFilters({ bus, store }: SearchPorts): Promise<void> {
  bus.push('filters.changed', await store.reader.call('savedFilters'))
}
