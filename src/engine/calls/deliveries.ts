import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'

export async function since(
  { store }: Context,
  input: ParsedInput<'deliveries.since'>,
): Promise<CallOutput<'deliveries.since'>> {
  return store.reader.call('since', input)
}

export async function get(
  { store }: Context,
  { id }: ParsedInput<'deliveries.get'>,
): Promise<CallOutput<'deliveries.get'>> {
  return (await store.reader.call('get', id)) ?? gone(id)
}

export async function body(
  { store }: Context,
  input: ParsedInput<'deliveries.body'>,
): Promise<CallOutput<'deliveries.body'>> {
  return (await store.reader.call('body', input)) ?? gone(input.id)
}

export async function signature(
  { store, registry }: Context,
  { id }: ParsedInput<'deliveries.signature'>,
): Promise<CallOutput<'deliveries.signature'>> {
  const delivery = (await store.reader.call('get', id)) ?? gone(id)
  const secrets = registry.secretsOf(delivery.endpointId)
  return (await store.reader.call('signature', { id, secrets })) ?? gone(id)
}

export async function pin(
  { store, bus }: Context,
  input: ParsedInput<'deliveries.pin'>,
): Promise<CallOutput<'deliveries.pin'>> {
  const row = (await store.writer.call('pin', input)) ?? gone(input.id)
  bus.push('deliveries.changed', { rows: [row] })
  return {}
}

export async function clear(context: Context): Promise<CallOutput<'deliveries.clear'>> {
  const { deleted, stats } = await context.store.writer.call('clear')
  context.stats = stats
  context.bus.push('deliveries.removed', { reason: 'cleared', stats })
  return { deleted }
}
