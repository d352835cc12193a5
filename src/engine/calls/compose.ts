import { draftBodyLimit } from '#contract/compose.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { gone } from './gone.ts'

export async function start(
  { sender }: Context,
  input: ParsedInput<'compose.start'>,
): Promise<CallOutput<'compose.start'>> {
  return sender.api.call('startDraft', input)
}

export async function preview(
  { sender }: Context,
  { id, content }: ParsedInput<'compose.preview'>,
): Promise<CallOutput<'compose.preview'>> {
  return sender.api.call('preview', { draftId: id ?? null, content })
}

export async function send(
  { sender }: Context,
  { id, ...input }: ParsedInput<'compose.send'>,
): Promise<CallOutput<'compose.send'>> {
  return sender.api.call('sendDraft', { ...input, draftId: id ?? null, key: input.key })
}

/** Never throws for an address that is still being written. */
export async function target(
  { sender }: Context,
  { url }: ParsedInput<'compose.target'>,
): Promise<CallOutput<'compose.target'>> {
  try {
    return { target: await sender.api.call('look', url.trim()) }
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_target') return { target: null }
    throw error
  }
}

export async function original(
  { store }: Context,
  { deliveryId: id }: ParsedInput<'compose.original'>,
): Promise<CallOutput<'compose.original'>> {
  const { headers, bytesKept } = (await store.reader.call('get', id)) ?? gone(id)
  if (bytesKept > draftBodyLimit) return { headers, body: null }
  const whole = { id, offset: 0, length: draftBodyLimit, decoded: false }
  const { bytes } = (await store.reader.call('body', whole)) ?? gone(id)
  return { headers, body: bytes }
}
