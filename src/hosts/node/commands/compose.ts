import { randomUUID } from 'node:crypto'
import type { DraftContent, DraftHeader } from '#contract/compose.ts'
import type { Header } from '#contract/models.ts'
import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { AppError } from '#engine/errors.ts'
import { applyOverrides } from '#sandbox/overrides.ts'
import { cancellable } from '../cancellable.ts'
import { confirming } from '../confirm-target.ts'
import { failing } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { folderOf, idOf, parse, wholeNumber } from '../options.ts'
import {
  bytesOf,
  checkSignWords,
  endpointOf,
  headerPairs,
  sendOptions,
  signOf,
} from '../send-options.ts'
import { openSession, type Session } from '../session.ts'
import { UsageError } from '../usage-error.ts'
import { tellAttempt } from './resend.ts'

const options = {
  ...sendOptions,
  type: { type: 'string' },
  from: { type: 'string' },
  log: { type: 'string' },
  template: { type: 'string' },
  method: { type: 'string' },
  endpoint: { type: 'string' },
  set: { type: 'string', multiple: true },
  placeholders: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parse<typeof options>>['values']

/** `compose --type T --to URL`: sends what is written here, a sample or a template. 0 when it was answered with 2xx. */
export async function compose(args: string[]): Promise<number> {
  const { values } = parse(args, options)
  checkWords(values)
  const timeout = wholeNumber('timeout', values.timeout, 1, 600_000)
  const headers = headerPairs(values.header)
  const json = values.json ?? false
  return failing(json, async () => {
    const body = await bytesOf(values.body)
    await using session = await openSession(folderOf(values))
    const { endpoints } = await session.call('app.snapshot', {})
    const endpoint = values.endpoint === undefined ? null : endpointOf(endpoints, values.endpoint)
    const begun = await begin(session, values, endpoint?.id ?? null)
    const sign = signOf(values, endpoints)
    const content = withSet(
      {
        ...begun.content,
        endpointId: endpoint?.id ?? begun.content.endpointId,
        url: values.to ?? begun.content.url,
        method: values.method?.toUpperCase() ?? begun.content.method,
        headers: withHeaders(begun.content.headers, headers),
        body: body ? { kind: 'bytes', bytes: body } : begun.content.body,
        sign: sign.how === 'auto' ? begun.content.sign : sign,
        placeholders: values.placeholders ?? begun.content.placeholders,
      },
      values.set ?? [],
    )
    if (content.url === '') throw new UsageError('compose needs to know where to: --to URL.')
    const id = begun.id ?? (await draftFor(session, content))
    const key = randomUUID()
    const asks = { allowed: values['allow-target'] ?? false, asks: !json && values.body !== '-' }
    const attempt = await cancellable(
      () => session.call('attempts.cancel', { key }),
      () =>
        confirming(session, asks, () =>
          session.call('compose.send', {
            id,
            content,
            timeout,
            insecure: values.insecure ?? false,
            key,
          }),
        ),
    )
    return await tellAttempt(session, attempt, json)
  })
}

function checkWords(values: Values): void {
  const from = [
    values.type === undefined ? '' : '--type',
    values.from === undefined ? '' : '--from',
    values.template === undefined ? '' : '--template',
  ].filter((word) => word !== '')
  if (from.length > 1) throw new UsageError(`Give ${from.join(' or ')}, not both.`)
  if (from.length === 0 && values.body === undefined) {
    throw new UsageError('compose needs --type TYPE, --from ID, --template NAME or --body FILE.')
  }
  if (values.type !== undefined && !eventTypeOf(values.type)) {
    const known = eventTypes.map(({ type }) => type).join(', ')
    throw new UsageError(`"${values.type}" is no type of the document. Use one of: ${known}.`)
  }
  if (values.set !== undefined && values.body !== undefined) {
    throw new UsageError('--set changes a sample: leave out --body, or change the file.')
  }
  if (values.log !== undefined && values.from === undefined) {
    throw new UsageError('--log says which log --from ID is of: add --from ID.')
  }
  checkSignWords(values)
}

interface Begun {
  /** The template's; undefined: not stored yet. */
  readonly id: number | undefined
  readonly content: DraftContent
}

async function begin(
  session: Session,
  { type, from, log, template, body }: Values,
  endpointId: number | null,
): Promise<Begun> {
  if (template !== undefined) {
    const drafts = await session.call('compose.list', {})
    const found = drafts.find(({ name }) => name?.toLowerCase() === template.trim().toLowerCase())
    if (!found) {
      const names = drafts.flatMap(({ name }) => (name === null ? [] : [`"${name}"`]))
      throw new AppError(
        'not_found',
        `There is no template "${template}". There is ${names.join(', ') || 'none'}.`,
      )
    }
    const { id, content } = await session.call('compose.get', { id: found.id })
    return { id, content }
  }
  const start = (
    origin: Parameters<typeof session.call<'compose.start'>>[1]['from'],
  ): Promise<DraftContent> => session.call('compose.start', { from: origin, endpointId })
  if (from !== undefined) {
    const of = { id: idOf('', from), log: await logOf(session, log) }
    return { id: undefined, content: await start({ kind: 'delivery', ...of }) }
  }
  if (type !== undefined) return { id: undefined, content: await start({ kind: 'sample', type }) }
  const name = body === '-' ? 'stdin' : (body ?? '')
  const file = { kind: 'file', name: name.slice(-300), bytes: new Uint8Array() } as const
  return { id: undefined, content: await start(file) }
}

/** Headers take the place of those of their name, else they come last. What is given here is by hand. */
function withHeaders(headers: readonly DraftHeader[], given: readonly Header[]): DraftHeader[] {
  const byName = Map.groupBy(
    given.map(([name, value]): DraftHeader => ({ name, value, on: true, byHand: true })),
    ({ name }) => name.toLowerCase(),
  )
  const placed = new Set<string>()
  const kept = headers.flatMap((header) => {
    const name = header.name.toLowerCase()
    const instead = byName.get(name)
    if (!instead) return [header]
    if (placed.has(name)) return []
    placed.add(name)
    return instead
  })
  return [...kept, ...[...byName].flatMap(([name, added]) => (placed.has(name) ? [] : added))]
}

/** `--set path=value` in a JSON body. Throws `SandboxError` (`bad_set`), `bad_input`. */
function withSet(content: DraftContent, overrides: readonly string[]): DraftContent {
  if (overrides.length === 0) return content
  if (content.body.kind !== 'bytes') {
    throw new AppError(
      'bad_input',
      '--set changes a sample or a template: use --type or --template.',
    )
  }
  const text = Buffer.from(content.body.bytes).toString('utf8')
  const payload: unknown = parsed(text)
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new AppError('bad_input', '--set needs a body that is a JSON object.')
  }
  const changed = JSON.stringify(applyOverrides({ ...payload }, overrides), null, 2)
  return { ...content, body: { kind: 'bytes', bytes: Buffer.from(changed) } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Attempts stand under a draft: the one of before that has the same origin and address, so that they can be compared; else a new one. */
async function draftFor(session: Session, content: DraftContent): Promise<number | undefined> {
  if (content.origin.kind === 'delivery') return undefined
  const { origin, url } = content
  const drafts = await session.call('compose.list', {})
  const before = drafts.find(
    (draft) =>
      draft.name === null &&
      draft.url === url &&
      JSON.stringify(draft.origin) === JSON.stringify(origin),
  )
  const { id } = await session.call('compose.save', {
    ...(before ? { id: before.id } : {}),
    content,
  })
  return id
}
