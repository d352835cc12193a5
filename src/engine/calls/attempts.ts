import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { attemptGone } from './gone.ts'

export async function list(
  { store }: Context,
  input: ParsedInput<'attempts.list'>,
): Promise<CallOutput<'attempts.list'>> {
  return store.reader.call('attempts', input)
}

export async function get(
  { store }: Context,
  { id }: ParsedInput<'attempts.get'>,
): Promise<CallOutput<'attempts.get'>> {
  return (await store.reader.call('attempt', id)) ?? attemptGone(id)
}

export async function body(
  { store }: Context,
  input: ParsedInput<'attempts.body'>,
): Promise<CallOutput<'attempts.body'>> {
  return (await store.reader.call('attemptBody', input)) ?? attemptGone(input.id)
}
