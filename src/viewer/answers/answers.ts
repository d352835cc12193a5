import type { CallName, CallOutput, ParsedInput } from '#contract/calls.ts'
import { deliveryCalls, type Diagnosis, type Related } from '#contract/deliveries.ts'
import { sendingCalls } from '#contract/sending.ts'
import type { Settings, SignatureReport } from '#contract/models.ts'
import { AppError, badInput } from '#engine/platform/errors.ts'
import { traceOf } from '#engine/traces/collect.ts'
import type { PageLog } from '../log/log.ts'
import { createPageSearch } from '../search/search.ts'
import { snapshotOf } from './snapshot.ts'
import { timelineOf } from './timeline.ts'
import { createTraceRecords, type TraceRecords } from './trace-source.ts'
import type { PageContext } from '../search/term-test.ts'
import type { LogAttempt, LogBody } from '#contract/event-log.ts'
import { isEncoded } from '#renderer/features/body/index.ts'
import type { Content } from '../log/content.ts'
import { headerChecks } from '#engine/conformance/header-checks.ts'
import { keptBody, parsedBody } from '../log/texts.ts'
import { signaturesOf } from '#engine/signature/received.ts'
import { eventOf } from '#catalogue/ids.ts'
import type { PageSummary } from '#contract/log-page.ts'
import { toHex } from '#shared/bytes/hex.ts'
import { throttleOf } from '#engine/traces/marks.ts'
import { targetOf } from '#engine/traces/model.ts'

const shown = 20
const scansLookedInto = 2000

/** What else in this file is like a delivery; null: there is no such delivery. */
function relatedTo(log: PageLog, records: TraceRecords, id: number): Related | null {
  const delivery = records.traced(id)
  if (!delivery) return null
  const { row, payload } = delivery
  // A part may begin like another, and nothing is the same as nothing.
  const whole = row.arrival === 'complete' && row.bytes > 0
  const event = whole ? eventOf(payload) : null
  const target = targetOf(payload)
  const scans =
    payload.type === 'QR_SCANNED' && target !== null
      ? records.source().mentioning(target, {
          around: id,
          most: scansLookedInto,
          wanted: (head) => head.type === 'QR_SCANNED' && head.target === target,
        }).found
      : []
  return {
    sameBody: alike(
      log,
      (one) => whole && one.id !== id && isWhole(one) && one.sha256 === row.sha256,
    ),
    sameEvent: alike(
      log,
      (one) =>
        event !== null &&
        one.id !== id &&
        one.type === row.type &&
        one.target === row.target &&
        one.createdAt === row.createdAt &&
        one.sha256 !== row.sha256 &&
        isWhole(one) &&
        eventOf(records.traced(one.id)?.payload ?? {}) === event,
    ),
    throttle: throttleOf(delivery, scans),
    indexed: true,
  }
}

function isWhole({ arrival, bytes }: PageSummary): boolean {
  return arrival === 'complete' && bytes > 0
}

/** Newest first. */
function alike(log: PageLog, is: (row: PageSummary) => boolean): Related['sameBody'] {
  const found = log.rows.filter(is).toReversed()
  return { total: found.length, rows: found.slice(0, shown) }
}

/** Answered at most. */
const most = 50
/** Names of headers are those of so many deliveries, the newest. */
const headerRows = 500

/** Values of a field that were seen and begin so, whatever their case, the most frequent first. */
function suggestionsIn(
  log: PageLog,
  { field, prefix }: ParsedInput<'filters.suggest'>,
): CallOutput<'filters.suggest'> {
  const counts = new Map<string, number>()
  for (const value of valuesOf(log, field)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .filter(([value]) => value.toLowerCase().startsWith(prefix.toLowerCase()))
    .toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([value]) => value)
}

function valuesOf(log: PageLog, field: ParsedInput<'filters.suggest'>['field']): string[] {
  switch (field) {
    case 'location':
      return log.rows.flatMap(({ locationName }) => locationName ?? [])
    case 'type':
      return log.rows.flatMap(({ type }) => type ?? [])
    case 'status':
      return log.rows.flatMap(({ status }) => (status === null ? [] : String(status)))
    case 'tag':
      return log.rows.flatMap(({ tags }) => tags)
    case 'finding':
      return log.rows.flatMap(({ findings }) => findings.map(({ code }) => code))
    case 'header':
      return log.rows.slice(-headerRows).flatMap(({ id }) => headerNames(log, id))
  }
}

function headerNames(log: PageLog, id: number): string[] {
  try {
    return log.content(id).fields.headers.map(([name]) => name.toLowerCase())
  } catch {
    // A damaged block is told of where it is opened.
    return []
  }
}

type Answers = {
  readonly [N in CallName]?: (input: ParsedInput<N>) => CallOutput<N> | Promise<CallOutput<N>>
}

/** Answers a call of the contract from the records of the page. Rejects with an `AppError`. */
export type Answer = (name: string, input: unknown) => Promise<unknown>

/** The engine of the page: what reads deliveries is answered, and nothing else. `now`: milliseconds since the epoch. */
export function createAnswers(
  log: PageLog,
  now: () => number,
  theme: Settings['theme'] = 'system',
): Answer {
  const search = createPageSearch(log, endpointsOf(log))
  const records = createTraceRecords(log)
  const newestId = log.rows.at(-1)?.id ?? 0

  const answers: Answers = {
    'app.snapshot': () => snapshotOf(log, theme),
    'deliveries.page': (input) => search.page({ ...input, asOf: input.asOf ?? now() }),
    // Nothing arrives here.
    'deliveries.newer': () => ({ rows: [], upTo: newestId }),
    'deliveries.since': () => [],
    'deliveries.get': ({ id }) => deliveryOf(log, id),
    'deliveries.body': (input) => bodyOf(log, input),
    'deliveries.headers': ({ id }) => headersOf(log, id),
    'deliveries.signature': ({ id }) => capturedReport(log, id),
    'deliveries.diagnose': ({ id, candidate }) => diagnose(log, id, candidate),
    'deliveries.trace': ({ id }) => {
      const source = records.source()
      const from = source.read(id)
      return from ? { ...traceOf(source, from), indexedId: newestId } : gone(id)
    },
    'deliveries.related': ({ id }) => relatedTo(log, records, id) ?? gone(id),
    'deliveries.timeline': (input) => timelineOf(log, search, input, now()),
    'filters.saved': () => [],
    'filters.suggest': (input) => suggestionsIn(log, input),
    'attempts.list': (input) => attemptsOf(log, input),
    'attempts.get': ({ id }) => attemptOf(log, id).attempt,
    'attempts.body': (input) => slice(attemptBody(log, input), input.offset, input.length),
  }
  return async (name, input) => answer(answers, name, input)
}

/** What is asked here, and not all of the contract: it would be a tenth of the page. The snapshot takes nothing. */
const described = { ...deliveryCalls, ...sendingCalls }

function gone(id: number): never {
  throw new AppError('not_found', `Delivery ${id} is not in this file.`)
}

async function answer(answers: Answers, name: string, input: unknown): Promise<unknown> {
  const known = Object.entries(answers).find(([key]) => key === name)
  if (!known) {
    throw new AppError('bad_input', 'This file only shows: that cannot be done here.')
  }
  const call = Object.entries(described).find(([key]) => key === name)
  const parsed = call?.[1].input.safeParse(input)
  if (parsed?.success === false) throw badInput(parsed.error)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each answer takes what its own call was parsed to
  return (known[1] as (input: unknown) => unknown)(parsed?.data)
}

/** The endpoints that a filter may name: those of the log; where it was written without any, those that its deliveries name. */
export function endpointsOf({ endpoints, integrations, rows }: PageLog): PageContext['endpoints'] {
  if (endpoints.length > 0) {
    return endpoints.map(({ id, name, slug, integrationId }) => ({
      id,
      name,
      slug,
      integration: {
        id: integrationId,
        name: integrations.find((integration) => integration.id === integrationId)?.name ?? '',
      },
    }))
  }
  const named = new Map<number, PageContext['endpoints'][number]>()
  for (const { endpointId: id, endpointName: name } of rows) {
    if (id !== null && name !== null) {
      named.set(id, { id, name, slug: '', integration: { id: 0, name: '' } })
    }
  }
  return [...named.values()]
}

/** Newest first. Only a delivery's: what else attempts may belong to is not in a log. */
function attemptsOf(
  log: PageLog,
  { deliveryId, before, limit }: ParsedInput<'attempts.list'>,
): CallOutput<'attempts.list'> {
  if (deliveryId === undefined) return { rows: [], total: 0, notForwarded: [] }
  const { attempts, notForwarded } = log.content(deliveryId).fields
  const newest = attempts.toSorted((a, b) => b.id - a.id)
  return {
    rows: newest.filter(({ id }) => before === undefined || id < before).slice(0, limit),
    total: newest.length,
    notForwarded,
  }
}

/** Throws `not_found`. */
function attemptOf(log: PageLog, id: number): { attempt: LogAttempt; content: Content } {
  for (const row of log.rows) {
    // Most were never sent on: their contents are not read for it.
    if (row.sent === null) continue
    const content = log.content(row.id)
    const attempt = content.fields.attempts.find((one) => one.id === id)
    if (attempt) return { attempt, content }
  }
  throw new AppError('not_found', `Attempt ${id} is not in this file.`)
}

/** As captured where it was sent so; empty where none is kept. Throws `bad_input` where it was to be decoded, which a page cannot do. */
function attemptBody(
  log: PageLog,
  { id, which, decoded }: Pick<ParsedInput<'attempts.body'>, 'id' | 'which' | 'decoded'>,
): Uint8Array {
  const { attempt, content } = attemptOf(log, id)
  const headers = which === 'request' ? attempt.request.headers : (attempt.answer?.headers ?? [])
  if (decoded && isEncoded(headers)) {
    throw new AppError(
      'bad_input',
      'This page cannot undo the encoding of what was sent. It is shown as it went.',
    )
  }
  const own: LogBody | null = which === 'request' ? attempt.requestBody : attempt.answerBody
  if (own !== null) return content.bytes(own)
  return which === 'request' ? content.bytes(content.fields.body) : new Uint8Array()
}

/** Everything about one delivery but its body. Throws `not_found`. */
function deliveryOf(log: PageLog, id: number): CallOutput<'deliveries.get'> {
  const row = log.row(id)
  const content = log.content(id)
  const { httpVersion, remoteAddress, headers, trailers, reason, brand, note } = content.fields
  return {
    ...row,
    httpVersion,
    remoteAddress,
    headers,
    trailers,
    reason,
    brand,
    note,
    bytesKept: keptBody(content)?.length ?? 0,
  }
}

/** A slice of the body, as kept or decoded. Throws `not_found`, and `bad_input` for what could not be decoded. */
function bodyOf(
  log: PageLog,
  { id, offset, length, decoded }: ParsedInput<'deliveries.body'>,
): CallOutput<'deliveries.body'> {
  const { fields, bytes } = log.content(id)
  return slice(
    bytes(decoded && fields.decoded !== null ? fields.decoded : fields.body),
    offset,
    length,
  )
}

function slice(
  bytes: Uint8Array,
  offset: number,
  length: number,
): { bytes: Uint8Array; size: number } {
  return { bytes: bytes.subarray(offset, offset + length), size: bytes.length }
}

/** The header breakdown, against the endpoint as the log has it. */
function headersOf(log: PageLog, id: number): CallOutput<'deliveries.headers'> {
  const { endpointId, arrival, verdict } = log.row(id)
  const content = log.content(id)
  const { brand, headers } = content.fields
  const none = { applicationId: '', customHeaders: [] }
  const own = log.endpoints.find((endpoint) => endpoint.id === endpointId)
  const endpoint = endpointId === null ? null : (own ?? none)
  return headerChecks({ brand, endpoint, headers, parsed: parsedBody(content), arrival, verdict })
}

/** The check as it was when the delivery came: there are no secrets here to check it with again. */
function capturedReport(log: PageLog, id: number): SignatureReport {
  const { verdict, bytes } = log.row(id)
  const { fields } = log.content(id)
  const { body, bodyRedacted } = fields
  return {
    verdict,
    ...signaturesOf(fields),
    computed: [],
    bytes,
    steps: [],
    changedSince: false,
    ofLog: { bodyRedacted, omitted: 'omitted' in body ? body.omitted : null },
  }
}

/** Without secrets nothing can be tried but one that the reader gives, and that only on a body that is still as it came. */
async function diagnose(
  log: PageLog,
  id: number,
  candidate: string | undefined,
): Promise<Diagnosis> {
  const { verdict } = log.row(id)
  const content = log.content(id)
  const { received } = signaturesOf(content.fields)
  const body = keptBody(content)
  const nothing: Diagnosis = {
    verdict,
    conclusion: content.fields.bodyRedacted
      ? 'This body was redacted, so no signature can be checked against it.'
      : 'This file has no secrets, so the causes cannot be tried here. What was found when it came is the verdict.',
    causes: [],
    tried: 0,
    exhaustive: true,
    candidate: null,
  }
  if (candidate === undefined || content.fields.bodyRedacted || body === null) return nothing
  const signature = await hmacHex(candidate, body)
  const matches = received.some((value) => value.trim().toLowerCase() === signature)
  return { ...nothing, tried: 1, candidate: matches ? 'matches' : 'differs' }
}

async function hmacHex(secret: string, body: Uint8Array): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
  const digest = await crypto.subtle.sign('HMAC', key, new Uint8Array(body))
  return toHex(new Uint8Array(digest))
}
