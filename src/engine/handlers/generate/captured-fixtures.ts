import type { ParsedInput } from '#contract/calls.ts'
import { LogDelivery } from '#contract/event-log.ts'
import type { DeliverySummary, Header } from '#contract/models.ts'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import { ruleOfHeader } from '#catalogue/harmless.ts'
import { isObject, parseJson } from '#shared/json/object.ts'
import { plural } from '#shared/text/format.ts'
import { connectionHeaders } from '../../event-logs/format-parts/script.ts'
import { readerOf, type Logs } from '../../event-logs/service.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { ThreadClient } from '../../platform/rpc.ts'
import type { WithoutDb } from '../../platform/sqlite.ts'
import type { readByIds } from '../../deliveries/store.ts'
import type { LogReads } from '../../event-logs/import/library.ts'
import type { Search } from '../../search/search.ts'
import { withNames } from './fixtures.ts'
import type { Fixture } from './generators.ts'

/** As `ids` of the contract. */
const maxFixtures = 200
const maxBodyBytes = 64 * 1024

interface CapturedFixtures {
  readonly fixtures: readonly Fixture[]
  /** Of their headers. */
  readonly brand: string
  readonly notes: readonly string[]
}

type FixtureReads = LogReads & WithoutDb<{ rows: typeof readByIds; page: Search['page'] }>

interface FixtureSource {
  readonly store: { readonly reader: ThreadClient<FixtureReads> }
  readonly logs: Pick<Logs<FixtureReads>, 'readerOf' | 'deliveryLines'>
  readonly clock: Clock
}

/** Oldest first. Throws `bad_filter`, and `not_found` if none is suitable. */
export async function capturedFixtures(
  context: FixtureSource,
  input: Pick<ParsedInput<'generate.files'>, 'observed' | 'ids' | 'log' | 'types' | 'redact'>,
): Promise<CapturedFixtures> {
  const { log, types, redact } = input
  const { rows, total } = await select(context, input)
  const selected = rows.filter(({ type }) => types.length === 0 || types.includes(type ?? ''))
  const complete = selected.filter(({ arrival }) => arrival === 'complete')
  const small = complete.filter(({ bytes }) => bytes <= maxBodyBytes)
  const ids = small.map(({ id }) => id)
  const lines = ids.length === 0 ? '' : await context.logs.deliveryLines({ log, ids, redact })
  const deliveries = lines
    .split('\n')
    .flatMap((line) => LogDelivery.safeParse(parseJson(line)).data ?? [])
    .flatMap(({ type, headers, body, brand }) =>
      'text' in body && isObject(parseJson(body.text))
        ? [{ type, headers: ownHeaders(headers), body: body.text, brand }]
        : [],
    )
  const notes = [
    total > rows.length
      ? `Only the newest ${rows.length} of ${total} deliveries are included.`
      : '',
    leftOut(selected.length - complete.length, 'incomplete'),
    leftOut(complete.length - small.length, 'larger than 64 KiB'),
    leftOut(small.length - deliveries.length, 'not a JSON object'),
  ].filter((note) => note !== '')
  const [first] = deliveries
  if (!first) throw new AppError('not_found', ['No delivery is selected.', ...notes].join(' '))
  return { fixtures: withNames(deliveries), brand: first.brand, notes }
}

function leftOut(count: number, why: string): string {
  return count === 0
    ? ''
    : `Left out, because the body is ${why}: ${plural(count, 'delivery', 'deliveries')}.`
}

async function select(
  context: Parameters<typeof capturedFixtures>[0],
  { ids, observed, log }: Parameters<typeof capturedFixtures>[1],
): Promise<{ rows: readonly DeliverySummary[]; total: number }> {
  const reader = await readerOf(context, log)
  if (ids.length > 0) {
    const rows = await reader.call('rows', ids)
    const missing = ids.filter((id) => rows.every((row) => row.id !== id))
    if (missing.length === 0) return { rows, total: rows.length }
    throw new AppError('not_found', `Delivery ${missing.join(', ')} does not exist.`)
  }
  const asOf = context.clock.now()
  const query = { filter: observed ?? '', asOf, offset: 0, limit: maxFixtures }
  let page = await reader.call('page', { ...query, upTo: null })
  // A call has a time limit, and continues where the one before it ended.
  while (!page.complete) page = await reader.call('page', { ...query, upTo: page.upTo })
  return page
}

/** Those that the sender sent, without the signature. Values that not every client can send are left out. */
function ownHeaders(headers: readonly Header[]): Header[] {
  const own = new Map<string, Header>()
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const isOwn =
      !connectionHeaders.has(lower) &&
      !lower.startsWith('proxy-') &&
      !isProxyHeader(lower) &&
      ruleOfHeader(lower) !== 'signature'
    if (!isOwn || /[^!-9;-~]/.test(name) || /[^\t -~]/.test(value)) continue
    const before = own.get(lower)
    own.set(lower, before ? [before[0], `${before[1]}, ${value.trim()}`] : [name, value.trim()])
  }
  return [...own.values()]
}
