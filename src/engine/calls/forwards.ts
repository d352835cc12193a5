import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function add(
  _context: Context,
  _input: ParsedInput<'forwards.add'>,
): Promise<CallOutput<'forwards.add'>> {
  return notYet('forwards.add')
}

export async function update(
  _context: Context,
  _input: ParsedInput<'forwards.update'>,
): Promise<CallOutput<'forwards.update'>> {
  return notYet('forwards.update')
}

export async function remove(
  _context: Context,
  _input: ParsedInput<'forwards.remove'>,
): Promise<CallOutput<'forwards.remove'>> {
  return notYet('forwards.remove')
}

export async function drop(
  _context: Context,
  _input: ParsedInput<'forwards.drop'>,
): Promise<CallOutput<'forwards.drop'>> {
  return notYet('forwards.drop')
}
