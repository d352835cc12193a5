import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { notYet } from '../send/not-yet.ts'

/** The sender looks: what it would connect to counts, and it knows where our own listener is. */
export async function look(
  { sender }: Context,
  { url }: ParsedInput<'targets.look'>,
): Promise<CallOutput<'targets.look'>> {
  return sender.api.call('look', url)
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
