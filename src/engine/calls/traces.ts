import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'
import { readerOf } from './reader-of.ts'

export async function trace(
  context: Context,
  { id, log }: ParsedInput<'deliveries.trace'>,
): Promise<CallOutput<'deliveries.trace'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('trace', id)) ?? gone(id)
}

export async function related(
  context: Context,
  { id, log }: ParsedInput<'deliveries.related'>,
): Promise<CallOutput<'deliveries.related'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('related', id)) ?? gone(id)
}
