import {
  LogEnd,
  type LogEndpoint,
  LogHead,
  type LogIntegration,
  LogRehearsal,
  LogRun,
  LogToken,
} from '#contract/event-log.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import { CaseResult, type Rehearsal, RehearsalRequest } from '#contract/rehearsal.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import type { DeliveryItem, ExportedDelivery, LogItem, RehearsalCaseItem } from '../items.ts'
import { createDeliveriesReader } from './deliveries.ts'
import { readRehearsal, readRehearsalRequests, readRehearsalResults } from '../rehearsal-store.ts'
import { Pace } from '../../search/scan.ts'
import { readStats } from '../../deliveries/store.ts'
import { readEndpoints } from '../../deliveries/endpoints/store.ts'
import { readIntegrations } from '../../receiving/integrations/store.ts'
import { countRuns, readRunsAfter } from '../../authorization/oauth/store.ts'
import { readTokens } from '../../authorization/tokens/store.ts'
import { AppError } from '../../platform/errors.ts'
import type { SqlValue } from '../../search/sql.ts'
import type { CompiledFilter } from '../../search/compile.ts'
import { readFilter } from '../../search/read-filter.ts'
import { readTrace } from '../../search/traces/queries.ts'

const stepIds = 8192

interface Selection {
  readonly all: number | null
  readonly needsIndex: boolean
  /** Deliveries that are not in the search index yet. The index also determines which delivery repeats which. */
  unindexed(): number
  /** Oldest first, in steps that may be empty, so that the caller can do other work in between. */
  ids(): Generator<readonly number[], void, undefined>
}

/** Throws `bad_filter`, and `not_found` if the delivery whose trace is requested does not exist. */
function openSelection(db: Db, what: LogWhat, asOf: number): Selection {
  const filter = readFilter(db, what.filter, asOf)
  const { newestId, deliveries } = readStats(db)
  if (what.traceOf !== null) assertExists(db, what.traceOf)
  const bounds = boundsOf(what)
  const listed = what.ids !== null || what.traceOf !== null
  const needsIndex = filter.needsIndex || what.traceOf !== null
  let cachedIds: readonly number[] | null = null

  return {
    all: filter.all && !listed && bounds.sql === '' ? deliveries : null,
    needsIndex,
    unindexed: () => Math.max(0, newestId - readStats(db).indexedId),
    *ids() {
      if (!listed) yield* scan(db, filter, bounds, newestId)
      else {
        cachedIds ??= listedIds(db, what, newestId)
        yield* filterIds(db, filter, bounds, cachedIds)
      }
    },
  }
}

interface Bounds {
  /** To append to a WHERE clause over `delivery AS d`. */
  readonly sql: string
  readonly values: Readonly<Record<string, SqlValue>>
}

function boundsOf({ from, to }: LogWhat): Bounds {
  return {
    sql: `${from === null ? '' : ' AND d.received_us >= @fromUs'}${to === null ? '' : ' AND d.received_us < @toUs'}`,
    values: {
      ...(from === null ? {} : { fromUs: Math.ceil(from * 1000) }),
      ...(to === null ? {} : { toUs: Math.ceil(to * 1000) }),
    },
  }
}

function assertExists(db: Db, id: number): void {
  if (prepare<[number], { id: number }>(db, 'SELECT id FROM delivery WHERE id = ?').get(id)) return
  throw new AppError(
    'not_found',
    `Delivery ${id} does not exist. It may have been deleted manually or by the storage limits.`,
  )
}

/** Those in both if both are given. Oldest first, without duplicates. */
function listedIds(db: Db, { ids, traceOf }: LogWhat, newestId: number): number[] {
  const traced =
    traceOf === null
      ? null
      : new Set(readTrace(db, traceOf)?.entries.map((entry) => entry.delivery.id) ?? [])
  const candidates = ids === null ? [...(traced ?? [])] : [...new Set(ids)]
  return candidates
    .filter((id) => id <= newestId && (traced === null || traced.has(id)))
    .toSorted((a, b) => a - b)
}

/** The ranges adapt so that each statement is short, however slow the filter is. */
function* scan(
  db: Db,
  filter: CompiledFilter,
  bounds: Bounds,
  newestId: number,
): Generator<number[], void, undefined> {
  const find = prepare<[Record<string, SqlValue>], number>(
    db,
    `${filter.select('d.id')}${bounds.sql} ORDER BY d.id LIMIT @limit`,
  ).pluck()
  const span = idRange(db, bounds, newestId)
  const pace = new Pace(filter.readsContent)
  let at = span.lo - 1
  while (at < span.hi) {
    const lo = at + 1
    const hi = Math.min(span.hi, at + pace.span)
    const ids = pace.measure(hi - at, () =>
      find.all({ ...filter.values, ...bounds.values, lo, hi, limit: stepIds }),
    )
    at = ids.length < stepIds ? hi : (ids.at(-1) ?? hi)
    yield ids
  }
}

/** The time bounds are still checked for each row, because a clock may have been set back. */
function idRange(db: Db, bounds: Bounds, newestId: number): { lo: number; hi: number } {
  const row = prepare<[Record<string, SqlValue>], { lo: number | null; hi: number | null }>(
    db,
    bounds.sql === ''
      ? 'SELECT min(id) AS lo, @newest AS hi FROM delivery'
      : `SELECT min(d.id) AS lo, max(d.id) AS hi FROM delivery AS d INDEXED BY delivery_by_time WHERE 1${bounds.sql}`,
  ).get({ ...bounds.values, newest: newestId })
  return { lo: row?.lo ?? 1, hi: Math.min(row?.hi ?? 0, newestId) }
}

function* filterIds(
  db: Db,
  filter: CompiledFilter,
  bounds: Bounds,
  ids: readonly number[],
): Generator<number[], void, undefined> {
  const find = prepare<[Record<string, SqlValue>], number>(
    db,
    `${filter.select('d.id')}${bounds.sql} AND d.id IN (SELECT value FROM json_each(@ids)) ORDER BY d.id`,
  ).pluck()
  const pace = new Pace(filter.readsContent)
  for (let at = 0; at < ids.length;) {
    const step = ids.slice(at, at + Math.min(pace.span, stepIds))
    at += step.length
    const [lo] = step
    const hi = step.at(-1)
    if (lo === undefined || hi === undefined) return
    yield pace.measure(step.length, () =>
      find.all({ ...filter.values, ...bounds.values, lo, hi, ids: JSON.stringify(step) }),
    )
  }
}

const runsPerRead = 8

/** In the order of their ids, without secrets. Parsing sets the order of keys, so that an export of an imported log has the same bytes as the original. */
function* readAuthorization(
  db: Db,
): Generator<LogIntegration | LogEndpoint | LogToken | LogRun, void, undefined> {
  for (const { id, name, kind, brand, baseUrl } of readIntegrations(db)) {
    yield { kind: 'integration', id, name, brand, baseUrl, sandbox: kind === 'sandbox' }
  }
  for (const endpoint of readEndpoints(db)) {
    const { id, integrationId, name, slug, applicationId, customHeaders } = endpoint
    yield {
      kind: 'endpoint',
      id,
      integrationId,
      name,
      slug,
      applicationId,
      customHeaders: [...customHeaders],
    }
  }
  for (const token of readTokens(db)) {
    yield LogToken.parse({ ...token, kind: 'token' })
  }
  for (let after = 0; ;) {
    const runs = readRunsAfter(db, after, runsPerRead)
    for (const run of runs) yield LogRun.parse({ kind: 'run', run })
    const last = runs.at(-1)
    if (!last) return
    after = last.id
  }
}

const noAuthorization = { integrations: 0, endpoints: 0, tokens: 0, runs: 0 }

function countAuthorization(db: Db): typeof noAuthorization {
  return {
    integrations: readIntegrations(db).length,
    endpoints: readEndpoints(db).length,
    tokens: readTokens(db).length,
    runs: countRuns(db),
  }
}

export interface LogSource {
  readonly scope: LogHead['scope']
  /** Head and end of the imported log if all of it is exported. Null: the live store, or a part of a log. */
  readonly origin: { readonly head: LogHead; readonly end: LogEnd | null } | null
  readonly needsIndex: boolean
  /** How an imported log was redacted before its import; also set for a part of it. Null: unknown, or the live store. */
  readonly redaction: LogHead['redaction'] | null
  /** Until 0, it is unknown what deliveries repeat. */
  unindexed(): number
  /** Yields the number found so far, so that the caller can do other work in between. */
  counting(): Generator<number, void, undefined>
  /** Counts synchronously if `counting` has not finished. */
  readonly counts: LogHead['counts']
  records(): Generator<Exclude<LogItem, DeliveryItem>, void, undefined>
  /** Oldest first, in steps that may be empty. */
  deliveryIds(): Generator<readonly number[], void, undefined>
  /** Oldest first. Skips deleted ones. */
  deliveries(ids: readonly number[]): Generator<ExportedDelivery, void, undefined>
}

/** `asOf`: what `since:2h` is relative to. Throws `bad_filter`, and `not_found` if the delivery of the trace or a selected rehearsal does not exist. */
export function openLogSource(db: Db, what: LogWhat, include: LogWith, asOf: number): LogSource {
  const selection = openSelection(db, what, asOf)
  const origin = readOrigin(db)
  const authorizationCounts = include.authorization ? countAuthorization(db) : noAuthorization
  const isCopy = origin !== null && selection.all !== null
  const rehearsals = rehearsalIds(db, include.rehearsals ?? (isCopy ? 'all' : 'none'))
  let counted: number | null = null
  let read: ReturnType<typeof createDeliveriesReader> | null = null

  function* records(): Generator<Exclude<LogItem, DeliveryItem>, void, undefined> {
    if (include.authorization) yield* readAuthorization(db)
    yield* readRehearsalItems(db, rehearsals, include.rehearsalRequests ?? true)
  }

  const deliveries: LogSource['deliveries'] = (ids) =>
    (read ??= createDeliveriesReader(db, include))(ids)

  function* counting(): Generator<number, void, undefined> {
    if (counted !== null) return
    let found = 0
    if (selection.all !== null) found = selection.all
    else {
      for (const ids of selection.ids()) {
        found += ids.length
        yield found
      }
    }
    counted = found
  }

  return {
    scope: selection.all !== null && origin ? origin.head.scope : scopeOf(what),
    origin: selection.all === null ? null : origin,
    needsIndex: selection.needsIndex,
    redaction: origin?.head.redaction ?? null,
    unindexed: () => selection.unindexed(),
    counting,
    get counts() {
      // oxlint-disable-next-line no-empty -- only the final count is needed
      for (const _ of counting()) {
      }
      return {
        deliveries: counted ?? 0,
        ...authorizationCounts,
        ...(rehearsals.length === 0 ? {} : { rehearsals: rehearsals.length }),
      }
    },
    records,
    deliveryIds: () => selection.ids(),
    deliveries,
  }
}

function scopeOf({ filter, from, to, ids, traceOf }: LogWhat): LogHead['scope'] {
  return { filter, from, to, selected: ids === null ? null : new Set(ids).size, traceOf }
}

function readOrigin(db: Db): LogSource['origin'] {
  const row = prepare<[], { head: string; end_line: string | null }>(
    db,
    'SELECT head, end_line FROM log_origin',
  ).get()
  const head = row && LogHead.safeParse(JSON.parse(row.head))
  if (!head?.success) return null
  const end = row?.end_line ? LogEnd.safeParse(JSON.parse(row.end_line)) : null
  return { head: head.data, end: end?.success ? end.data : null }
}

/** Throws `not_found` if a selected run does not exist. */
function rehearsalIds(db: Db, selected: NonNullable<LogWith['rehearsals']>): number[] {
  if (selected === 'none') return []
  const all = prepare<[], number>(db, 'SELECT id FROM rehearsal ORDER BY id').pluck().all()
  if (selected === 'all') return all
  const known = new Set(all)
  const missing = selected.find((id) => !known.has(id))
  if (missing === undefined) return all.filter((id) => selected.includes(id))
  throw new AppError('not_found', `Rehearsal ${missing} does not exist. It may have been deleted.`)
}

/** Each run is followed by its cases. Parsing sets the order of keys, as for runs of authorizations. */
function* readRehearsalItems(
  db: Db,
  ids: readonly number[],
  withRequests: boolean,
): Generator<LogRehearsal | RehearsalCaseItem, void, undefined> {
  for (const id of ids) {
    const rehearsal = readRehearsal(db, id)
    if (!rehearsal) continue
    yield LogRehearsal.parse({ kind: 'rehearsal', rehearsal: ended(rehearsal) })
    for (const result of readRehearsalResults(db, id)) {
      const requests = withRequests ? readRehearsalRequests(db, { id, caseId: result.id }) : []
      yield {
        kind: 'rehearsal_case',
        rehearsal: id,
        result: CaseResult.parse(result),
        requests: requests.map((request) => RehearsalRequest.parse(request)),
      }
    }
  }
}

/** A running rehearsal is exported as interrupted: the file will not get any more of it. */
function ended(rehearsal: Rehearsal): Rehearsal {
  const { state, options } = rehearsal
  if (state !== 'running') return rehearsal
  const progress = options.oauth ? { step: null, progress: null } : {}
  return { ...rehearsal, state: 'interrupted', ...progress }
}
