import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function page(
  { store, clock }: Context,
  input: ParsedInput<'deliveries.page'>,
): Promise<CallOutput<'deliveries.page'>> {
  const asOf = input.asOf ?? clock.now()
  return { ...(await store.reader.call('page', { ...input, asOf })), asOf }
}

export async function newer(
  { store, clock }: Context,
  input: ParsedInput<'deliveries.newer'>,
): Promise<CallOutput<'deliveries.newer'>> {
  return store.reader.call('newer', { ...input, asOf: input.asOf ?? clock.now() })
}
