import { mostRules, type ResponseRule } from '#contract/answering.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Header } from '#contract/models.ts'
import { isHeader } from '../capture/respond/ready-answer.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { RuleFields } from '../store/answering.ts'

export async function set(
  context: Context,
  { endpointId, rules }: ParsedInput<'responses.set'>,
): Promise<CallOutput<'responses.set'>> {
  context.registry.stored(endpointId)
  for (const rule of rules) assertSendable(rule)
  return put(context, endpointId, rules)
}

export async function add(
  context: Context,
  { endpointId, ...rule }: ParsedInput<'responses.add'>,
): Promise<CallOutput<'responses.add'>> {
  context.registry.stored(endpointId)
  assertSendable(rule)
  const others = rulesOf(context, endpointId).filter(({ type }) => type !== rule.type)
  if (others.length >= mostRules) {
    throw new AppError(
      'bad_input',
      `The endpoint has ${mostRules} response rules, which is as many as it can have. Remove one first.`,
    )
  }
  return put(context, endpointId, rule.type === null ? [...others, rule] : [rule, ...others])
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'responses.remove'>,
): Promise<CallOutput<'responses.remove'>> {
  const rule = context.answering.responses.find((each) => each.id === id)
  if (!rule) {
    const ids = context.answering.responses.map((each) => each.id).join(', ') || 'none'
    throw new AppError('not_found', `No response rule ${id}. Available: ${ids}.`)
  }
  const { endpointId } = rule
  return put(
    context,
    endpointId,
    rulesOf(context, endpointId).filter((each) => each.id !== id),
  )
}

function rulesOf({ answering }: Context, endpointId: number): ResponseRule[] {
  return answering.responses.filter((rule) => rule.endpointId === endpointId)
}

/** Stores the rules of an endpoint, and tells everybody. */
async function put(
  context: Context,
  endpointId: number,
  rules: readonly RuleFields[],
): Promise<ResponseRule[]> {
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

/** Throws `bad_input` for a header that cannot be sent. */
function assertSendable({ answer }: Pick<ResponseRule, 'answer'>): void {
  if (answer.kind === 'status') for (const header of answer.headers) refuseNoHeader(header)
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
