import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { gone } from './gone.ts'
import { readerOf } from './reader-of.ts'

export async function since(
  { store }: Context,
  input: ParsedInput<'deliveries.since'>,
): Promise<CallOutput<'deliveries.since'>> {
  return store.reader.call('since', input)
}

export async function stored({ store }: Context): Promise<CallOutput<'deliveries.stored'>> {
  await store.writer.call('level')
  return { ...(await store.reader.call('stats')), behind: 0 }
}

export async function get(
  context: Context,
  { id, log }: ParsedInput<'deliveries.get'>,
): Promise<CallOutput<'deliveries.get'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('get', id)) ?? gone(id)
}

export async function body(
  context: Context,
  { log, ...input }: ParsedInput<'deliveries.body'>,
): Promise<CallOutput<'deliveries.body'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('body', input)) ?? gone(input.id)
}

export async function signature(
  context: Context,
  { id, log }: ParsedInput<'deliveries.signature'>,
): Promise<CallOutput<'deliveries.signature'>> {
  const reader = await readerOf(context, log)
  // A log's endpoints are those of whoever wrote it: ours have nothing to do with them, whatever their numbers.
  if (log !== null) return (await reader.call('loggedSignature', id)) ?? gone(id)
  const delivery = (await reader.call('get', id)) ?? gone(id)
  const secrets = context.registry.secretsOf(delivery.endpointId)
  return (await reader.call('signature', { id, secrets })) ?? gone(id)
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
