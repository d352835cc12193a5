import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Header } from '#contract/models.ts'
import { isHeader } from '../capture/respond/ready-answer.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function set(
  context: Context,
  { endpointId, rules }: ParsedInput<'responses.set'>,
): Promise<CallOutput<'responses.set'>> {
  context.registry.stored(endpointId)
  for (const { answer } of rules) {
    if (answer.kind === 'status') for (const header of answer.headers) refuseNoHeader(header)
  }
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

/** What HTTP cannot carry would be left out of the answer without a word. Throws `bad_input`. */
function refuseNoHeader(header: Header): void {
  if (isHeader(header)) return
  throw new AppError(
    'bad_input',
    `The header ${JSON.stringify(header.join(': '))} cannot be sent: a name has letters, digits and -, and a value no line break and no character beyond Latin-1.`,
  )
}

async function tell(context: Context): Promise<void> {
  await context.configureThreads()
  context.bus.push('responses.changed', [...context.answering.responses])
}
