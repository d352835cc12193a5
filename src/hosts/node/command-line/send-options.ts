import { toBytes } from '#engine/platform/byte-text.ts'
import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { Option, type Command } from '@commander-js/extra-typings'
import type { DraftContent, DraftHeader } from '#contract/compose.ts'
import { maskMarker } from '#contract/masks.ts'
import type { Endpoint, Header } from '#contract/models.ts'
import type { SignChoice } from '#contract/sending.ts'
import { AppError } from '#engine/platform/errors.ts'
import { SandboxError } from '#sandbox/errors.ts'
import { choice, collect, collected, duration, header } from './values.ts'
import { readInputFile } from './input-file.ts'
import type { Session } from '../session/session.ts'
import { named } from './nearest.ts'
import { io } from './io.ts'

const faults = ['digit', 'base64', 'prefix', 'other-secret'] as const

type EditOptions = {
  body?: string | undefined
  set?: string[] | undefined
  header?: Header[] | undefined
  sign?: string | undefined
  unsigned?: true | undefined
  signWrong?: (typeof faults)[number] | undefined
}

export type SendOptions = EditOptions & {
  to?: string | undefined
  /** Milliseconds. */
  timeout: number
  allowTarget?: true | undefined
  insecure?: true | undefined
}

export function withSendOptions<A extends unknown[]>(command: Command<A>): Command<A, SendOptions> {
  return withEditOptions(command)
    .option('--to <url>', 'Target URL')
    .addOption(
      new Option('--timeout <duration>', 'Time limit of each request')
        .argParser(duration('--timeout', { from: 1, to: 600_000 }))
        .default(30_000, '30s'),
    )
    .option('--allow-target', 'Allow a target outside the local network')
    .option('--insecure', 'Skip TLS verification for this request')
}

export function withEditOptions<A extends unknown[]>(command: Command<A>): Command<A, EditOptions> {
  return command
    .option('--body <file>', 'File with the body to send, or - for stdin')
    .addOption(
      new Option('--set <path=value>', 'Set a field of the JSON body (repeatable)').argParser(
        collect,
      ),
    )
    .option('--header <header>', 'Header as "Name: value" (repeatable)', collected(header))
    .option('--sign <secret>', 'Sign with current, previous, or <path>:current of an endpoint')
    .addOption(new Option('--unsigned', 'Send without a signature').conflicts(['sign', 'keep']))
    .addOption(
      new Option('--sign-wrong <how>', `Break the signature: ${faults.join(', ')}`)
        .argParser(choice('--sign-wrong', faults))
        .conflicts(['unsigned', 'keep']),
    )
}

/** A secret is `current` or `previous` of the delivery's own endpoint, or `main:current` of another (`main` alone: current). Throws `not_found`. */
export function signOf(
  options: EditOptions & { keep?: true | undefined },
  endpoints: readonly Endpoint[],
): SignChoice {
  const { sign, unsigned, keep, signWrong } = options
  if (unsigned) return { how: 'none' }
  if (keep) return { how: 'keep' }
  if (sign === undefined && signWrong === undefined) return { how: 'auto' }
  const secret = secretNamed(sign ?? 'current', endpoints)
  return signWrong === undefined
    ? { how: 'secret', ...secret }
    : {
        how: 'broken',
        ...secret,
        fault: signWrong === 'other-secret' ? 'other_secret' : signWrong,
      }
}

function secretNamed(
  name: string,
  endpoints: readonly Endpoint[],
): { endpointId: number | null; which: 'current' | 'previous' } {
  const whiches = ['current', 'previous'] as const
  const secrets = [
    ...whiches.map((which) => ({ names: [which], endpointId: null, which })),
    ...endpoints.flatMap(({ id, slug }) =>
      whiches.map((which) => ({
        names: [`${slug}:${which}`, ...(which === 'current' ? [slug] : [])],
        endpointId: id,
        which,
      })),
    ),
  ]
  const { endpointId, which } = named('Secret', name, secrets, ({ names }) => names)
  return { endpointId, which }
}

/** Undefined: the first one. Throws `not_found`. */
export function endpointOf(endpoints: readonly Endpoint[], slug: string | undefined): Endpoint {
  if (slug !== undefined) return named('Endpoint', slug, endpoints, (each) => [each.slug])
  const [first] = endpoints
  if (first) return first
  throw new AppError('not_found', 'No endpoints. To add one: tabscope endpoint add')
}

/** Of an endpoint: their values may be credentials. */
export function maskedHeaders(headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => [name, value === '' ? value : maskMarker('masked')])
}

/** `-`: stdin. Throws `bad_input`. */
export async function bytesOf(file: string | undefined): Promise<Uint8Array | null> {
  if (file === undefined) return null
  return file === '-' ? buffer(io.stdin) : readInputFile(file)
}

/** Sets each `path=value`; other bytes stay. Throws `SandboxError` (`bad_set`), and `bad_input` if the body is not a JSON object. */
export async function withFields(
  body: Uint8Array,
  assignments: readonly string[],
): Promise<Uint8Array> {
  const { JsonEditError, editJson, parseJsonEdit } = await import('#shared/json/edit.ts')
  try {
    const edits = assignments.map(parseJsonEdit)
    const bytes = Buffer.from(body)
    if (isUtf8(bytes)) return Buffer.from(editJson(bytes.toString('utf8'), edits))
    // As Latin-1 text, bytes that are not UTF-8 stay too.
    const byteEdits = edits.map(({ written, path, value }) => ({
      written,
      path: path.map(toBytes),
      value: toBytes(value),
    }))
    return Buffer.from(editJson(bytes.toString('latin1'), byteEdits), 'latin1')
  } catch (error) {
    if (!(error instanceof JsonEditError)) throw error
    if (!error.isBody) throw new SandboxError('bad_set', error.message)
    throw new AppError('bad_input', '--set requires a body that is a JSON object.')
  }
}

/** Headers of the same name are replaced. All of them count as set by hand. */
function withHeaders(headers: readonly DraftHeader[], given: readonly Header[]): DraftHeader[] {
  const byName = Map.groupBy(
    given.map(([name, value]): DraftHeader => ({ name, value, on: true, byHand: true })),
    ({ name }) => name.toLowerCase(),
  )
  const placed = new Set<string>()
  const kept = headers.flatMap((header) => {
    const name = header.name.toLowerCase()
    const replacements = byName.get(name)
    if (!replacements) return [header]
    if (placed.has(name)) return []
    placed.add(name)
    return replacements
  })
  return [...kept, ...[...byName].flatMap(([name, added]) => (placed.has(name) ? [] : added))]
}

interface Edits {
  readonly set: readonly string[]
  readonly body: Uint8Array | null
  readonly headers: readonly Header[]
  readonly sign: SignChoice
}

/** Throws like `withFields`, and `bad_input` for a captured body that is too large to edit. */
export async function withEdits(
  session: Session,
  given: DraftContent,
  { set, body, headers, sign }: Edits,
  logId: number | null = null,
): Promise<DraftContent> {
  const content: DraftContent = {
    ...given,
    headers: withHeaders(given.headers, headers),
    body: body ? { kind: 'bytes', bytes: body } : given.body,
    sign: sign.how === 'auto' ? given.sign : sign,
  }
  if (set.length === 0) return content
  const bytes = await withFields(await bodyOf(session, logId, content), set)
  return { ...content, body: { kind: 'bytes', bytes } }
}

async function bodyOf(
  session: Session,
  log: number | null,
  { body, origin }: DraftContent,
): Promise<Uint8Array> {
  if (body.kind === 'bytes') return body.bytes
  if (origin.kind === 'delivery') {
    const { deliveryId } = origin
    const captured = await session.call('compose.original', { deliveryId, log })
    if (captured.body !== null) return captured.body
  }
  throw new AppError(
    'bad_input',
    'The body is larger than 6 MiB and cannot be edited. To replace it, use --body.',
  )
}

/** What happens to a delivery whose script failed. */
export function onScriptFailureOption() {
  return new Option(
    '--on-script-failure <action>',
    'If the script fails: continue without it (default), or hold the delivery',
  ).argParser(choice('--on-script-failure', ['continue', 'hold']))
}
