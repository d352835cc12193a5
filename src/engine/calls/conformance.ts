import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function conformance(
  { store }: Context,
  input: ParsedInput<'deliveries.conformance'>,
): Promise<CallOutput<'deliveries.conformance'>> {
  return { types: await store.reader.call('conformance', input) }
}
