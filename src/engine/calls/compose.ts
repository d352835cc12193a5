import { draftBodyLimit } from '#contract/compose.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Logged } from '../send/messages.ts'
import { gone } from './gone.ts'
import { readerOf } from './reader-of.ts'

export async function start(
  context: Context,
  input: ParsedInput<'compose.start'>,
): Promise<CallOutput<'compose.start'>> {
  const { api } = context.sender
  const { from, endpointId } = input
  if (from.kind !== 'delivery' || from.log === null) return api.call('startDraft', input)
  return api.call('startLogged', {
    logged: await loggedOf(context, { id: from.id, log: from.log }),
    endpointId,
  })
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
  context: Context,
  { deliveryId: id, log }: ParsedInput<'compose.original'>,
): Promise<CallOutput<'compose.original'>> {
  const reader = await readerOf(context, log)
  const { headers, bytesKept } = (await reader.call('get', id)) ?? gone(id)
  if (bytesKept > draftBodyLimit) return { headers, body: null }
  const { bytes } = (await reader.call('body', { id, ...whole })) ?? gone(id)
  return { headers, body: bytes }
}

const whole = { offset: 0, length: draftBodyLimit, decoded: false } as const

/** All that a draft takes over of a log's delivery. Throws `not_found`, `bad_input`. */
async function loggedOf(
  context: Context,
  { id, log }: { readonly id: number; readonly log: number },
): Promise<Logged> {
  const reader = await readerOf(context, log)
  const { headers, bytesKept, method, path, type } = (await reader.call('get', id)) ?? gone(id)
  if (bytesKept > draftBodyLimit) {
    throw new AppError(
      'bad_input',
      'The body is larger than 6 MiB, which is as much as a draft can hold. Open the log to look at it, or ask for the delivery itself to be sent again.',
    )
  }
  const { bytes } = (await reader.call('body', { id, ...whole })) ?? gone(id)
  const name = context.logs.nameOf(log).slice(0, 300)
  return {
    origin: { kind: 'log', log: name, logId: log, deliveryId: id },
    method,
    path,
    headers,
    body: bytes,
    type,
  }
}
