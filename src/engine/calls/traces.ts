import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'

export async function trace(
  { store }: Context,
  { id }: ParsedInput<'deliveries.trace'>,
): Promise<CallOutput<'deliveries.trace'>> {
  return (await store.reader.call('trace', id)) ?? gone(id)
}

export async function related(
  { store }: Context,
  { id }: ParsedInput<'deliveries.related'>,
): Promise<CallOutput<'deliveries.related'>> {
  return (await store.reader.call('related', id)) ?? gone(id)
}
