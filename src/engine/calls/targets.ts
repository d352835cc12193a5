import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function look(
  _context: Context,
  _input: ParsedInput<'targets.look'>,
): Promise<CallOutput<'targets.look'>> {
  return notYet('targets.look')
}

export async function list(_context: Context): Promise<CallOutput<'targets.list'>> {
  return notYet('targets.list')
}

export async function set(
  _context: Context,
  _input: ParsedInput<'targets.set'>,
): Promise<CallOutput<'targets.set'>> {
  return notYet('targets.set')
}
