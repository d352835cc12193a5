import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { readerOf } from './reader-of.ts'

export async function timeline(
  context: Context,
  { log, ...input }: ParsedInput<'deliveries.timeline'>,
): Promise<CallOutput<'deliveries.timeline'>> {
  const reader = await readerOf(context, log)
  return reader.call('timeline', { ...input, asOf: input.asOf ?? context.clock.now() })
}
