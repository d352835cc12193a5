import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function annotate(
  { store, bus }: Context,
  input: ParsedInput<'deliveries.annotate'>,
): Promise<CallOutput<'deliveries.annotate'>> {
  const row = await store.writer.call('annotate', input)
  bus.push('deliveries.changed', { rows: [row] })
  return row
}
