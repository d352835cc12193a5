import {
  LogEnd,
  type LogEndpoint,
  LogHead,
  type LogIntegration,
  type LogRun,
  type LogToken,
} from '#contract/event-log.ts'
import type { LogWhat, LogWith } from '#contract/logs.ts'
import { type Db, prepare } from '../../platform/sqlite.ts'
import type { LogItem } from '../items.ts'
import { createDeliveriesReader } from './deliveries.ts'
import { field } from '#catalogue/payload.ts'
import { verdicts } from '#contract/verdicts.ts'
import { parseBody } from '../../capture/parse-body.ts'
import { blockOf, firstOf, lastOf, Pace } from '../../search/scan.ts'
import { readStats } from '../../deliveries/store.ts'
import { readEndpoints } from '../../endpoints/store.ts'
import { readIntegrations } from '../../integrations/store.ts'
import { countRuns, readRunsAfter } from '../../oauth/store.ts'
import { readTokens } from '../../tokens/store.ts'
import { AppError } from '../../platform/errors.ts'
import type { SqlValue } from '../../search/sql.ts'
import type { CompiledFilter } from '../../search/compile.ts'
import { readFilter } from '../../search/read-filter.ts'
import { readTrace } from '../../traces/read-trace.ts'

/** Ids of a step, at most. */
const stepIds = 8192

/** Which deliveries an export holds. Those that arrive after it began are not among them. */
interface Selection {
  /** How many there are, where it is all of them; null: there is a condition. */
  readonly all: number | null
  /** Without the search index it would not be known what belongs to it. */
  readonly needsIndex: boolean
  /** How many of the deliveries are still to go into the search index, which also tells what repeats what. */
  behind(): number
  /** Oldest first, in steps, some of them empty, so that whoever reads can do something else in between. */
  ids(): Generator<readonly number[], void, undefined>
}

/** Throws `bad_filter`; `not_found` where the delivery whose trace is asked for is gone. */
function openSelection(db: Db, what: LogWhat, asOf: number): Selection {
  const filter = readFilter(db, what.filter, asOf)
  const { newestId, deliveries } = readStats(db)
  if (what.traceOf !== null) assertThere(db, what.traceOf)
  const bounds = boundsOf(what)
  const listed = what.ids !== null || what.traceOf !== null
  const needsIndex = filter.needsIndex || what.traceOf !== null
  let chosen: readonly number[] | null = null

  return {
    all: filter.all && !listed && bounds.sql === '' ? deliveries : null,
    needsIndex,
    behind: () => Math.max(0, newestId - readStats(db).indexedId),
    *ids() {
      if (!listed) yield* scan(db, filter, bounds, newestId)
      else {
        chosen ??= chosenOf(db, what, newestId)
        yield* look(db, filter, bounds, chosen)
      }
    },
  }
}

interface Bounds {
  /** Goes on a WHERE over `delivery AS d`; empty: no bounds. */
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

function assertThere(db: Db, id: number): void {
  if (prepare<[number], { id: number }>(db, 'SELECT id FROM delivery WHERE id = ?').get(id)) return
  throw new AppError(
    'not_found',
    `There is no delivery ${id}. It may have been deleted, or have made room for newer ones.`,
  )
}

/** The ids that were named, by choice or by a trace, or by both; oldest first, each once. */
function chosenOf(db: Db, { ids, traceOf }: LogWhat, newestId: number): number[] {
  const traced =
    traceOf === null
      ? null
      : new Set(readTrace(db, traceOf)?.entries.map((entry) => entry.row.id) ?? [])
  const named = ids === null ? [...(traced ?? [])] : [...new Set(ids)]
  return named
    .filter((id) => id <= newestId && (traced === null || traced.has(id)))
    .toSorted((a, b) => a - b)
}

/** Along the ids, by the filter's own index, in statements that are short whatever the filter costs. */
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
  const span = spanOf(db, bounds, newestId)
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

/** From which id to which there can be any. Clocks are set back: the bounds are looked at again on each row. */
function spanOf(db: Db, bounds: Bounds, newestId: number): { lo: number; hi: number } {
  const row = prepare<[Record<string, SqlValue>], { lo: number | null; hi: number | null }>(
    db,
    bounds.sql === ''
      ? 'SELECT min(id) AS lo, @newest AS hi FROM delivery'
      : `SELECT min(d.id) AS lo, max(d.id) AS hi FROM delivery AS d INDEXED BY delivery_by_time WHERE 1${bounds.sql}`,
  ).get({ ...bounds.values, newest: newestId })
  return { lo: row?.lo ?? 1, hi: Math.min(row?.hi ?? 0, newestId) }
}

/** Those of the ids that fit. */
function* look(
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

/** Records of one read: each holds whole exchanges. */
const readRuns = 8

/** Integrations, endpoints, tokens and runs, each by their ids. Never a secret, never a token: what seals them stays where it is. */
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
    yield {
      kind: 'token',
      id: token.id,
      integrationId: token.integrationId,
      label: token.label,
      initiated: token.initiated,
      expires: token.expires,
      expiresIn: token.expiresIn,
      obtainedAt: token.obtainedAt,
      version: token.version,
      standing: token.standing,
      findings: [...token.findings],
      events: [...token.events],
    }
  }
  for (let after = 0; ;) {
    const runs = readRunsAfter(db, after, readRuns)
    for (const run of runs) yield { kind: 'run', run }
    const last = runs.at(-1)
    if (!last) return
    after = last.id
  }
}

/** How many there are of each. */
function countAuthorization(db: Db): {
  integrations: number
  endpoints: number
  tokens: number
  runs: number
} {
  return {
    integrations: readIntegrations(db).length,
    endpoints: readEndpoints(db).length,
    tokens: readTokens(db).length,
    runs: countRuns(db),
  }
}

/** So many are kept in mind, at most: memory must not grow with the store. */
const mostHandles = 100_000
/** What carries a guest's handle is small. */
const bodyLimit = 64 * 1024

/** Types whose `data.handle` is how a guest can be reached: phone number or e-mail address (SPEC, "Guests"). */
const guestTypes = ['GUEST_SUBSCRIBED', 'GUEST_UNSUBSCRIBED'] as const

function list(values: readonly string[]): string {
  return values.map((each) => `'${each}'`).join(', ')
}

/**
 * Handles of guests, those of the newest deliveries first, each once. A block of ids at a time, by the index over types, so that a store
 * without guests is looked through in an instant.
 */
function* readHandles(db: Db): Generator<string, void, undefined> {
  const find = prepare<[number, number], number>(
    db,
    `SELECT id FROM delivery INDEXED BY delivery_by_type
     WHERE type IN (${list(guestTypes)}) AND verdict IN (${list(verdicts)}) AND id BETWEEN ? AND ?
     ORDER BY id DESC`,
  ).pluck()
  const bodyOf = prepare<[number, number], Uint8Array | null>(
    db,
    'SELECT body FROM delivery_content WHERE id = ? AND length(body) <= ?',
  ).pluck()
  const told = new Set<string>()
  for (let block = blockOf(readStats(db).newestId); block >= 0; block -= 1) {
    for (const id of find.all(firstOf(block), lastOf(block))) {
      const parsed = parseBody(bodyOf.get(id, bodyLimit) ?? new Uint8Array())
      const handle = parsed.kind === 'object' ? field(parsed.payload.data, 'handle') : undefined
      if (typeof handle !== 'string' || handle.trim() === '' || told.has(handle)) continue
      told.add(handle)
      yield handle
      if (told.size >= mostHandles) return
    }
  }
}

/** What is read of a store, or of an imported log, for an export. */
export interface LogSource {
  readonly scope: LogHead['scope']
  /** The head and the end of the imported log that this is the whole of; null: it is the live store, or a part. */
  readonly origin: { readonly head: LogHead; readonly end: LogEnd | null } | null
  /** What is asked for cannot be told without the search index. */
  readonly needsIndex: boolean
  /** What was taken out of an imported log before it came here, of all of it and of each part; null: it does not say, or is the live store. */
  readonly redaction: LogHead['redaction'] | null
  /** How many deliveries the search index has still to take in: what they repeat is not known before. */
  behind(): number
  /** Counts in steps, for whoever has something else to do in between; yields how many it has found so far. */
  counting(): Generator<number, void, undefined>
  /** Counted at once where that was not done before. */
  readonly counts: LogHead['counts']
  /** In the order of a log. Each call begins anew. `step` is called again and again, also while nothing is found, and may throw. */
  items(step?: () => void): Generator<LogItem, void, undefined>
  /** Handles of guests in the whole store, for the redaction. */
  handles(): Iterable<string>
}

/**
 * Over a read-only connection. `asOf`: what `since:2h` counts from, in milliseconds since the epoch. Throws `bad_filter`, and `not_found`
 * where the delivery whose trace is asked for is gone.
 */
export function openLogSource(db: Db, what: LogWhat, parts: LogWith, asOf: number): LogSource {
  const selection = openSelection(db, what, asOf)
  const origin = readOrigin(db)
  const none = { integrations: 0, endpoints: 0, tokens: 0, runs: 0 }
  const others = parts.authorization ? countAuthorization(db) : none
  let counted: number | null = null

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
    behind: () => selection.behind(),
    counting,
    get counts() {
      // oxlint-disable-next-line no-empty -- what it yields is for those who wait
      for (const _ of counting()) {
      }
      return { deliveries: counted ?? 0, ...others }
    },
    *items(step) {
      if (parts.authorization) yield* readAuthorization(db)
      const read = createDeliveriesReader(db, parts)
      for (const ids of selection.ids()) {
        step?.()
        for (const delivery of read(ids)) yield { kind: 'delivery', delivery }
      }
    },
    handles: () => readHandles(db),
  }
}

function scopeOf({ filter, from, to, ids, traceOf }: LogWhat): LogHead['scope'] {
  return { filter, from, to, chosen: ids === null ? null : new Set(ids).size, traceOf }
}

/** What an imported log said of itself. */
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
