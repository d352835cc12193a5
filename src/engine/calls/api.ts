import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { curlOf } from '../api/curl.ts'
import { knownSecrets } from '../api/known-secrets.ts'
import { maskRequest } from '../api/masked-request.ts'
import { recordOf } from '../api/record.ts'
import { RecordMasker } from '../api/record-masker.ts'
import { livingSecret } from '../api/reveal.ts'
import { send as sendOut } from '../api/send.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'

export async function send(
  context: Context,
  input: ParsedInput<'api.send'>,
): Promise<CallOutput<'api.send'>> {
  return context.running.run(input.key ?? null, (signal) => sendAndKeep(context, input, signal))
}

async function sendAndKeep(
  context: Context,
  input: ParsedInput<'api.send'>,
  signal: AbortSignal,
): Promise<CallOutput<'api.send'>> {
  const { bus, clock, integrations, ports, store, tokens } = context
  const at = clock.now()
  const sent = await sendOut(
    { tokens, integrations, log: ports.log, now: () => clock.now() },
    input,
    signal,
  )
  const { fields, secrets } = await recordOf(input, sent, { at, endedAt: clock.now() })
  const sealed = await Promise.all(
    secrets.map(async ({ name, value }) => ({ name, value: await ports.secrets.seal(value) })),
  )
  const id = await store.writer.call('insertExchange', { ...fields, sealed })
  bus.push('api.changed', { what: 'history' })
  const { record, own: _, body: __, ...summary } = fields
  return { id, ...summary, ...record }
}

export async function cancel(
  { running }: Context,
  { key }: ParsedInput<'api.cancel'>,
): Promise<CallOutput<'api.cancel'>> {
  running.cancel(key)
  return {}
}

export async function history(
  { store }: Context,
  input: ParsedInput<'api.history'>,
): Promise<CallOutput<'api.history'>> {
  return store.reader.call('exchanges', input)
}

export async function exchange(
  { store }: Context,
  { id }: ParsedInput<'api.exchange'>,
): Promise<CallOutput<'api.exchange'>> {
  return (await store.reader.call('exchange', id)) ?? gone(id)
}

export async function body(
  { store }: Context,
  input: ParsedInput<'api.body'>,
): Promise<CallOutput<'api.body'>> {
  return (await store.reader.call('exchangeBody', input)) ?? gone(input.id)
}

export async function reveal(
  context: Context,
  { id, name }: ParsedInput<'api.reveal'>,
): Promise<CallOutput<'api.reveal'>> {
  const { heldBack } = await exchange(context, { id })
  if (!heldBack.some((held) => held.name === name)) {
    throw new AppError('not_found', 'Nothing is held back under this name.')
  }
  const { sealed, endedAt } =
    (await context.store.reader.call('exchangeSecret', { id, name })) ?? gone(id)
  if (!sealed) return { value: livingSecret(context, name, endedAt) }
  try {
    return { value: await context.ports.secrets.unseal(sealed) }
  } catch (error) {
    throw new AppError(
      'secret_unavailable',
      'The value was sealed with a key that is not here any more.',
      { cause: error },
    )
  }
}

export async function clearHistory(context: Context): Promise<CallOutput<'api.clearHistory'>> {
  const deleted = await context.store.writer.call('clearExchanges')
  context.bus.push('api.changed', { what: 'history' })
  return { deleted }
}

export async function saved({ store }: Context): Promise<CallOutput<'api.saved'>> {
  return store.reader.call('savedRequests')
}

export async function save(
  context: Context,
  { id, name, request }: ParsedInput<'api.save'>,
): Promise<CallOutput<'api.save'>> {
  context.integrations.view(request.integrationId)
  const fields = {
    name,
    request: maskRequest(request, new RecordMasker(knownSecrets(context))),
    savedAt: context.clock.now(),
  }
  const stored = await context.store.writer.call('writeSaved', { id: id ?? null, fields })
  context.bus.push('api.changed', { what: 'saved' })
  return { id: stored, ...fields }
}

export async function removeSaved(
  context: Context,
  { id }: ParsedInput<'api.removeSaved'>,
): Promise<CallOutput<'api.removeSaved'>> {
  await context.store.writer.call('deleteSaved', id)
  context.bus.push('api.changed', { what: 'saved' })
  return {}
}

export async function curl(
  context: Context,
  { request, withToken }: ParsedInput<'api.curl'>,
): Promise<CallOutput<'api.curl'>> {
  const { baseUrl } = context.integrations.view(request.integrationId)
  if (!withToken) {
    const masked = maskRequest(request, new RecordMasker(knownSecrets(context)))
    return { command: curlOf(masked, baseUrl, () => null) }
  }
  // Says what is wrong with a token that cannot be let out.
  if (request.tokenId !== null) context.tokens.use(request.tokenId)
  const known = knownSecrets(context)
  const reveal = (name: string): string | null =>
    known.find((secret) => secret.name === name)?.value ?? null
  return { command: curlOf(request, baseUrl, reveal) }
}

function gone(id: number): never {
  throw new AppError(
    'not_found',
    `There is no request ${id} in the history. It may have been deleted, or have made room for newer ones.`,
  )
}
