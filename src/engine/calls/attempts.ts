import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { attemptGone } from './gone.ts'
import { readerOf } from './reader-of.ts'

export async function list(
  context: Context,
  { log, ...input }: ParsedInput<'attempts.list'>,
): Promise<CallOutput<'attempts.list'>> {
  const reader = await readerOf(context, log)
  return reader.call('attempts', input)
}

export async function get(
  context: Context,
  { id, log }: ParsedInput<'attempts.get'>,
): Promise<CallOutput<'attempts.get'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('attempt', id)) ?? attemptGone(id)
}

export async function body(
  context: Context,
  { log, ...input }: ParsedInput<'attempts.body'>,
): Promise<CallOutput<'attempts.body'>> {
  const reader = await readerOf(context, log)
  return (await reader.call('attemptBody', input)) ?? attemptGone(input.id)
}
