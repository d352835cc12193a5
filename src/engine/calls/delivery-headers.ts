import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'
import { readerOf } from './reader-of.ts'

/** The header breakdown, against the endpoint's settings of now. Throws `not_found`. */
export async function headers(
  context: Context,
  { id, log }: ParsedInput<'deliveries.headers'>,
): Promise<CallOutput<'deliveries.headers'>> {
  const reader = await readerOf(context, log)
  const { endpointId } = (await reader.call('get', id)) ?? gone(id)
  const ours = log === null ? endpointId : null
  const settings = ours === null ? null : context.registry.settingsOf(ours)
  return (await reader.call('headerChecks', { id, settings })) ?? gone(id)
}
