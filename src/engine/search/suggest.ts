import type { ParsedInput } from '#contract/calls.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { toHeaders } from '../deliveries/rows.ts'

export type SuggestInput = Omit<ParsedInput<'filters.suggest'>, 'log'>

/** Answered at most. */
const most = 50
/** Of one field so many different values are looked at. */
const mostValues = 1000
/** A value that was seen so often is as frequent as any. */
const countedRows = 5000
/** Names of headers are those of so many deliveries, the newest. */
const headerRows = 500

/** Which column of which index holds the values of a field. */
const columns = {
  location: { table: 'delivery', column: 'location_name' },
  type: { table: 'delivery', column: 'type' },
  status: { table: 'delivery', column: 'status' },
  tag: { table: 'delivery_tag', column: 'tag' },
} as const

/** Values of a field that were seen and begin so, whatever their case, the most frequent first. */
export function readSuggestions(db: Db, { field, prefix }: SuggestInput): string[] {
  switch (field) {
    case 'finding':
      return mostFrequent(findingCodes(db), prefix)
    case 'header':
      return mostFrequent(headerNames(db), prefix)
    case 'location':
    case 'type':
    case 'status':
    case 'tag':
      return mostFrequent(counted(db, columns[field], prefix), prefix)
  }
}

type Column = (typeof columns)[keyof typeof columns]

/**
 * The different values of an indexed column, by jumping from each to the next greater: as many steps as there are values, however many
 * rows. From a value on, where there are too many to see all.
 */
export function distinctSql({ table, column }: Column): string {
  const least = (where: string): string =>
    `SELECT ${column} FROM ${table} WHERE ${column} ${where} ORDER BY ${column} LIMIT 1`
  return `WITH RECURSIVE value (v) AS (
      SELECT (${least('>= ?')})
      UNION ALL
      SELECT (${least('> value.v')}) FROM value WHERE value.v IS NOT NULL
    ) SELECT v FROM value WHERE v IS NOT NULL LIMIT ${mostValues}`
}

export function countSql({ table, column }: Column): string {
  return `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT ${countedRows})`
}

function counted(db: Db, column: Column, prefix: string): Map<string, number> {
  const distinct = prepare<[string | number], { v: string | number }>(db, distinctSql(column))
  const least = column.column === 'status' ? 0 : ''
  const all = distinct.all(least)
  // Too many to see all: those that are written just so can still be found.
  const more = all.length === mostValues && least === '' ? distinct.all(prefix) : []
  const count = prepare<[string | number], { n: number }>(db, countSql(column))
  const values = new Map<string, number>()
  for (const { v } of [...all, ...more]) {
    const text = String(v)
    if (begins(text, prefix) && !values.has(text)) values.set(text, count.get(v)?.n ?? 0)
  }
  return values
}

/** Codes of kinds of which there are deliveries still. */
export const findingCodesSql = `SELECT code, sum(n) AS n FROM (
    SELECT code, (SELECT count(*) FROM (SELECT 1 FROM delivery_finding WHERE kind_id = finding_kind.id LIMIT 1000)) AS n
    FROM finding_kind ORDER BY id LIMIT ${mostValues}
  ) WHERE n > 0 GROUP BY code`

function findingCodes(db: Db): Map<string, number> {
  const rows = prepare<[], { code: string; n: number }>(db, findingCodesSql).all()
  return new Map(rows.map(({ code, n }) => [code, n]))
}

export const headersSql = 'SELECT headers FROM delivery_content ORDER BY id DESC LIMIT ?'

function headerNames(db: Db): Map<string, number> {
  const names = new Map<string, number>()
  for (const { headers } of prepare<[number], { headers: string }>(db, headersSql).all(
    headerRows,
  )) {
    for (const [name] of toHeaders(headers)) {
      const lower = name.toLowerCase()
      names.set(lower, (names.get(lower) ?? 0) + 1)
    }
  }
  return names
}

function mostFrequent(values: ReadonlyMap<string, number>, prefix: string): string[] {
  return [...values]
    .filter(([value]) => begins(value, prefix))
    .toSorted(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([value]) => value)
}

function begins(value: string, prefix: string): boolean {
  return value.toLowerCase().startsWith(prefix.toLowerCase())
}
