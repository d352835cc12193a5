import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { readerOf } from './reader-of.ts'

export async function conformance(
  context: Context,
  { log, ...input }: ParsedInput<'deliveries.conformance'>,
): Promise<CallOutput<'deliveries.conformance'>> {
  const reader = await readerOf(context, log)
  return { types: await reader.call('conformance', input) }
}
