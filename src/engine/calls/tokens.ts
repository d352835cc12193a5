import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'

export async function list(
  context: Context,
  { integrationId }: ParsedInput<'tokens.list'>,
): Promise<CallOutput<'tokens.list'>> {
  return context.tokens
    .views()
    .filter((token) => integrationId === undefined || token.integrationId === integrationId)
}

export function label(
  context: Context,
  { id, label }: ParsedInput<'tokens.label'>,
): Promise<CallOutput<'tokens.label'>> {
  return context.tokens.label(id, label)
}

export function refresh(
  context: Context,
  { id }: ParsedInput<'tokens.refresh'>,
): Promise<CallOutput<'tokens.refresh'>> {
  return context.tokens.refresh(id)
}

export async function reveal(
  context: Context,
  { id, which }: ParsedInput<'tokens.reveal'>,
): Promise<CallOutput<'tokens.reveal'>> {
  return { value: context.tokens.reveal(id, which) }
}

export async function copy(
  context: Context,
  { id, which }: ParsedInput<'tokens.copy'>,
): Promise<CallOutput<'tokens.copy'>> {
  return { copied: await context.ports.system.copyText(context.tokens.reveal(id, which)) }
}

export function forget(
  context: Context,
  { id }: ParsedInput<'tokens.forget'>,
): Promise<CallOutput<'tokens.forget'>> {
  return context.tokens.forget(id)
}

export async function remove(
  context: Context,
  { id }: ParsedInput<'tokens.remove'>,
): Promise<CallOutput<'tokens.remove'>> {
  await context.tokens.remove(id)
  return {}
}
