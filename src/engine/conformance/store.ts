import { setImmediate as turn } from 'node:timers/promises'
import type { FindingKind, TypeConformance, HeaderCheck } from '#contract/deliveries.ts'
import { Severity, type Header } from '#contract/models.ts'
import { verdicts } from '#contract/verdicts.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { parseBody } from '../capture/parse-body.ts'
import { headerChecks } from './header-checks.ts'
import { readBody, readDelivery } from '../deliveries/store.ts'
import { readEndpoints } from '../endpoints/store.ts'

/** Milliseconds since the epoch; null: all. */
export interface ConformanceInput {
  readonly since: number | null
  readonly before: number | null
}

/** A sender may name a million types: so many are told of. */
const mostTypes = 500
/** A range of ids is counted so many at a time. */
const countedAtOnce = 200_000
/** After so long others have their turn on this thread, in milliseconds. */
const turnMs = 20

interface Range {
  readonly from: number
  readonly to: number
}

interface Counted {
  readonly count: number
  readonly firstId: number
  readonly lastId: number
}

/** Along an index, which is in order of id: neither counting nor the two ends sort anything. */
const rangeSql = (table: string, id: string, where: string): string =>
  `SELECT count(*) AS n, min(${id}) AS least, max(${id}) AS greatest FROM ${table} WHERE ${where} AND ${id} BETWEEN ? AND ?`

export const conformanceSql = {
  ofType: rangeSql('delivery', 'id', 'type IS ? AND verdict = ?'),
  ofKind: rangeSql('delivery_finding', 'delivery_id', 'kind_id = ?'),
  nextType: 'SELECT type FROM delivery WHERE type > ? ORDER BY type LIMIT 1',
  sinceId: 'SELECT id FROM delivery WHERE received_us >= ? ORDER BY received_us LIMIT 1',
  beforeId: 'SELECT id FROM delivery WHERE received_us < ? ORDER BY received_us DESC LIMIT 1',
  kinds: 'SELECT id, code, place, severity FROM finding_kind WHERE type = ?',
  receivedUs: 'SELECT received_us AS us FROM delivery WHERE id = ?',
} as const

/**
 * For each type how many deliveries there are, and of each kind of finding how many, first and last. Deliveries are in order of their
 * arrival: where the computer's clock was put back between two runs, the edges of a time are those of the order. In steps, with turns for
 * others in between.
 */
export async function readConformance(db: Db, input: ConformanceInput): Promise<TypeConformance[]> {
  const range = rangeOf(db, input)
  if (!range) return []
  const receivedUs = prepare<[number], { us: number }>(db, conformanceSql.receivedUs)
  const at = (id: number): number => (receivedUs.get(id)?.us ?? 0) / 1000
  const told = ({ count, firstId, lastId }: Counted) => ({
    count,
    firstId,
    firstAt: at(firstId),
    lastId,
    lastAt: at(lastId),
  })
  const kindsOf = prepare<[string], { id: number; code: string; place: string; severity: string }>(
    db,
    conformanceSql.kinds,
  )
  const give = turns()
  const types: TypeConformance[] = []
  for (const type of typesOf(db)) {
    const arms: Counted[] = []
    for (const verdict of verdicts) {
      arms.push(...(await count(db, conformanceSql.ofType, [type, verdict], range, give)))
    }
    const whole = joined(arms)
    if (!whole) continue
    const findings: FindingKind[] = []
    for (const { id, code, place, severity } of kindsOf.all(type ?? '')) {
      const found = joined(await count(db, conformanceSql.ofKind, [id], range, give))
      if (found) findings.push({ code, place, severity: Severity.parse(severity), ...told(found) })
    }
    findings.sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    types.push({ type, ...told(whole), findings })
  }
  return types
}

/** Which ids lie in the time; null: none. */
function rangeOf(db: Db, { since, before }: ConformanceInput): Range | null {
  const id = (sql: string, ms: number): number | null =>
    prepare<[number], { id: number }>(db, sql).get(Math.round(ms * 1000))?.id ?? null
  const from = since === null ? oldestId(db) : id(conformanceSql.sinceId, since)
  const to = before === null ? newestId(db) : id(conformanceSql.beforeId, before)
  return from === null || to === null || from > to ? null : { from, to }
}

/** All types there are, those without one last. By jumping from each to the next. */
function typesOf(db: Db): (string | null)[] {
  const next = prepare<[string], { type: string }>(db, conformanceSql.nextType)
  const types: (string | null)[] = []
  let type = next.get('')?.type
  for (; type !== undefined && types.length < mostTypes; type = next.get(type)?.type) {
    types.push(type)
  }
  return [...types, null]
}

/** Over a large range in parts, so that nobody waits long. */
async function count(
  db: Db,
  sql: string,
  which: readonly (string | number | null)[],
  range: Range,
  give: () => Promise<void>,
): Promise<Counted[]> {
  const query = prepare<
    (string | number | null)[],
    { n: number; least: number | null; greatest: number | null }
  >(db, sql)
  const parts: Counted[] = []
  for (let from = range.from; from <= range.to; from += countedAtOnce) {
    await give()
    const row = query.get(...which, from, Math.min(range.to, from + countedAtOnce - 1))
    if (!row || row.least === null || row.greatest === null) continue
    parts.push({ count: row.n, firstId: row.least, lastId: row.greatest })
  }
  return parts
}

/** Null: nothing was counted. */
function joined(parts: readonly Counted[]): Counted | null {
  const [first, ...rest] = parts
  if (!first) return null
  return rest.reduce(
    (whole, part) => ({
      count: whole.count + part.count,
      firstId: Math.min(whole.firstId, part.firstId),
      lastId: Math.max(whole.lastId, part.lastId),
    }),
    first,
  )
}

function oldestId(db: Db): number | null {
  return (
    prepare<[], { id: number | null }>(db, 'SELECT min(id) AS id FROM delivery').get()?.id ?? null
  )
}

function newestId(db: Db): number {
  return prepare<[], { id: number }>(db, 'SELECT last_id AS id FROM progress').get()?.id ?? 0
}

/** Gives others a turn where the last was a while ago. */
function turns(): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < turnMs) return
    await turn()
    last = performance.now()
  }
}

export interface HeaderChecksQuery {
  readonly id: number
  /** Of the endpoint as it is now; null: it is not there any more, or the delivery is one of an event log, whose endpoints stand beside it. */
  readonly settings: {
    readonly applicationId: string
    readonly customHeaders: readonly Header[]
  } | null
}

/** The header breakdown of a delivery; null: there is no such delivery. */
export function readHeaderChecks(
  db: Db,
  { id, settings }: HeaderChecksQuery,
): HeaderCheck[] | null {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  const { brand, headers, arrival, verdict, endpointId } = delivery
  const none = { applicationId: '', customHeaders: [] }
  const beside = (): HeaderChecksQuery['settings'] =>
    readEndpoints(db).find((each) => each.id === endpointId) ?? null
  const endpoint = endpointId === null ? null : (settings ?? beside() ?? none)
  return headerChecks({ brand, endpoint, headers, parsed: parseBody(body.bytes), arrival, verdict })
}
