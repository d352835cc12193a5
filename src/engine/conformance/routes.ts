import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import { readerOf, throwDeliveryNotFound } from '../deliveries/lookup.ts'
import type { Store } from '../store/store.ts'
import type { EndpointRegistry } from '../endpoints/registry.ts'
import type { Logs } from '../event-logs/service.ts'

/** Dependencies of the calls for findings and headers. */
export interface ConformancePorts {
  readonly store: Store
  readonly registry: EndpointRegistry
  readonly logs: Logs
}

/** The calls for findings and headers, by name. */
export function conformanceRoutes(ports: ConformancePorts) {
  return {
    'deliveries.headers': (input: ParsedInput<'deliveries.headers'>) => headers(ports, input),
    'deliveries.conformance': (input: ParsedInput<'deliveries.conformance'>) =>
      conformance(ports, input),
  } satisfies Partial<Handlers>
}

async function conformance(
  context: ConformancePorts,
  { log, ...input }: ParsedInput<'deliveries.conformance'>,
): Promise<CallOutput<'deliveries.conformance'>> {
  const reader = await readerOf(context, log)
  return { types: await reader.call('conformance', input) }
}

/** Returns the header breakdown, compared with the endpoint's current settings. Throws `not_found`. */
async function headers(
  context: ConformancePorts,
  { id, log }: ParsedInput<'deliveries.headers'>,
): Promise<CallOutput<'deliveries.headers'>> {
  const reader = await readerOf(context, log)
  const { endpointId } = (await reader.call('get', id)) ?? throwDeliveryNotFound(id)
  const ours = log === null ? endpointId : null
  const settings = ours === null ? null : context.registry.settingsOf(ours)
  return (await reader.call('headerChecks', { id, settings })) ?? throwDeliveryNotFound(id)
}
