import type { Filter } from '#contract/filter/ast.ts'
import { topTerms } from '#contract/filter/edit.ts'
import { type Binder, createBinder, type SqlValue, type Condition, joined } from './sql.ts'
import {
  type Arm,
  textArm,
  driverOrder,
  type Candidate,
  type Driver,
  termCandidate,
} from './candidate.ts'
import { type Received, receivedBy, type FilterContext, type Term, type Text } from './matching.ts'
import { termCondition } from './term-condition.ts'

/** NULL: SQL determines whether the other terms decide the result. */
const unknown: Condition = { sql: 'NULL', cost: 0 }

/** Terms for which `isIncluded` returns false count as unknown. */
function conditionOf(
  filter: Filter,
  binder: Binder,
  context: FilterContext,
  isIncluded: (term: Filter) => boolean = () => true,
): Condition {
  const of = (part: Filter): Condition => conditionOf(part, binder, context, isIncluded)
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
      if (!isIncluded(filter)) return unknown
      return { sql: `(+d.id IN (${textArm([filter], binder, context)}))`, cost: 2 }
    case 'field': {
      if (!isIncluded(filter)) return unknown
      const condition = termCondition(filter, binder, context)
      if (filter.comparison !== '!=') return condition
      return { sql: `NOT ${condition.sql}`, cost: condition.cost }
    }
  }
}

/** Statements take `values`, and the range of IDs `lo` to `hi`. */
export interface CompiledFilter {
  /** Filters with the same key have the same results. */
  readonly key: string
  readonly values: Readonly<Record<string, SqlValue>>
  /** GROUP BY, ORDER BY or LIMIT may be appended. */
  readonly select: (columns: string) => string
  /** No rows are read if an index contains the result. */
  readonly selectIds: (columns: 'd.id' | 'count(*)') => string
  /** Listing all matches is about as fast as counting them. */
  readonly listsFast: boolean
  readonly all: boolean
  readonly needsIndex: boolean
  /** Matches may change later: by a pin, note, tag, attempt, signature recheck, or a late or lost response. */
  readonly changes: boolean
  /** Returns those of the IDs in the JSON array @ids that still match. Only needed if `changes`. */
  readonly still: string
  readonly readsContent: boolean
  readonly received: Received
}

/** The connection must have the functions that `readFilter` adds. */
export function compileFilter(filter: Filter, context: FilterContext): CompiledFilter {
  const binder = createBinder()
  const driver = driverOf(filter, binder, context)
  const remaining = topTerms(filter).filter((term) => !driver?.covers.includes(term))
  const checks = conditionOf(allOf(remaining), binder, context).sql
  const from = fromOf(driver?.arms ?? null)
  const select = (columns: string): string => `SELECT ${columns} FROM ${from} AND ${checks}`
  const alone = remaining.length === 0 && driver?.kind === 'text' ? textAlone(driver.arms) : null
  const changes = some(filter, mayChange)
  const still = changes ? conditionOf(filter, binder, context, mayChange).sql : '1'
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
    readsContent: some(filter, (term) => term.kind === 'field' && contentFields.has(term.field)),
    received: receivedBy(filter, context),
  }
}

const changingFields = new Set([
  'is',
  'tag',
  'note',
  'status',
  'handler',
  'outcome',
  'cause',
  'answered',
  'verdict',
  'secret',
])

function mayChange(term: Filter): boolean {
  return term.kind === 'field' && changingFields.has(term.field)
}

const contentFields = new Set(['header', 'contains', 'data', 'body', 'secret'])

function readsIndex(term: Filter): boolean {
  if (term.kind !== 'field') return false
  if (term.field === 'is') return term.values.some(({ text }) => text.toLowerCase() === 'duplicate')
  return term.field === 'ref' || term.field === 'repeats'
}

function allOf(parts: readonly Filter[]): Filter {
  const nowhere = { from: 0, to: 0 }
  return parts.length === 0 ? { kind: 'all', ...nowhere } : { kind: 'and', parts, ...nowhere }
}

function textAlone(arms: readonly Arm[]): string | null {
  const [only] = arms
  return only && arms.length === 1 && 'ids' in only ? only.ids : null
}

/** `AND` can be appended. Names indexes explicitly, so that SQLite does not choose others by statistics. */
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

/** Null if the filter must scan all IDs. */
function driverOf(filter: Filter, binder: Binder, context: FilterContext): Driver | null {
  const best = candidateOf(filter, context)
  return best && { kind: best.kind, covers: best.covers, arms: best.arms(binder) }
}

function candidateOf(filter: Filter, context: FilterContext): Candidate | null {
  switch (filter.kind) {
    case 'all':
    case 'not':
      return null
    case 'text':
      return textCandidate([filter], context)
    case 'field':
      return canUseIndex(filter) ? termCandidate(filter, null, context) : null
    case 'and':
      return bestOf(filter.parts, context)
    case 'or':
      return alternatives(filter.parts, context)
  }
}

/** The index of `handler` is read in ID order, so that it also supports `>=`. */
function canUseIndex({ field, comparison }: Term): boolean {
  return comparison === '=' || (field === 'handler' && comparison !== '!=')
}

function bestOf(parts: readonly Filter[], context: FilterContext): Candidate | null {
  const equalTerm = (field: string): Term | null =>
    parts.find(
      (part): part is Term =>
        part.kind === 'field' && part.field === field && part.comparison === '=',
    ) ?? null
  const type = equalTerm('type')
  const verdict = equalTerm('verdict')
  const texts = parts.filter((part) => part.kind === 'text')
  return [
    type && verdict ? termCandidate(type, verdict, context) : null,
    texts.length > 1 ? textCandidate(texts, context) : null,
    ...parts.map((part) => candidateOf(part, context)),
  ]
    .filter((candidate) => candidate !== null)
    .reduce<Candidate | null>((best, next) => (best && !isBefore(next, best) ? best : next), null)
}

function textCandidate(terms: readonly Text[], context: FilterContext): Candidate {
  return {
    kind: 'text',
    covers: terms,
    count: 1,
    arms: (binder) => [{ ids: textArm(terms, binder, context), indexed: true }],
  }
}

/** More arms than this cost more than they save. */
const maxArms = 40

/** Every alternative must have an index. The worst one determines the rank of the combination. */
function alternatives(parts: readonly Filter[], context: FilterContext): Candidate | null {
  const candidates: Candidate[] = []
  for (const part of parts) {
    const candidate = candidateOf(part, context)
    if (!candidate) return null
    candidates.push(candidate)
  }
  const worst = candidates.reduce((a, b) => (isBefore(a, b) ? b : a))
  const count = candidates.reduce((sum, candidate) => sum + candidate.count, 0)
  if (count > maxArms) return null
  return {
    kind: worst.kind,
    covers: [],
    count,
    arms: (binder) => candidates.flatMap((candidate) => candidate.arms(binder)),
  }
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return driverOrder.indexOf(a.kind) < driverOrder.indexOf(b.kind)
}
