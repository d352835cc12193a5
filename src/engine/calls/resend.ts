import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function resend(
  _context: Context,
  _input: ParsedInput<'deliveries.resend'>,
): Promise<CallOutput<'deliveries.resend'>> {
  return notYet('deliveries.resend')
}

export async function cancel(
  _context: Context,
  _input: ParsedInput<'attempts.cancel'>,
): Promise<CallOutput<'attempts.cancel'>> {
  return notYet('attempts.cancel')
}
