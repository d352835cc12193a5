import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
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
  context: Context,
  { id }: ParsedInput<'forwards.drop'>,
): Promise<CallOutput<'forwards.drop'>> {
  if (!context.answering.forwards.some((forward) => forward.id === id)) {
    throw new AppError('not_found', 'There is no such forward target. It may have been removed.')
  }
  return { dropped: await context.sender.api.call('dropWaiting', id) }
}
