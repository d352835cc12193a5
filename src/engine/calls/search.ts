import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { readerOf } from './reader-of.ts'

export async function page(
  context: Context,
  { log, ...input }: ParsedInput<'deliveries.page'>,
): Promise<CallOutput<'deliveries.page'>> {
  const reader = await readerOf(context, log)
  const asOf = input.asOf ?? context.clock.now()
  return { ...(await reader.call('page', { ...input, asOf })), asOf }
}

export async function newer(
  context: Context,
  { log, ...input }: ParsedInput<'deliveries.newer'>,
): Promise<CallOutput<'deliveries.newer'>> {
  const reader = await readerOf(context, log)
  return reader.call('newer', { ...input, asOf: input.asOf ?? context.clock.now() })
}
