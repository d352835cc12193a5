import type { Filter } from '#contract/filter/ast.ts'
import { topTerms } from '#contract/filter/edit.ts'
import { type Binder, createBinder, type SqlValue, type Condition, joined } from './sql.ts'
import { type Arm, textArm } from './candidate.ts'
import { driverOf } from './drivers.ts'
import { type Received, receivedBy, type FilterContext } from './matching.ts'
import { termCondition } from './term-condition.ts'

/** NULL: SQL then tells whether the rest decides. */
const unknown: Condition = { sql: 'NULL', cost: 0 }

/** What a filter asks of a row. Terms that are not asked for count as unknown. */
function conditionOf(
  filter: Filter,
  binder: Binder,
  world: FilterContext,
  isAsked: (term: Filter) => boolean = () => true,
): Condition {
  const of = (part: Filter): Condition => conditionOf(part, binder, world, isAsked)
  switch (filter.kind) {
    case 'all':
      return { sql: '1', cost: 0 }
    case 'and':
      return joined(' AND ', filter.parts.map(of))
    case 'or':
      return joined(' OR ', filter.parts.map(of))
    case 'not': {
      const { sql, cost } = of(filter.part)
      return { sql: `NOT ${sql}`, cost }
    }
    case 'text':
      if (!isAsked(filter)) return unknown
      return { sql: `(+d.id IN (${textArm([filter], binder, world)}))`, cost: 2 }
    case 'field': {
      if (!isAsked(filter)) return unknown
      const condition = termCondition(filter, binder, world)
      if (filter.comparison !== '!=') return condition
      return { sql: `NOT ${condition.sql}`, cost: condition.cost }
    }
  }
}

/** A filter as SQL. Statements take `values`, and `lo` and `hi`, the ids from and to which they look. */
export interface CompiledFilter {
  /** Filters with the same key find the same. */
  readonly key: string
  readonly values: Readonly<Record<string, SqlValue>>
  /** `SELECT columns FROM delivery AS d …`; what follows (GROUP BY, ORDER BY, LIMIT) is put behind it. */
  readonly select: (columns: string) => string
  /** The same for `d.id` and `count(*)`, which need no row where an index alone tells what matches. */
  readonly selectIds: (columns: 'd.id' | 'count(*)') => string
  /** All that match are listed about as fast as they are counted. */
  readonly listsFast: boolean
  /** All deliveries match. */
  readonly all: boolean
  /** What is not in the search index yet must not be looked at. */
  readonly needsIndex: boolean
  /** Deliveries may come to match, or cease to, after they were stored: by a pin, a note, a tag, an attempt, another check of its signature, or an answer that was late or lost. */
  readonly changes: boolean
  /** Of the ids in the JSON array @ids those that did not cease to match, where `changes`. */
  readonly still: string
  /** Headers or bodies are read. */
  readonly readsContent: boolean
  readonly received: Received
}

/** Compiles a filter for one moment and the endpoints that there are. The connection must have the functions of `functions.ts`. */
export function compileFilter(filter: Filter, world: FilterContext): CompiledFilter {
  const binder = createBinder()
  const driver = driverOf(filter, binder, world)
  const left = topTerms(filter).filter((term) => !driver?.covers.includes(term))
  const checks = conditionOf(all(left), binder, world).sql
  const from = fromOf(driver?.arms ?? null)
  const select = (columns: string): string => `SELECT ${columns} FROM ${from} AND ${checks}`
  // Text goes with its delivery, so that what the text index finds is there.
  const alone = left.length === 0 && driver?.kind === 'text' ? textAlone(driver.arms) : null
  const changes = some(filter, mayChange)
  const still = changes ? conditionOf(filter, binder, world, mayChange).sql : '1'
  const needsIndex =
    driver?.arms.some((arm) => 'ids' in arm && arm.indexed) === true ||
    some(filter, (term) => term.kind === 'text' || readsIndex(term))
  return {
    key: JSON.stringify([select('d.id'), binder.values], (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    ),
    values: binder.values,
    select,
    selectIds: (columns) =>
      alone === null ? select(columns) : `SELECT ${columns} FROM (${alone}) AS d WHERE 1`,
    listsFast: alone !== null,
    all: filter.kind === 'all',
    needsIndex,
    changes,
    still: `SELECT d.id FROM delivery AS d WHERE d.id IN (SELECT value FROM json_each(@ids)) AND coalesce(${still}, 1)`,
    readsContent: some(filter, (term) => term.kind === 'field' && inContent.has(term.field)),
    received: receivedBy(filter, world),
  }
}

const changing = new Set([
  'is',
  'tag',
  'note',
  'status',
  'attempt',
  'answered',
  'verdict',
  'secret',
])

function mayChange(term: Filter): boolean {
  return term.kind === 'field' && changing.has(term.field)
}

const inContent = new Set(['header', 'contains', 'data', 'body', 'secret'])

function readsIndex(term: Filter): boolean {
  if (term.kind !== 'field') return false
  if (term.field === 'is') return term.values.some(({ text }) => text.toLowerCase() === 'duplicate')
  return term.field === 'ref' || term.field === 'repeats'
}

function all(parts: readonly Filter[]): Filter {
  const nowhere = { from: 0, to: 0 }
  return parts.length === 0 ? { kind: 'all', ...nowhere } : { kind: 'and', parts, ...nowhere }
}

/** The one arm that names each id once. */
function textAlone(arms: readonly Arm[]): string | null {
  const [only] = arms
  return only && arms.length === 1 && 'ids' in only ? only.ids : null
}

/** The source of rows, up to a WHERE that can be gone on with `AND`. Indexes are named: statistics shall not choose others. */
function fromOf(arms: readonly Arm[] | null): string {
  if (!arms) return 'delivery AS d NOT INDEXED WHERE d.id BETWEEN @lo AND @hi'
  const [only] = arms
  if (arms.length === 1 && only && 'on' in only) {
    return `delivery AS d INDEXED BY ${only.index} WHERE ${only.on} AND d.id BETWEEN @lo AND @hi`
  }
  const ids = arms.map((arm) =>
    'ids' in arm
      ? arm.ids
      : `SELECT d.id FROM delivery AS d INDEXED BY ${arm.index} WHERE ${arm.on} AND d.id BETWEEN @lo AND @hi`,
  )
  return `delivery AS d WHERE d.id IN (${ids.join(' UNION ALL ') || 'SELECT 0 WHERE 0'})`
}

function some(filter: Filter, test: (term: Filter) => boolean): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => some(part, test))
    case 'not':
      return some(filter.part, test)
    case 'all':
    case 'text':
    case 'field':
      return test(filter)
  }
}
