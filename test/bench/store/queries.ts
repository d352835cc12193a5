import { readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { CallInput } from '#contract/calls.ts'

type GroupBy = CallInput<'deliveries.groups'>['by']

/** One kind of query in several variants, so that results are not cached. */
export interface Question {
  readonly name: string
  /** `jump` reads distant positions of the list; `filter` reads the first page of a filter; `call` is any other call. */
  readonly ask:
    | { readonly kind: 'jump'; readonly filter: string }
    | { readonly kind: 'filter'; readonly filters: readonly string[] }
    | { readonly kind: 'groups'; readonly by: readonly GroupBy[] }
    | { readonly kind: 'conformance' }
    | { readonly kind: 'suggest'; readonly inputs: readonly CallInput<'filters.suggest'>[] }
  /** Limit of the 95th percentile in milliseconds with a million deliveries; null: results are returned in steps with progress. */
  readonly goal: number | null
}

/** Existing ids, types and locations, evenly distributed over the store. */
interface Seen {
  readonly targets: readonly string[]
  readonly tabs: readonly string[]
  readonly types: readonly string[]
  readonly findings: readonly string[]
}

const places = Array.from({ length: 12 }, (_, i) => (i + 0.5) / 12)

function seenIn(folder: string, count: number): Seen {
  const db = new Database(path.join(folder, 'tabscope.db'), { readonly: true })
  try {
    const near = (where: string) => {
      const one = db.prepare<[number], { target: string; body: Buffer }>(
        `SELECT target, body FROM delivery JOIN delivery_content USING (id) WHERE delivery.id >= ? AND ${where} LIMIT 1`,
      )
      return places.flatMap((place) => one.get(Math.floor(place * count)) ?? [])
    }
    const all = (sql: string) =>
      db
        .prepare<[], { v: string }>(sql)
        .all()
        .map((row) => row.v)
    return {
      targets: near('target IS NOT NULL').map(({ target }) => target),
      tabs: near("type = 'ORDER_PLACED'").flatMap(
        ({ body }) => /"tabUuid":"([^"]+)"/.exec(body.toString())?.[1] ?? [],
      ),
      types: all("SELECT DISTINCT type AS v FROM delivery WHERE type <> ''"),
      findings: all('SELECT DISTINCT code AS v FROM finding_kind'),
    }
  } finally {
    db.close()
  }
}

const filter = (name: string, goal: number | null, ...filters: string[]): Question => ({
  name,
  ask: { kind: 'filter', filters },
  goal,
})

export function questionsFor(folder: string, count: number, rareWord: string): Question[] {
  const seen = seenIn(folder, count)
  const locations = ['Pier 9', 'Harbour', 'Old Mill', 'Station', 'Garden', 'Roof', 'Cellar']
  return [
    filter('open the list', 50, ''),
    { name: 'jump anywhere', ask: { kind: 'jump', filter: '' }, goal: 50 },
    filter('type', 50, ...seen.types.map((type) => `type:${type}`)),
    filter('verdict', 50, 'verdict:valid', 'verdict:invalid', 'verdict:missing'),
    filter('type and verdict', 50, ...seen.types.map((type) => `type:${type} verdict:invalid`)),
    filter('location', 50, ...locations.map((name) => `location:"${name}"`)),
    filter('endpoint', 50, 'endpoint:sandbox', 'endpoint:none'),
    filter('status', 50, 'status:200', 'status:404', 'status:>=400'),
    filter('finding', 50, ...seen.findings.map((code) => `finding:${code}`)),
    filter('target', 50, ...seen.targets.map((id) => `target:"${id}"`)),
    filter('any id', 50, ...seen.tabs.map((id) => `ref:"${id}"`)),
    filter('tag', 50, 'tag:seen', 'tag:demo', 'tag:"to fix"'),
    filter('pinned', 50, 'is:pinned'),
    filter('repeated', 50, 'is:duplicate'),
    filter('since a time', 50, ...places.map((place) => `since:${Math.ceil(place * 29)}d`)),
    { name: 'jump in a type', ask: { kind: 'jump', filter: 'type:ITEM_ADDED' }, goal: 50 },
    filter(
      'three at once',
      50,
      ...locations.map((name) => `type:ORDER_PLACED verdict:invalid location:"${name}"`),
    ),
    filter('either or', 50, ...locations.map((name) => `(type:OPEN_TAB or location:"${name}")`)),
    filter('not', 50, '-type:ITEM_ADDED', '-verdict:valid', '-status:200'),
    filter('a rare word', 200, `"${rareWord}"`),
    filter('a common word', 200, 'Patio', 'Fries', 'WebhookAgent'),
    filter('a phrase', 200, '"Pale Ale"', '"app pier 9"'),
    filter('a word and a type', 200, 'Fries type:ORDER_PLACED', 'Patio verdict:invalid'),
    filter('a field of data', null, 'data.total:>100', 'data.price:>11', 'data.quantity:>2'),
    { name: 'groups', ask: { kind: 'groups', by: ['type', 'verdict'] }, goal: null },
    { name: 'conformance', ask: { kind: 'conformance' }, goal: null },
    {
      name: 'suggestions',
      ask: {
        kind: 'suggest',
        inputs: [
          { field: 'location', prefix: 'p' },
          { field: 'type', prefix: '' },
          { field: 'finding', prefix: '' },
          { field: 'header', prefix: 'x' },
        ],
      },
      goal: 50,
    },
  ]
}

/** Returns the current and peak resident memory of a process in bytes; null on unsupported systems. */
export function memoryOf(pid: number): { now: number; most: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kib = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
    return { now: kib('VmRSS'), most: kib('VmHWM') }
  } catch {
    return null
  }
}
