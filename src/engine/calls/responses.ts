import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function set(
  _context: Context,
  _input: ParsedInput<'responses.set'>,
): Promise<CallOutput<'responses.set'>> {
  return notYet('responses.set')
}

export async function off(
  _context: Context,
  _input: ParsedInput<'responses.off'>,
): Promise<CallOutput<'responses.off'>> {
  return notYet('responses.off')
}
