import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function timeline(
  { store, clock }: Context,
  input: ParsedInput<'deliveries.timeline'>,
): Promise<CallOutput<'deliveries.timeline'>> {
  return store.reader.call('timeline', { ...input, asOf: input.asOf ?? clock.now() })
}
