import type { Context } from '../context.ts'
import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { routes } from '../../platform/routes.ts'
import {
  knownSecrets,
  isRecordMarker,
  maskRequest,
  RecordMasker,
  storedSecretValue,
} from '../../authorization/api-console/masking.ts'
import { recordOf } from '../../authorization/api-console/record.ts'
import { send as sendOut, hasHeader } from '../../authorization/api-console/request-runner.ts'
import { AppError } from '../../platform/errors.ts'
import type { ApiRequest } from '#contract/api.ts'
import { splitMasks } from '#contract/masks.ts'
import type { Header } from '#contract/models.ts'
import { faultOf } from '../../platform/http/request-head.ts'
import { quoted } from '../../platform/posix-quote.ts'
import { targetOf } from '../../authorization/api-console/target.ts'

/** In bytes. Linux allows 128 KiB. */
const longestArgument = 100_000

/** Null: the marker becomes a shell variable. */
type Reveal = (name: string) => string | null

/**
 * A curl command for a POSIX shell. Markers become variables (`«token_12»` is `$TOKEN_12`, the selected token `$TOKEN`) unless `reveal` returns a
 * value for them. Everything else is quoted. Throws `bad_input`.
 */
function curlOf(request: ApiRequest, baseUrl: string, reveal: Reveal): string {
  const { method, body, tokenId } = request
  const url = targetOf(baseUrl, request.path, request.query)
  const headers = request.headers
    .filter(({ on }) => on)
    .map(({ name, value }): Header => [name.trim(), value.trim()])
  const bytes = body === '' ? null : Buffer.from(body)
  const fault = faultOf({ method, url, headers, body: bytes })
  if (fault) throw new AppError('bad_input', fault)
  if (body.includes('\0') || (bytes?.byteLength ?? 0) > longestArgument) {
    throw new AppError(
      'bad_input',
      'The body is too long for a command, or contains NUL. Send the request here instead.',
    )
  }

  const selectedToken = tokenId === null ? null : `token_${tokenId}`
  const word = (text: string, write: Write = unchanged): string =>
    wordOf(text, (name) => valueOf(name, selectedToken, reveal), write)
  const options: string[] = []
  if (method === 'HEAD' && !bytes) options.push('--head')
  else if (method !== 'GET' || bytes) options.push(`-X ${method}`)
  // The URL contains percent-encoded markers. Decode them so that they are recognized.
  const address = url.href.replaceAll(/%C2%AB([a-z][a-z0-9_]{0,39})%C2%BB/g, '«$1»')
  if (/[[\]{}]/.test(url.href)) options.push('--globoff')
  options.push(word(address, encodeURIComponent))
  // curl sends an empty header if the name ends with a semicolon; with a colon it would remove the header.
  for (const [name, value] of headers) {
    options.push(`-H ${word(value === '' ? `${name};` : `${name}: ${value}`)}`)
  }
  if (selectedToken !== null && !hasHeader(headers, 'authorization')) {
    options.push(`-H ${word(`Authorization: Bearer «${selectedToken}»`)}`)
  }
  if (!bytes) {
    if (!['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'].includes(method)) {
      options.push("-H 'Content-Length: 0'")
    }
    return commandOf(options)
  }
  if (!hasHeader(headers, 'content-type')) options.push("-H 'Content-Type:'")
  const isJson = /^\s*[[{]/.test(body)
  const write: Write = (value) => (isJson ? JSON.stringify(value).slice(1, -1) : value)
  return commandOf([...options, `--data-raw ${word(body, write)}`])
}

type Write = (value: string) => string
const unchanged: Write = (value) => value

/** Null: the marker itself. */
type Replacement = { readonly value: string } | { readonly variable: string } | null

function valueOf(name: string, selectedToken: string | null, reveal: Reveal): Replacement {
  const value = reveal(name)
  if (value !== null) return { value }
  if (!isRecordMarker(name)) return null
  return { variable: name === selectedToken ? 'TOKEN' : name.replace(/^kept_/, '').toUpperCase() }
}

function commandOf(options: readonly string[]): string {
  return ['curl', ...options].join(' \\\n  ')
}

function wordOf(text: string, replace: (name: string) => Replacement, write: Write): string {
  let literal = ''
  const pieces: string[] = []
  for (const { name, text: part } of splitMasks(text)) {
    const replacement = name === null ? null : replace(name)
    if (replacement && 'variable' in replacement) {
      if (literal !== '') pieces.push(quoted(literal))
      pieces.push(`"$${replacement.variable}"`)
      literal = ''
    } else {
      literal += replacement ? write(replacement.value) : part
    }
  }
  if (literal !== '' || pieces.length === 0) pieces.push(quoted(literal))
  return pieces.join('')
}

export const apiConsoleRoutes = routes<Context>()({
  'api.send': (context, input) =>
    context.running.run(input.key ?? null, (signal) => sendAndRecord(context, input, signal)),

  'api.cancel': ({ running }, { key }) => {
    running.cancel(key)
    return {}
  },

  'api.history': ({ store }, input) => store.reader.call('exchanges', input),
  'api.exchange': exchange,

  'api.body': async ({ store }, input) =>
    (await store.reader.call('exchangeBody', input)) ?? throwNotFound(input.id),

  'api.reveal': reveal,

  'api.clearHistory': async (context) => {
    const deleted = await context.store.writer.call('clearExchanges')
    context.bus.push('api.changed', { what: 'history' })
    return { deleted }
  },

  'api.saved': ({ store }) => store.reader.call('savedRequests'),

  'api.save': async (context, { id, name, request }) => {
    context.integrations.view(request.integrationId)
    const fields = {
      name,
      request: maskRequest(request, new RecordMasker(knownSecrets(context))),
      savedAt: context.clock.now(),
    }
    const stored = await context.store.writer.call('writeSaved', { id: id ?? null, fields })
    context.bus.push('api.changed', { what: 'saved' })
    return { id: stored, ...fields }
  },

  'api.removeSaved': async (context, { id }) => {
    await context.store.writer.call('deleteSaved', id)
    context.bus.push('api.changed', { what: 'saved' })
    return {}
  },

  'api.curl': (context, { request, withToken }) => {
    const { baseUrl } = context.integrations.view(request.integrationId)
    if (!withToken) {
      const masked = maskRequest(request, new RecordMasker(knownSecrets(context)))
      return { command: curlOf(masked, baseUrl, () => null) }
    }
    // Throws if the token is unusable.
    if (request.tokenId !== null) context.tokens.use(request.tokenId)
    const known = knownSecrets(context)
    const reveal = (name: string): string | null =>
      known.find((secret) => secret.name === name)?.value ?? null
    return { command: curlOf(request, baseUrl, reveal) }
  },
})

async function sendAndRecord(
  context: Context,
  input: ParsedInput<'api.send'>,
  signal: AbortSignal,
): Promise<CallOutput<'api.send'>> {
  const { bus, clock, integrations, network, ports, store, tokens } = context
  const at = clock.now()
  const sent = await sendOut(
    { tokens, integrations, network, log: ports.log, now: () => clock.now() },
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

async function exchange(
  { store }: Context,
  { id }: ParsedInput<'api.exchange'>,
): Promise<CallOutput<'api.exchange'>> {
  return (await store.reader.call('exchange', id)) ?? throwNotFound(id)
}

async function reveal(
  context: Context,
  { id, name }: ParsedInput<'api.reveal'>,
): Promise<CallOutput<'api.reveal'>> {
  const { maskedValues } = await exchange(context, { id })
  if (!maskedValues.some((held) => held.name === name)) {
    throw new AppError('not_found', 'Unknown masked value.')
  }
  const { sealed, endedAt } =
    (await context.store.reader.call('exchangeSecret', { id, name })) ?? throwNotFound(id)
  if (!sealed) return { value: storedSecretValue(context, name, endedAt) }
  try {
    return { value: await context.ports.secrets.unseal(sealed) }
  } catch (error) {
    throw new AppError(
      'secret_unavailable',
      'The value was encrypted with a key that is no longer available.',
      { cause: error },
    )
  }
}

function throwNotFound(id: number): never {
  throw new AppError(
    'not_found',
    `Request ${id} does not exist in the history. It may have been deleted manually or by the storage limits.`,
  )
}
