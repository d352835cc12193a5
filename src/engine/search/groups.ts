import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import { failureSql } from '../deliveries/rows.ts'
import { readByIds } from '../deliveries/store.ts'
import { type Db, prepare } from '../platform/sqlite.ts'
import { createIdGapsReader } from './id-gaps.ts'
import {
  changingKinds,
  describeGroup,
  type GroupContext,
  type GroupKind,
  keysOfClass,
  maxGroups,
} from './group-classes.ts'
import { readFilter } from './read-filter.ts'
import { outcomeSql } from './sql.ts'
import { CachedCounts, ClassCounts, type Count, sumOf } from './class-counts.ts'

export type GroupsInput = Omit<ParsedInput<'deliveries.groups'>, 'log' | 'asOf'> & {
  readonly asOf: number
}

export interface Groups {
  /** Called again with the same input, it continues. Throws `bad_filter`. */
  readonly query: (input: GroupsInput) => CallOutput<'deliveries.groups'>
  readonly touched: (ids: readonly number[]) => void
}

const budgetMs = 30

const causesSql = `CASE WHEN ${failureSql} THEN d.causes END`

/** On `delivery AS d`. A class may stand for several groups, which `keysOfClass` returns. */
function groupClassSql(by: GroupKind): string {
  switch (by) {
    case 'problem':
      // A response by a rule or a target is intended.
      return `CASE WHEN ${outcomeSql} IN ('invalid', 'missing', 'rejected') OR (${outcomeSql} = 'refused' AND d.responded_by IS NULL)
        THEN json_array(${outcomeSql}, CASE ${outcomeSql} WHEN 'rejected' THEN nullif(d.sent, 0) WHEN 'refused' THEN d.status END, d.endpoint_id, ${causesSql}) END`
    case 'cause':
      return `CASE WHEN ${failureSql} THEN coalesce(d.causes, '[]') END`
    case 'outcome':
      return outcomeSql
    case 'handler':
      return 'd.sent'
    case 'verdict':
      return 'd.verdict'
    case 'finding':
    case 'severity':
      return 'd.finding_list_id'
    case 'type':
      return 'd.type'
    case 'tab':
      return 'd.tab_id'
    case 'endpoint':
      return 'd.endpoint_id'
    case 'location':
      return 'd.location_name'
  }
}

export function createGroups(db: Db, budget = budgetMs): Groups {
  const readGaps = createIdGapsReader(db)
  const cached = new CachedCounts()

  const query = db.transaction(
    (input: GroupsInput, deadline: number): CallOutput<'deliveries.groups'> => {
      const { by } = input
      const filter = readFilter(db, input.filter, input.asOf)
      const now = readGaps()
      const counted = cached.of(JSON.stringify([filter.key, by]), () => {
        const changes = changingKinds.has(by)
        return new ClassCounts(db, filter, { classSql: groupClassSql(by), changes }, now)
      })
      const newest = filter.needsIndex ? now.indexedId : now.lastId
      const upTo = Math.min(input.upTo ?? newest, newest)
      const searched = counted.count(upTo, now, deadline)
      const context = contextOf(db, by)
      const counts = new Map<string, Count>()
      for (const [key, count] of counted.totals(upTo, now)) {
        for (const group of keysOfClass(by, key, context)) {
          counts.set(group, sumOf(counts.get(group), count))
        }
      }
      const order = by === 'tab' ? 'last' : 'n'
      const shown = [...counts].toSorted(([, a], [, b]) => b[order] - a[order]).slice(0, maxGroups)
      return { groups: readGroups(db, by, shown, context), complete: searched === 1, searched }
    },
  )

  return {
    query: (input) => query(input, performance.now() + budget),
    touched: (ids) => cached.touched(ids),
  }
}

function readGroups(
  db: Db,
  by: GroupKind,
  counts: readonly (readonly [key: string, count: Count])[],
  context: GroupContext,
): CallOutput<'deliveries.groups'>['groups'] {
  const receivedUs = prepare<[number], number>(
    db,
    'SELECT received_us FROM delivery WHERE id = ?',
  ).pluck()
  const rows = new Map(
    readByIds(
      db,
      counts.map(([, { last }]) => last),
    ).map((row) => [row.id, row]),
  )
  return counts.flatMap(([key, { n, first, last }]) => {
    const row = rows.get(last)
    if (!row) return []
    const firstAt = (receivedUs.get(first) ?? 0) / 1000
    return [{ key, ...describeGroup(by, key, row, context), count: n, firstAt, last: row }]
  })
}

function contextOf(db: Db, by: GroupKind): GroupContext {
  const endpoints = prepare<[], { id: number; name: string }>(db, 'SELECT id, name FROM endpoint')
    .all()
    .map(({ id, name }): [number, string] => [id, name])
  const findings = new Map<number, string[]>()
  if (by === 'finding' || by === 'severity') {
    const kinds = prepare<[], { list: number; kind: string }>(
      db,
      `SELECT DISTINCT list_id AS list, ${by === 'finding' ? 'code' : 'severity'} AS kind
       FROM finding_list_kind JOIN finding_kind ON finding_kind.id = kind_id`,
    ).all()
    for (const { list, kind } of kinds) findings.set(list, [...(findings.get(list) ?? []), kind])
  }
  return { endpoints: new Map(endpoints), findings }
}
