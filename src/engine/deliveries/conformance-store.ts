import { eventTypes } from '#catalogue/catalogue.ts'
import type { ParsedInput } from '#contract/calls.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { FindingKind, TypeConformance, HeaderCheck } from '#contract/deliveries.ts'
import type { Header, Severity } from '#contract/models.ts'
import { verdicts } from '#contract/constants.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { headerChecks } from '../payload/conformance/header-checks.ts'
import { readDelivery } from './store.ts'
import { readEndpoints } from './endpoints/store.ts'

/** Milliseconds since the epoch; null: no limit. */
export type ConformanceInput = Omit<ParsedInput<'deliveries.conformance'>, 'log'>

/** A sender may use a million event types. */
const maxTypes = 500
const countRange = 200_000
const yieldAfterMs = 20

interface Range {
  readonly from: number
  readonly to: number
}

interface Counted {
  readonly count: number
  readonly firstId: number
  readonly lastId: number
}

/** Uses an index in order of ID, so neither the count nor the minimum and maximum require a sort. */
const rangeSql = (table: string, id: string, where: string): string =>
  `SELECT count(*) AS n, min(${id}) AS least, max(${id}) AS greatest FROM ${table} WHERE ${where} AND ${id} BETWEEN ? AND ?`

export const conformanceSql = {
  ofType: rangeSql('delivery', 'id', 'type IS ? AND verdict = ?'),
  ofKind: rangeSql(
    'delivery INDEXED BY delivery_by_finding_list',
    'id',
    'finding_list_id IN (SELECT list_id FROM finding_list_kind WHERE kind_id = ?)',
  ),
  nextType: 'SELECT type FROM delivery WHERE type > ? ORDER BY type LIMIT 1',
  sinceId: 'SELECT id FROM delivery WHERE received_us >= ? ORDER BY received_us LIMIT 1',
  beforeId: 'SELECT id FROM delivery WHERE received_us < ? ORDER BY received_us DESC LIMIT 1',
  kinds: 'SELECT id, code, location, severity FROM finding_kind WHERE type = ?',
  receivedUs: 'SELECT received_us AS us FROM delivery WHERE id = ?',
} as const

/**
 * Counts deliveries for each event type, and each kind of finding with its first and last delivery. The time range is mapped to IDs, which are in order
 * of arrival even if the computer's clock was set back. Yields to other tasks between steps.
 */
export async function readConformance(db: Db, input: ConformanceInput): Promise<TypeConformance[]> {
  const range = rangeOf(db, input)
  if (!range) return []
  const receivedUs = prepare<[number], { us: number }>(db, conformanceSql.receivedUs)
  const at = (id: number): number => (receivedUs.get(id)?.us ?? 0) / 1000
  const describe = ({ count, firstId, lastId }: Counted) => ({
    count,
    firstId,
    firstAt: at(firstId),
    lastId,
    lastAt: at(lastId),
  })
  const kindsOf = prepare<
    [string],
    { id: number; code: string; location: string; severity: Severity }
  >(db, conformanceSql.kinds)
  const yieldIfDue = createYield()
  const types: TypeConformance[] = []
  for (const type of typesOf(db)) {
    const parts: Counted[] = []
    for (const verdict of verdicts) {
      parts.push(...(await count(db, conformanceSql.ofType, [type, verdict], range, yieldIfDue)))
    }
    const total = mergeCounts(parts)
    if (!total) continue
    const findings: FindingKind[] = []
    for (const { id, code, location, severity } of kindsOf.all(type ?? '')) {
      const found = mergeCounts(await count(db, conformanceSql.ofKind, [id], range, yieldIfDue))
      if (found) findings.push({ code, location, severity, ...describe(found) })
    }
    findings.sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    types.push({ type, ...describe(total), findings })
  }
  return types
}

function rangeOf(db: Db, { since, before }: ConformanceInput): Range | null {
  const id = (sql: string, ms: number): number | null =>
    prepare<[number], { id: number }>(db, sql).get(Math.round(ms * 1000))?.id ?? null
  const from = since === null ? oldestId(db) : id(conformanceSql.sinceId, since)
  const to = before === null ? newestId(db) : id(conformanceSql.beforeId, before)
  return from === null || to === null || from > to ? null : { from, to }
}

/**
 * Followed by null for deliveries without a type. Jumps from each type to the next with the index. Documented ones are always among them, however many
 * others there are.
 */
function typesOf(db: Db): (string | null)[] {
  const next = prepare<[string], { type: string }>(db, conformanceSql.nextType)
  const types = new Set(eventTypes.map((documented) => documented.type))
  let type = next.get('')?.type
  for (; type !== undefined && types.size < maxTypes; type = next.get(type)?.type) types.add(type)
  return [...[...types].toSorted(), null]
}

async function count(
  db: Db,
  sql: string,
  which: readonly (string | number | null)[],
  range: Range,
  yieldIfDue: () => Promise<void>,
): Promise<Counted[]> {
  const query = prepare<
    (string | number | null)[],
    { n: number; least: number | null; greatest: number | null }
  >(db, sql)
  const parts: Counted[] = []
  for (let from = range.from; from <= range.to; from += countRange) {
    await yieldIfDue()
    const row = query.get(...which, from, Math.min(range.to, from + countRange - 1))
    if (!row || row.least === null || row.greatest === null) continue
    parts.push({ count: row.n, firstId: row.least, lastId: row.greatest })
  }
  return parts
}

function mergeCounts(parts: readonly Counted[]): Counted | null {
  const [first, ...rest] = parts
  if (!first) return null
  return rest.reduce(
    (total, part) => ({
      count: total.count + part.count,
      firstId: Math.min(total.firstId, part.firstId),
      lastId: Math.max(total.lastId, part.lastId),
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

function createYield(): () => Promise<void> {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < yieldAfterMs) return
    await yieldToOthers()
    last = performance.now()
  }
}

export interface HeaderChecksQuery {
  readonly id: number
  /** Of the endpoint, current; null: it was deleted, or the delivery is from an event log, which contains its own endpoints. */
  readonly settings: {
    readonly applicationId: string
    readonly customHeaders: readonly Header[]
  } | null
}

/** Null if the delivery does not exist. */
export function readHeaderChecks(
  db: Db,
  { id, settings }: HeaderChecksQuery,
): HeaderCheck[] | null {
  const delivery = readDelivery(db, id)
  if (!delivery) return null
  const { endpointId } = delivery
  const none = { applicationId: '', customHeaders: [] }
  const settingsInLog = (): HeaderChecksQuery['settings'] =>
    readEndpoints(db).find((each) => each.id === endpointId) ?? null
  const endpoint = endpointId === null ? null : (settings ?? settingsInLog() ?? none)
  return headerChecks({ ...delivery, endpoint })
}
