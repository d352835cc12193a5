import { describeInputIssue } from '#contract/input-issues.ts'
import type { CallName, CallOutput, ParsedInput } from '#contract/calls.ts'
import { deliveryCalls, type Diagnosis, type Related } from '#contract/deliveries.ts'
import { rehearsalCalls } from '#contract/rehearsal.ts'
import { sendingCalls } from '#contract/sending.ts'
import type { Settings, SignatureReport } from '#contract/models.ts'
import { AppError, badInput } from '#engine/platform/errors.ts'
import { traceOf } from '#engine/traces/collect.ts'
import type { PageLog, PageRehearsal } from '../log/log.ts'
import { createPageSearch } from '../search/search.ts'
import { snapshotOf } from './snapshot.ts'
import { groupsOf, timelineOf } from './timeline.ts'
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
import { toHex } from '#shared/bytes/text.ts'
import { throttleOf } from '#engine/traces/marks.ts'
import { targetOf } from '#engine/traces/model.ts'

const shown = 20
const scansLookedInto = 2000

/** Returns deliveries of this file that are similar to a delivery; null: no delivery with this id. */
function relatedTo(log: PageLog, records: TraceRecords, id: number): Related | null {
  const delivery = records.traced(id)
  if (!delivery) return null
  const { row, payload } = delivery
  // Compare only complete, non-empty bodies: partial bodies may have the same start, and empty bodies are always equal.
  const whole = row.arrival === 'complete' && row.bytes > 0
  const event = whole ? eventOf(payload) : null
  const target = targetOf(payload)
  const scans =
    payload.type === 'QR_SCANNED' && target !== null
      ? records.source().mentioning(target, {
          around: id,
          limit: scansLookedInto,
          wanted: (head) => head.type === 'QR_SCANNED' && head.target === target,
        }).found
      : []
  return {
    sameBody: duplicates(
      log,
      (one) => whole && one.id !== id && isWhole(one) && one.sha256 === row.sha256,
    ),
    sameEvent: duplicates(
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

/** Returns matching deliveries, newest first. */
function duplicates(log: PageLog, is: (row: PageSummary) => boolean): Related['sameBody'] {
  const found = log.rows.filter(is).toReversed()
  return { total: found.length, rows: found.slice(0, shown) }
}

/** Maximum number of suggestions. */
const maxSuggestions = 50
/** Number of the newest deliveries whose header names are suggested. */
const headerRows = 500

/** Returns values of a field with the prefix (case-insensitive), most frequent first. */
function suggestionsIn(
  log: PageLog,
  { field, prefix }: ParsedInput<'filters.suggest'>,
): CallOutput<'filters.suggest'> {
  const counts = new Map<string, number>()
  for (const value of valuesOf(log, field)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .filter(([value]) => value.toLowerCase().startsWith(prefix.toLowerCase()))
    .toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))
    .slice(0, maxSuggestions)
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
    case 'spot':
      return log.rows.flatMap(({ facts }) => facts?.spot ?? [])
    case 'zone':
      return log.rows.flatMap(({ facts }) => facts?.zone ?? [])
    case 'item':
      return log.rows.flatMap(({ facts }) => facts?.items ?? [])
    case 'tab':
    case 'order':
    case 'guest':
      return log.rows.flatMap(({ facts }) => facts?.[field]?.name ?? [])
    case 'tag':
      return log.rows.flatMap(({ tags }) => tags)
    case 'relay':
      return log.rows.flatMap(({ relay }) => relay?.name ?? [])
    case 'receiver':
      return log.rows.flatMap(({ relay }) => relay?.receiver ?? [])
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
    // A damaged block is reported when the delivery is opened.
    return []
  }
}

type ViewerHandlers = {
  readonly [N in CallName]?: (input: ParsedInput<N>) => CallOutput<N> | Promise<CallOutput<N>>
}

/** Handles a call of the contract with the data of the page. Rejects with an `AppError`. */
export type HandleCall = (name: string, input: unknown) => Promise<unknown>

/** Creates the call handlers of the page. Only calls that read deliveries and rehearsals are supported. `now`: milliseconds since the epoch. */
export function createHandlers(
  log: PageLog,
  now: () => number,
  theme: Settings['theme'] = 'system',
): HandleCall {
  const search = createPageSearch(log, endpointsOf(log))
  const records = createTraceRecords(log)
  const newestId = log.rows.at(-1)?.id ?? 0

  const handlers: ViewerHandlers = {
    'app.snapshot': () => snapshotOf(log, theme),
    'deliveries.page': (input) => search.page({ ...input, asOf: input.asOf ?? now() }),
    // The page receives no new deliveries.
    'deliveries.newer': () => ({ rows: [], upTo: newestId }),
    'deliveries.since': () => [],
    'deliveries.get': ({ id }) => deliveryOf(log, id),
    'deliveries.body': (input) => bodyOf(log, input),
    'deliveries.headers': ({ id }) => headersOf(log, id),
    'deliveries.values': ({ ids, paths }) => search.values(ids, paths),
    'deliveries.signature': ({ id }) => capturedReport(log, id),
    'deliveries.diagnose': ({ id, candidate }) => diagnose(log, id, candidate),
    'deliveries.trace': ({ id }) => {
      const source = records.source()
      const from = source.read(id)
      return from ? { ...traceOf(source, from), indexedId: newestId } : gone(id)
    },
    'deliveries.related': ({ id }) => relatedTo(log, records, id) ?? gone(id),
    'deliveries.groups': (input) => groupsOf(log, search, input, now()),
    'deliveries.timeline': (input) => timelineOf(log, search, input, now()),
    'filters.saved': () => [],
    'hold.state': () => ({ rules: [], held: [], notHeld: 0 }),
    'filters.suggest': (input) => suggestionsIn(log, input),
    'rehearsals.list': () => log.rehearsals.map(({ rehearsal }) => rehearsal),
    'rehearsals.get': ({ id }) => {
      const { rehearsal, results } = rehearsalOf(log, id)
      return { rehearsal, results: [...results], client: null }
    },
    'rehearsals.requests': ({ id, caseId }) => rehearsalOf(log, id).requests(caseId),
    'attempts.list': (input) => attemptsOf(log, input),
    'attempts.get': ({ id }) => attemptOf(log, id).attempt,
    'attempts.body': (input) => slice(attemptBody(log, input), input.offset, input.length),
  }
  return async (name, input) => run(handlers, name, input)
}

/** The supported part of the contract. The complete contract would be a tenth of the page's size. The snapshot has no input. */
const described = { ...deliveryCalls, ...sendingCalls, ...rehearsalCalls }

function gone(id: number): never {
  throw new AppError('not_found', `Delivery ${id} is not in this file.`)
}

function rehearsalOf(log: PageLog, id: number): PageRehearsal {
  const found = log.rehearsals.find(({ rehearsal }) => rehearsal.id === id)
  if (found) return found
  throw new AppError('not_found', `Rehearsal ${id} is not in this file.`)
}

async function run(handlers: ViewerHandlers, name: string, input: unknown): Promise<unknown> {
  const known = Object.entries(handlers).find(([key]) => key === name)
  if (!known) {
    throw new AppError('bad_input', 'This file is read-only.')
  }
  const call = Object.entries(described).find(([key]) => key === name)
  const parsed = call?.[1].input.safeParse(input, { error: describeInputIssue })
  if (parsed?.success === false) throw badInput(parsed.error)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each handler takes the parsed input of its own call
  return (known[1] as (input: unknown) => unknown)(parsed?.data)
}

/** Returns the endpoints for filters: those of the log, or those named by its deliveries if the log contains none. */
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

/** Returns attempts of a delivery, newest first. A log contains no other attempts. */
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
    // Skip deliveries without attempts, so that their contents are not read.
    if (row.lastAttempt === null) continue
    const content = log.content(row.id)
    const attempt = content.fields.attempts.find((one) => one.id === id)
    if (attempt) return { attempt, content }
  }
  throw new AppError('not_found', `Attempt ${id} is not in this file.`)
}

/** Returns the body of an attempt: the captured body if it was sent unchanged, or an empty body if none is stored. Throws `bad_input` for encoded bodies. */
function attemptBody(
  log: PageLog,
  { id, which, decoded }: Pick<ParsedInput<'attempts.body'>, 'id' | 'which' | 'decoded'>,
): Uint8Array {
  const { attempt, content } = attemptOf(log, id)
  const headers = which === 'request' ? attempt.request.headers : (attempt.response?.headers ?? [])
  if (decoded && isEncoded(headers)) {
    throw new AppError('bad_input', 'This page cannot decode the sent body. It is shown encoded.')
  }
  const own: LogBody | null = which === 'request' ? attempt.requestBody : attempt.responseBody
  if (own !== null) return content.bytes(own)
  return which === 'request' ? content.bytes(content.fields.body) : new Uint8Array()
}

/** Returns a delivery without its body. Throws `not_found`. */
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
    storedBytes: keptBody(content)?.length ?? 0,
  }
}

/** Returns a range of the stored or decoded body. Throws `not_found`, and `bad_input` if it could not be decoded. */
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

/** Returns the header breakdown, compared with the endpoint in the log. */
function headersOf(log: PageLog, id: number): CallOutput<'deliveries.headers'> {
  const { endpointId, arrival, verdict } = log.row(id)
  const content = log.content(id)
  const { brand, headers } = content.fields
  const none = { applicationId: '', customHeaders: [] }
  const own = log.endpoints.find((endpoint) => endpoint.id === endpointId)
  const endpoint = endpointId === null ? null : (own ?? none)
  return headerChecks({ brand, endpoint, headers, parsed: parsedBody(content), arrival, verdict })
}

/** Returns the signature check at arrival. It cannot be repeated, because the page has no secrets. */
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

/** Tests a secret that the user enters, if the body is not redacted. Other causes cannot be tested without secrets. */
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
      : 'This file has no secrets, so the causes cannot be tested. The verdict is the one at arrival.',
    causes: [],
    producers: [],
    difference: null,
    tried: 0,
    counts: null,
    exhaustive: true,
    candidate: null,
    rejected: null,
    frameworks: [],
    computed: null,
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
