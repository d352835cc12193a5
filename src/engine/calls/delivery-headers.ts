import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'

/** The header breakdown, against the endpoint's settings of now. Throws `not_found`. */
export async function headers(
  { store, registry }: Context,
  { id }: ParsedInput<'deliveries.headers'>,
): Promise<CallOutput<'deliveries.headers'>> {
  const { endpointId } = (await store.reader.call('get', id)) ?? gone(id)
  const settings = endpointId === null ? null : registry.settingsOf(endpointId)
  return (await store.reader.call('headerChecks', { id, settings })) ?? gone(id)
}
