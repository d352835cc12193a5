import { isOrder } from '#contract/filter/check.ts'
import type { FilterValue } from '#contract/filter/ast.ts'
import { isNoneOf, piecesOf, type Term } from './matching.ts'

export type SqlValue = string | number | Uint8Array

/** User text is never part of the SQL. */
export type Binder = ReturnType<typeof createBinder>

export function createBinder() {
  const values: Record<string, SqlValue> = {}
  const bind = (value: SqlValue): string => {
    const name = `p${Object.keys(values).length}`
    values[name] = value
    return `@${name}`
  }
  return { values, bind, list: (all: readonly SqlValue[]) => all.map(bind).join(', ') }
}

/** On `delivery AS d`. Never NULL, so that `NOT` works. A unary plus keeps SQLite from using an index for a column: `candidate.ts` chooses it. */
export interface Condition {
  readonly sql: string
  /** For each row: 0 for its own columns, 1 for a small index, 2 for the text index, 3 for its headers, 4 for its body. */
  readonly cost: number
}

/** The cheapest first, so that SQLite may skip the rest. */
export function joined(operator: string, parts: readonly Condition[]): Condition {
  const sorted = parts.toSorted((a, b) => a.cost - b.cost)
  return {
    sql: `(${sorted.map(({ sql }) => sql).join(operator)})`,
    cost: Math.max(...parts.map(({ cost }) => cost)),
  }
}

/** Exactly, by wildcard, or NULL for `none`. */
export function textCondition(term: Term, expression: string, binder: Binder): string {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const exact = named.filter((value) => piecesOf(value).length === 1).map(({ text }) => text)
  const wild = named.filter((value) => piecesOf(value).length > 1)
  return [
    ...(named.length < term.values.length ? [`${expression} IS NULL`] : []),
    ...isOneOf(expression, exact, binder),
    ...wild.map((value) => `filter_like(${expression}, ${piecesParameter(value, binder)})`),
  ].join(' OR ')
}

/** Of a `name` field, without `none`. NULL does not match. */
export function nameCondition(term: Term, expression: string, binder: Binder): string {
  const tests = term.values
    .filter((value) => !isNoneOf(term, value))
    .map((value) => `filter_name(${expression}, ${piecesParameter(value, binder)})`)
  return tests.length === 0 ? '0' : `(${tests.join(' OR ')})`
}

/** As `outcomeOf` in the catalogue. */
export const outcomeSql = `CASE WHEN +d.verdict IN ('invalid', 'missing') THEN +d.verdict WHEN +d.sent NOT BETWEEN 200 AND 299 THEN 'rejected'
  WHEN coalesce(+d.status, 500) >= 400 THEN 'refused' ELSE 'ok' END`

/** `read` parses the values; `none` is NULL. */
export function numberCondition(
  term: Term,
  expression: string,
  read: (text: string) => number | null,
  binder: Binder,
): string {
  const named = term.values.filter((value) => !isNoneOf(term, value))
  const numbers = named.map(({ text }) => read(text)).filter((number) => number !== null)
  const [first = 0] = numbers
  if (isOrder(term.comparison)) {
    return `coalesce(${expression} ${term.comparison} ${binder.bind(first)}, 0)`
  }
  return [
    ...(named.length < term.values.length ? [`${expression} IS NULL`] : []),
    ...isOneOf(expression, numbers, binder),
  ].join(' OR ')
}

function isOneOf(expression: string, values: readonly SqlValue[], binder: Binder): string[] {
  const [first] = values
  if (first === undefined) return []
  if (values.length === 1) return [`${expression} IS ${binder.bind(first)}`]
  return [`coalesce(${expression} IN (${binder.list(values)}), 0)`]
}

function piecesParameter(value: FilterValue, binder: Binder): string {
  return binder.bind(JSON.stringify(piecesOf(value)))
}

/** For `filter_words`, which tests whether a text contains the value. */
export function containsParameter(value: FilterValue, binder: Binder): string {
  return binder.bind(
    JSON.stringify(['', ...piecesOf(value).map((piece) => piece.toLowerCase()), '']),
  )
}

export function choiceList(values: readonly FilterValue[], binder: Binder): string {
  return binder.list(values.map(({ text }) => text.toLowerCase()))
}

export function havingFinding(kind: string): string {
  // SQLite never reorders a cross join: it reads the few findings of the delivery first, then their kinds.
  return `EXISTS (SELECT 1 FROM finding_list_kind AS f INDEXED BY finding_list_kind_by_list CROSS JOIN finding_kind AS k
    WHERE f.list_id = d.finding_list_id AND k.id = f.kind_id AND (${kind}))`
}

export function havingTag(condition: string): string {
  return `EXISTS (SELECT 1 FROM delivery_tag AS t INDEXED BY delivery_tag_by_delivery WHERE t.delivery_id = d.id${condition})`
}

export function markCondition(mark: string): string {
  switch (mark) {
    case 'duplicate':
      return 'EXISTS (SELECT 1 FROM delivery_repeat WHERE delivery_repeat.id = d.id)'
    case 'pinned':
      return '+d.pinned = 1'
    case 'noted':
      return '+d.noted = 1'
    case 'tagged':
      return havingTag('')
    case 'answered':
      return '+d.status IS NOT NULL'
    default:
      return '+d.status IS NULL'
  }
}
