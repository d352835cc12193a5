import { unknownTime } from '#contract/constants.ts'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import { describeFinding, findingCodes } from '#catalogue/findings.ts'
import { causeNames } from '#catalogue/signature-causes.ts'
import type { CallInput, CallOutput } from '#contract/calls.ts'
import type { Delivery, DeliverySummary } from '#contract/models.ts'
import type { ExportedDelivery } from '#engine/event-logs/items.ts'
import { AppError } from '#engine/platform/errors.ts'
import { enclose, encloseText, wholeLength } from './captured.ts'
import type { Connection } from './connection.ts'
import type { MaskedRecords } from './records.ts'
import { readShownFilter } from './shown-filter.ts'

export const deliveryParts = ['summary', 'headers', 'findings', 'attempts', 'trace'] as const

/** A search that takes longer returns what it has found. */
const searchMs = 5000

/** In a flood, a call does not wait for more unstored deliveries than this. */
const maxBehind = 500
const indexMs = 2000
const pollMs = 20

/** The deliveries received so far are stored and, for a filter, in the search index. */
export async function untilSearchable(connection: Connection, filter: string): Promise<void> {
  const end = performance.now() + indexMs
  const { newestId, ...stats } = await connection.call('deliveries.stored', { maxBehind })
  let { indexedId } = stats
  while (filter !== '' && indexedId < newestId && performance.now() < end) {
    await pause(pollMs)
    ;({ indexedId } = await connection.call('deliveries.stored', { maxBehind }))
  }
}

export async function readStatus(connection: Connection) {
  const stats = await connection.call('deliveries.stored', { maxBehind })
  const { version, listener, endpoints } = await connection.call('app.snapshot', {})
  const port = listener.state === 'listening' ? listener.port : null
  return {
    text: `Tabscope ${version}, ${stats.deliveries} deliveries, listener ${listener.state}.`,
    result: {
      version,
      listener: listener.state,
      port,
      deliveries: stats.deliveries,
      newestId: stats.newestId,
      endpoints: endpoints
        .slice(0, 100)
        .map(({ id, slug, secret }) => ({ id, path: `/hooks/${slug}`, secretSet: secret.set })),
    },
  }
}

/** Computed by Tabscope: nothing of them is captured text. Without the length of the body, which identifies what is masked. */
function ownFields(row: DeliverySummary | Delivery) {
  return {
    id: row.id,
    receivedAt: row.receivedAt === unknownTime ? 'unknown' : new Date(row.receivedAt).toISOString(),
    type: eventTypeOf(row.type)?.type ?? null,
    verdict: row.verdict,
    causes: row.causes?.map(({ code }) => code).filter((code) => isCause(code)),
    status: row.status,
  }
}

function summaryOf(row: Delivery) {
  const findings = row.findings
    .filter(({ code }) => knownCodes.has(code))
    .slice(0, 50)
    .map((each) => ({ code: each.code, severity: describeFinding(each, row.type).severity }))
  return { ...ownFields(row), findings }
}

/** An imported log may have others. */
function isCause(code: string): boolean {
  return causeNames.some((cause) => cause.code === code)
}

const knownCodes: ReadonlySet<string> = new Set(findingCodes.map(({ code }) => code))

/** Continues with older deliveries, so that those that arrive or are deleted meanwhile cause neither gaps nor repetitions. */
const SearchCursor = z.tuple([
  z.int().nonnegative().describe('highest id'),
  z.number().describe('time of the search'),
  z.int().nonnegative().describe('results before'),
])

export async function searchDeliveries(
  connection: Connection,
  records: MaskedRecords,
  input: { filter: string; limit: number; cursor?: string | undefined },
) {
  await records.refresh()
  const filter = readShownFilter(input.filter, records)
  const { limit, cursor } = input
  let start: Pick<CallInput<'deliveries.page'>, 'upTo' | 'asOf'> = { upTo: null, asOf: null }
  let before = 0
  if (cursor === undefined) await untilSearchable(connection, filter)
  else {
    const [upTo, asOf, found] = parseCursor(SearchCursor, cursor)
    start = { upTo, asOf }
    before = found
  }
  const page = await readPage(connection, { filter, ...start, offset: 0, limit })
  const { rows, upTo, asOf, complete } = page
  const more = !complete || page.total > rows.length
  const last = rows.at(-1)?.id
  const nextUpTo = last === undefined ? upTo : last - 1
  const total = before + page.total
  return {
    text: `${rows.length} of ${complete ? '' : 'at least '}${total} deliveries${more ? ', more with nextCursor' : ''}.`,
    result: {
      total,
      totalIsAtLeast: !complete,
      deliveries: rows.map((row) => ({
        ...ownFields(row),
        endpointId: row.endpointId,
        findings: [...new Set(row.findings.map(({ code }) => code))]
          .filter((code) => knownCodes.has(code))
          .slice(0, 8),
      })),
      nextCursor: more ? JSON.stringify([nextUpTo, asOf, before + rows.length]) : null,
    },
  }
}

async function readPage(
  connection: Connection,
  input: CallInput<'deliveries.page'> & { limit: number },
): Promise<CallOutput<'deliveries.page'>> {
  const end = performance.now() + searchMs
  let page
  let { upTo, asOf } = input
  do {
    page = await connection.call('deliveries.page', { ...input, upTo, asOf })
    ;({ upTo, asOf } = page)
  } while (!page.complete && page.rows.length < input.limit && performance.now() < end)
  return page
}

function parseCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  try {
    return schema.parse(JSON.parse(cursor))
  } catch {
    throw new AppError('bad_input', 'Pass the nextCursor of the previous answer unchanged.')
  }
}

/** Throws `bad_input`. */
export function parseOffset(cursor: string | undefined): number {
  return cursor === undefined ? 0 : parseCursor(z.int().nonnegative(), cursor)
}

export async function getDelivery(
  connection: Connection,
  records: MaskedRecords,
  input: { id: number; part: (typeof deliveryParts)[number]; cursor?: string | undefined },
) {
  const { id, part, cursor } = input
  const from = parseOffset(cursor)
  const row = await connection.call('deliveries.get', { id })
  const own = summaryOf(row)
  const { findings } = own
  if (part === 'trace') {
    const { entries } = await connection.call('deliveries.trace', { id })
    const trace = entries.slice(from, from + 100).map((entry) => entry.delivery.id)
    const next = from + trace.length < entries.length ? String(from + trace.length) : null
    return {
      text: `Delivery ${id}: ${trace.length} of ${entries.length} deliveries of its trace.`,
      result: { ...own, trace, captured: '', nextCursor: next },
    }
  }
  const { delivery } = await records.read(id)
  const values = delivery === null ? ['Too large to mask here.'] : partOf(delivery, part)
  const { captured, next } = enclose(values, from)
  const found = findings.length === 1 ? '1 finding' : `${findings.length} findings`
  return {
    text: `Delivery ${id}: verdict ${row.verdict}, ${found}. Captured data is in "captured".`,
    result: { ...own, captured, nextCursor: next === null ? null : String(next) },
  }
}

function partOf(
  { fields: delivery, attempts }: ExportedDelivery,
  part: 'summary' | 'headers' | 'findings' | 'attempts',
) {
  switch (part) {
    case 'summary': {
      const { method, path, type, title, target, locationName, arrival, reason, note, tags } =
        delivery
      return [{ method, path, type, title, target, locationName, arrival, reason, note, tags }]
    }
    case 'headers':
      return [...delivery.headers, ...delivery.trailers]
    case 'findings':
      return delivery.findings
    case 'attempts':
      return attempts.map(({ fields }) => {
        const { id, url, status, error, durationMs: took, notes, response } = fields
        return { id, url, status, error, took, notes, headers: response?.headers ?? [] }
      })
  }
}

export async function readBody(
  records: MaskedRecords,
  input: { id: number; pointer: string; offset: number; length: number },
) {
  const { id, pointer, offset, length } = input
  const { delivery, body, cut, omitted } = await records.read(id)
  const decoded = decodeText(body, cut)
  if (decoded === null && pointer !== '') throw notJson()
  const whole = decoded ?? body.toString('base64')
  const text = pointer === '' ? whole : valueAt(whole, pointer)
  const { captured, length: read } = encloseText(partOfText(text, offset, length))
  const next = offset + read
  const isTooLarge = cut || delivery === null
  return {
    text: `Delivery ${id}: ${read} of ${text.length} characters. Captured data is in "captured".`,
    result: {
      id,
      size: text.length,
      nextOffset: read > 0 && next < text.length ? next : null,
      encoding: decoded === null ? 'base64' : 'text',
      note: isTooLarge
        ? 'Only the beginning of this large delivery is available.'
        : omitted === null
          ? null
          : 'The body is not stored or cannot be masked.',
      captured,
    },
  }
}

/** Null: not UTF-8. A cut body may end within a character. */
function decodeText(body: Buffer, cut: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body, { stream: cut })
  } catch {
    return null
  }
}

/** At most `length` bytes in UTF-8; separates no character. */
function partOfText(text: string, offset: number, length: number): string {
  let part = text.slice(offset, wholeLength(text, offset + length))
  // The first character alone can be longer than the part.
  if (part === '') part = text.slice(offset, offset + 2)
  while (Buffer.byteLength(part) > length && part.length > 2) {
    const shorter = Math.floor((part.length * length) / Buffer.byteLength(part))
    part = part.slice(0, wholeLength(part, Math.max(2, Math.min(part.length - 1, shorter))))
  }
  return part
}

function notJson(): AppError {
  return new AppError('bad_input', 'The body is not JSON. Read it without a pointer.')
}

/** An RFC 6901 pointer, to own properties only. Throws `bad_input`. */
function valueAt(text: string, pointer: string): string {
  if (!pointer.startsWith('/')) {
    throw new AppError('bad_input', 'Start the pointer with "/", such as /data/items/0.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson()
  }
  for (const name of pointer.split('/').slice(1)) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    const inner: unknown =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined
    if (inner === undefined) {
      throw new AppError('bad_input', 'The body has no value at this pointer.')
    }
    value = inner
  }
  return JSON.stringify(value, null, 1)
}

/** Names of undocumented types are captured text, so these deliveries are only counted. */
export async function readConformance(
  connection: Connection,
  { since, cursor }: { since?: string | undefined; cursor?: string | undefined },
) {
  const from = parseOffset(cursor)
  const { types } = await connection.call('deliveries.conformance', {
    since: since === undefined ? null : Date.parse(since),
    before: null,
  })
  const known = types.filter(({ type }) => type === null || eventTypeOf(type) !== undefined)
  const page: { type: string | null; deliveries: number; findings: unknown[] }[] = []
  let kinds = 0
  for (const { type, count, findings } of known.slice(from)) {
    const codes = findings.filter(({ code }) => knownCodes.has(code))
    kinds += codes.length
    if (page.length > 0 && kinds > maxKinds) break
    page.push({
      type,
      deliveries: count,
      findings: codes.map((each) => ({ code: each.code, count: each.count, lastId: each.lastId })),
    })
  }
  const next = from + page.length
  const more = next < known.length
  return {
    text: `${types.length} event types, ${types.length - known.length} of them undocumented${more ? '. More with nextCursor' : ''}.`,
    result: {
      types: page,
      otherTypes: types.length - known.length,
      nextCursor: more ? String(next) : null,
    },
  }
}

/** Of one response, for all types together. A single type has fewer kinds than this. */
const maxKinds = 100
const maxIds = 50
const waitPollMs = 200

/** Or until the time is over. Throws when `signal` is aborted. */
export async function waitFor(
  connection: Connection,
  records: MaskedRecords,
  input: { filter: string; after?: number | undefined; seconds: number },
  signal: AbortSignal,
) {
  await records.refresh()
  const filter = readShownFilter(input.filter, records)
  const { seconds } = input
  const end = performance.now() + seconds * 1000
  let after: number =
    input.after ?? (await connection.call('deliveries.stored', { maxBehind })).newestId
  for (;;) {
    const { rows, upTo } = await connection.call('deliveries.newer', {
      filter,
      after,
      limit: maxIds,
    })
    const ids = rows.map(({ id }) => id)
    // A full page may end before the last examined delivery.
    after = rows.length < maxIds ? Math.max(after, upTo) : (ids.at(-1) ?? after)
    if (ids.length > 0 || performance.now() >= end) {
      const text =
        ids.length > 0
          ? `${ids.length} new deliveries match.`
          : `No delivery matched within ${seconds} seconds. Call again with after.`
      return { text, result: { ids, after } }
    }
    await pause(waitPollMs, undefined, { signal })
  }
}
