import type { LogWhat } from '#contract/logs.ts'
import { AppError } from '../../errors.ts'
import type { SqlValue } from '../../search/binder.ts'
import type { CompiledFilter } from '../../search/compile.ts'
import { readFilter } from '../../search/read-filter.ts'
import { Pace } from '../../search/scan.ts'
import { prepare, type Db } from '../../store/driver.ts'
import { readStats } from '../../store/deliveries.ts'
import { readTrace } from '../../trace/read-trace.ts'

/** Ids of a step, at most. */
const stepIds = 8192

/** Which deliveries an export holds. Those that arrive after it began are not among them. */
export interface Selection {
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
export function openSelection(db: Db, what: LogWhat, asOf: number): Selection {
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
    const ids = pace.learn(hi - at, () =>
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
    yield pace.learn(step.length, () =>
      find.all({ ...filter.values, ...bounds.values, lo, hi, ids: JSON.stringify(step) }),
    )
  }
}
