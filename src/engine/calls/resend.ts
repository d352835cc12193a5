import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function resend(
  { sender }: Context,
  input: ParsedInput<'deliveries.resend'>,
): Promise<CallOutput<'deliveries.resend'>> {
  return sender.api.call('resend', { ...input, key: input.key })
}

/** Of what is not under way (any more) nothing comes. */
export async function cancel(
  { sender }: Context,
  { key }: ParsedInput<'attempts.cancel'>,
): Promise<CallOutput<'attempts.cancel'>> {
  await sender.api.call('cancel', key)
  return {}
}
