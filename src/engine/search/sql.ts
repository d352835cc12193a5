import { isOrder } from '#contract/filter/check.ts'
import type { FilterValue } from '#contract/filter/ast.ts'
import { isNoneOf, piecesOf, type Term } from './matching.ts'

export type SqlValue = string | number | Uint8Array

/** Collects what a statement compares with: a text of the user is never a part of the SQL. */
export interface Binder {
  readonly values: Readonly<Record<string, SqlValue>>
  /** The parameter that stands for the value. */
  bind(value: SqlValue): string
  /** The parameters of several, with commas between. */
  list(values: readonly SqlValue[]): string
}

export function createBinder(): Binder {
  const values: Record<string, SqlValue> = {}
  const bind = (value: SqlValue): string => {
    const name = `p${Object.keys(values).length}`
    values[name] = value
    return `@${name}`
  }
  return { values, bind, list: (all) => all.map(bind).join(', ') }
}

/**
 * A condition on `delivery AS d`, never NULL, so that `NOT` means what it says. A unary plus keeps each column from driving the plan:
 * which index does is chosen in `drivers.ts`, and not by statistics.
 */
export interface Condition {
  readonly sql: string
  /** What it costs a row: 0 its own columns, 1 a look into a small index, 2 into the text index, 3 its headers, 4 its body. */
  readonly cost: number
}

/** The cheapest first, since the rest may then be spared. */
export function joined(by: string, parts: readonly Condition[]): Condition {
  const sorted = parts.toSorted((a, b) => a.cost - b.cost)
  return {
    sql: `(${sorted.map(({ sql }) => sql).join(by)})`,
    cost: Math.max(...parts.map(({ cost }) => cost)),
  }
}

/** `expression` is one of the values: exactly, by `*`, or NULL for `none`. */
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

/** `expression` compares so with the values, as `read` reads them, or is NULL for `none`. */
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

/** What `filter_like` compares with. */
function piecesParameter(value: FilterValue, binder: Binder): string {
  return binder.bind(JSON.stringify(piecesOf(value)))
}

/** What `filter_words` compares with: text that has the value somewhere. */
export function containsParameter(value: FilterValue, binder: Binder): string {
  return binder.bind(
    JSON.stringify(['', ...piecesOf(value).map((piece) => piece.toLowerCase()), '']),
  )
}

/** The values of a field that has a fixed list. */
export function choiceList(values: readonly FilterValue[], binder: Binder): string {
  return binder.list(values.map(({ text }) => text.toLowerCase()))
}

/** The delivery has a finding of such a kind `k`. */
export function havingFinding(kind: string): string {
  // A cross join is never turned round: from the few findings of the delivery to their kinds.
  return `EXISTS (SELECT 1 FROM delivery_finding AS f INDEXED BY delivery_finding_by_delivery CROSS JOIN finding_kind AS k
    WHERE f.delivery_id = d.id AND k.id = f.kind_id AND (${kind}))`
}

/** The delivery has a tag `t`, and such a one. */
export function havingTag(such: string): string {
  return `EXISTS (SELECT 1 FROM delivery_tag AS t INDEXED BY delivery_tag_by_delivery WHERE t.delivery_id = d.id${such})`
}

/** A value of `is`. */
export function markCondition(mark: string): string {
  switch (mark) {
    case 'duplicate':
      return '+d.repeats_by IS NOT NULL'
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
