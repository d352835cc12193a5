import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { readerOf } from './reader-of.ts'

export async function saved({ store }: Context): Promise<CallOutput<'filters.saved'>> {
  return store.reader.call('savedFilters')
}

export async function save(
  context: Context,
  { id, name, filter }: ParsedInput<'filters.save'>,
): Promise<CallOutput<'filters.save'>> {
  const kept = await context.store.writer.call('writeFilter', { id: id ?? null, name, filter })
  await tell(context)
  return kept
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'filters.remove'>,
): Promise<CallOutput<'filters.remove'>> {
  await context.store.writer.call('deleteFilter', id)
  await tell(context)
  return {}
}

export async function suggest(
  context: Context,
  { log, ...input }: ParsedInput<'filters.suggest'>,
): Promise<CallOutput<'filters.suggest'>> {
  const reader = await readerOf(context, log)
  return reader.call('suggest', input)
}

async function tell({ bus, store }: Context): Promise<void> {
  bus.push('filters.changed', await store.reader.call('savedFilters'))
}
