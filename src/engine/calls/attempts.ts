import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function list(
  _context: Context,
  _input: ParsedInput<'attempts.list'>,
): Promise<CallOutput<'attempts.list'>> {
  return notYet('attempts.list')
}

export async function get(
  _context: Context,
  _input: ParsedInput<'attempts.get'>,
): Promise<CallOutput<'attempts.get'>> {
  return notYet('attempts.get')
}

export async function body(
  _context: Context,
  _input: ParsedInput<'attempts.body'>,
): Promise<CallOutput<'attempts.body'>> {
  return notYet('attempts.body')
}
