import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function set(
  context: Context,
  { endpointId, rules }: ParsedInput<'responses.set'>,
): Promise<CallOutput<'responses.set'>> {
  context.registry.stored(endpointId)
  const stored = await context.store.writer.call('writeResponses', { endpointId, rules })
  context.answering.putResponses(endpointId, stored)
  await tell(context)
  return stored
}

export async function off(
  context: Context,
  { endpointId }: ParsedInput<'responses.off'>,
): Promise<CallOutput<'responses.off'>> {
  const { answering, store } = context
  if (endpointId !== undefined) context.registry.stored(endpointId)
  await store.writer.call('switchResponsesOff', endpointId ?? null)
  answering.switchOff(endpointId ?? null)
  await tell(context)
  return answering.responses.filter((rule) => (endpointId ?? rule.endpointId) === rule.endpointId)
}

async function tell(context: Context): Promise<void> {
  await context.configureThreads()
  context.bus.push('responses.changed', [...context.answering.responses])
}
