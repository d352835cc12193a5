import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { throwDeliveryNotFound, readerOf } from '../deliveries/lookup.ts'
import type { Store } from '../store/store.ts'
import type { Logs } from '../event-logs/service.ts'

/** Dependencies of the calls for traces. */
export interface TracePorts {
  readonly store: Store
  readonly logs: Logs
}

/** The calls for traces, by name. */
export function traceRoutes(ports: TracePorts) {
  return {
    'deliveries.trace': (input: ParsedInput<'deliveries.trace'>) => trace(ports, input),
    'deliveries.related': (input: ParsedInput<'deliveries.related'>) => related(ports, input),
  } satisfies Partial<Handlers>
}

async function trace(
  context: TracePorts,
  { id, log }: ParsedInput<'deliveries.trace'>,
): Promise<CallOutput<'deliveries.trace'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('trace', id)) ?? throwDeliveryNotFound(id)
}

async function related(
  context: TracePorts,
  { id, log }: ParsedInput<'deliveries.related'>,
): Promise<CallOutput<'deliveries.related'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('related', id)) ?? throwDeliveryNotFound(id)
}
