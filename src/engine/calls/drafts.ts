import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

export async function save(
  _context: Context,
  _input: ParsedInput<'compose.save'>,
): Promise<CallOutput<'compose.save'>> {
  return notYet('compose.save')
}

export async function list(_context: Context): Promise<CallOutput<'compose.list'>> {
  return notYet('compose.list')
}

export async function get(
  _context: Context,
  _input: ParsedInput<'compose.get'>,
): Promise<CallOutput<'compose.get'>> {
  return notYet('compose.get')
}

export async function remove(
  _context: Context,
  _input: ParsedInput<'compose.remove'>,
): Promise<CallOutput<'compose.remove'>> {
  return notYet('compose.remove')
}
