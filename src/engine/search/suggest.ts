import type { ParsedInput } from '#contract/calls.ts'
import { prepare, type Db } from '../platform/sqlite.ts'
import { toHeaders } from '../deliveries/rows.ts'

export type SuggestInput = Omit<ParsedInput<'filters.suggest'>, 'log'>

const maxSuggestions = 50
const maxValues = 1000
const maxCount = 5000
const headerRows = 500
const nameRows = 2000

const columns = {
  location: { table: 'delivery', column: 'location_name' },
  type: { table: 'delivery', column: 'type' },
  status: { table: 'delivery', column: 'status' },
  tag: { table: 'delivery_tag', column: 'tag' },
  relay: { table: 'relay_source', column: 'name' },
  receiver: { table: 'relay_delivery', column: 'receiver' },
} as const

/** Received values that start with the prefix (case-insensitive), the most frequent first. */
export function readSuggestions(db: Db, { field, prefix }: SuggestInput): string[] {
  switch (field) {
    case 'finding':
      return mostFrequent(findingCodes(db), prefix)
    case 'header':
      return mostFrequent(headerNames(db), prefix)
    case 'spot':
    case 'zone':
    case 'item':
    case 'tab':
    case 'order':
    case 'guest':
      return mostFrequent(recentNames(db, field), prefix)
    case 'relay':
    case 'receiver':
    case 'location':
    case 'type':
    case 'status':
    case 'tag':
      return mostFrequent(counted(db, columns[field], prefix), prefix)
  }
}

type Column = (typeof columns)[keyof typeof columns]

/** Jumps from each value to the next greater one, so that the number of steps is the number of values, not of rows. */
export function distinctSql({ table, column }: Column): string {
  const least = (where: string): string =>
    `SELECT ${column} FROM ${table} WHERE ${column} ${where} ORDER BY ${column} LIMIT 1`
  return `WITH RECURSIVE value (v) AS (
      SELECT (${least('>= ?')})
      UNION ALL
      SELECT (${least('> value.v')}) FROM value WHERE value.v IS NOT NULL
    ) SELECT v FROM value WHERE v IS NOT NULL LIMIT ${maxValues}`
}

export function countSql({ table, column }: Column): string {
  return `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT ${maxCount})`
}

function counted(db: Db, column: Column, prefix: string): Map<string, number> {
  const distinct = prepare<[string | number], { v: string | number }>(db, distinctSql(column))
  const least = column.column === 'status' ? 0 : ''
  const all = distinct.all(least)
  // If there are too many values, also read those that start with the exact prefix.
  const more = all.length === maxValues && least === '' ? distinct.all(prefix) : []
  const count = prepare<[string | number], { n: number }>(db, countSql(column))
  const values = new Map<string, number>()
  for (const { v } of [...all, ...more]) {
    const text = String(v)
    if (startsWith(text, prefix) && !values.has(text)) values.set(text, count.get(v)?.n ?? 0)
  }
  return values
}

export const findingCodesSql = `SELECT code, sum(n) AS n FROM (
    SELECT code, (SELECT count(*) FROM (
      SELECT 1 FROM finding_list_kind AS f CROSS JOIN delivery AS d INDEXED BY delivery_by_finding_list
        WHERE f.kind_id = finding_kind.id AND d.finding_list_id = f.list_id LIMIT 1000)) AS n
    FROM finding_kind ORDER BY id LIMIT ${maxValues}
  ) WHERE n > 0 GROUP BY code`

function findingCodes(db: Db): Map<string, number> {
  const rows = prepare<[], { code: string; n: number }>(db, findingCodesSql).all()
  return new Map(rows.map(({ code, n }) => [code, n]))
}

export const namesSql = {
  spot: 'SELECT spot AS v FROM delivery ORDER BY id DESC LIMIT ?',
  zone: 'SELECT zone AS v FROM delivery ORDER BY id DESC LIMIT ?',
  item: 'SELECT items AS v FROM delivery ORDER BY id DESC LIMIT ?',
  tab: 'SELECT tab_name AS v FROM delivery ORDER BY id DESC LIMIT ?',
  order: 'SELECT order_name AS v FROM delivery ORDER BY id DESC LIMIT ?',
  guest: 'SELECT guest_name AS v FROM delivery ORDER BY id DESC LIMIT ?',
} as const

function recentNames(db: Db, field: keyof typeof namesSql): Map<string, number> {
  const names = new Map<string, number>()
  for (const { v } of prepare<[number], { v: string | null }>(db, namesSql[field]).all(nameRows)) {
    for (const name of v?.split('\n') ?? []) names.set(name, (names.get(name) ?? 0) + 1)
  }
  return names
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
    .filter(([value]) => startsWith(value, prefix))
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(([value]) => value)
}

function startsWith(value: string, prefix: string): boolean {
  return value.toLowerCase().startsWith(prefix.toLowerCase())
}
