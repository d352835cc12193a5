import { describe, expect, it } from 'vitest'
import type { DeliveryFilter } from '#engine/store/deliveries.ts'
import { verdicts } from '#contract/models.ts'
import { prepare, type Db } from '#engine/store/driver.ts'
import { createQueries } from '#engine/store/queries.ts'
import { deliveryRecord } from '#test/support/journaled.ts'
import { readerOf, storeWith } from '#test/support/store-with.ts'

const typeNames = ['OPEN_TAB', 'CLOSE_TAB', 'ITEM_ADDED', null]

function filled(analyzed = true): Db {
  const records = Array.from({ length: 400 }, (_, index) =>
    deliveryRecord(index + 1, {
      type: typeNames[index % typeNames.length] ?? null,
      verdict: verdicts[Math.floor(index / 3) % verdicts.length] ?? 'valid',
    }),
  )
  const store = storeWith(records)
  if (analyzed) store.db.exec('ANALYZE')
  return readerOf(store)
}

/** The plan of each statement that `run` prepares. */
function plansOf(db: Db, run: (queries: ReturnType<typeof createQueries>) => unknown): string[] {
  const texts: string[] = []
  const spied: Db = Object.create(db, {
    prepare: { value: (sql: string) => (texts.push(sql), db.prepare(sql)) },
  })
  run(createQueries(spied))
  expect(texts.length).toBeGreaterThan(0)
  return texts.map((sql) => {
    const values = Array.from(sql.matchAll(/\?/g), () => 1)
    return prepare<number[], { detail: string }>(db, `EXPLAIN QUERY PLAN ${sql}`)
      .all(...values)
      .map(({ detail }) => detail)
      .join('\n')
  })
}

const page = (filter: Partial<DeliveryFilter>) => (queries: ReturnType<typeof createQueries>) =>
  queries.page({ filter: { types: [], verdicts: [], ...filter }, upTo: 300, offset: 20, limit: 50 })

const filters: [name: string, filter: Partial<DeliveryFilter>][] = [
  ['a type', { types: ['OPEN_TAB'] }],
  ['no type', { types: [null] }],
  ['types', { types: ['OPEN_TAB', null, 'CLOSE_TAB'] }],
  ['a verdict', { verdicts: ['invalid'] }],
  ['verdicts', { verdicts: ['invalid', 'missing'] }],
  ['types and verdicts', { types: ['OPEN_TAB', null], verdicts: ['valid', 'unsigned'] }],
]

describe('the plan of a query', () => {
  it.each(filters)('of a page by %s sorts nothing and reads through an index', (_, filter) => {
    const plans = plansOf(filled(), page(filter))
    // A store of users has no statistics.
    expect(plansOf(filled(false), page(filter))).toEqual(plans)
    for (const plan of plans) {
      expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).not.toMatch(/SCAN delivery\b/)
      // Along the ids past all that does not match.
      expect(plan).not.toMatch(/PRIMARY KEY \(rowid[<>]/)
      expect(plan).not.toContain('delivery_content')
    }
    expect(plans[0]).toMatch(/SEARCH delivery USING (COVERING )?INDEX delivery_by_(type|verdict)/)
  })

  it('of a page of all goes along the ids', () => {
    for (const plan of plansOf(filled(), page({}))) {
      expect(plan).toMatch(/SEARCH delivery USING INTEGER PRIMARY KEY|SCAN progress/)
      expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).not.toContain('delivery_content')
    }
  })

  it.each<[string, (queries: ReturnType<typeof createQueries>) => unknown, RegExp]>([
    ['since', (q) => q.since({ after: 3, limit: 10 }), /SEARCH delivery USING INTEGER PRIMARY KEY/],
    ['get', (q) => q.get(3), /SEARCH delivery(_content)? USING INTEGER PRIMARY KEY/],
    [
      'body',
      (q) => q.body({ id: 3, offset: 0, length: 9, decoded: false }),
      /SEARCH delivery_content USING INTEGER PRIMARY KEY/,
    ],
    [
      'per minute',
      (q) => q.perMinute({ nowMs: 0, minutes: 60 }),
      /SEARCH delivery USING COVERING INDEX delivery_by_time/,
    ],
    ['stats', (q) => q.stats(), /SCAN progress/],
  ])('of %s reads through an index', (_, run, expected) => {
    for (const plan of plansOf(filled(), run)) {
      expect(plan).toMatch(expected)
      expect(plan).not.toContain('TEMP B-TREE FOR ORDER BY')
    }
  })
})

describe('a page', () => {
  const all = Array.from({ length: 400 }, (_, index) => ({
    id: index + 1,
    type: typeNames[index % typeNames.length] ?? null,
    verdict: verdicts[Math.floor(index / 3) % verdicts.length] ?? 'valid',
  }))

  it.each([['everything', {}], ...filters])('by %s is what a plain search finds', (_, given) => {
    const filter = { types: [], verdicts: [], ...given }
    const matching = all
      .filter(({ id }) => id <= 300)
      .filter(({ type }) => filter.types.length === 0 || filter.types.includes(type))
      .filter(({ verdict }) => filter.verdicts.length === 0 || filter.verdicts.includes(verdict))
      .map(({ id }) => id)
      .toReversed()
    const queries = createQueries(filled())
    const { rows, total } = queries.page({ filter, upTo: 300, offset: 20, limit: 50 })
    expect(rows.map(({ id }) => id)).toEqual(matching.slice(20, 70))
    expect(total).toBe(matching.length)
  })

  it('takes the most types and verdicts that the contract lets through', () => {
    const types = [...Array.from({ length: 98 }, (_, index) => `T${index}`), 'OPEN_TAB', null]
    const filter = { types, verdicts: [...verdicts] }
    const queries = createQueries(filled())
    expect(queries.page({ filter, upTo: 400, offset: 0, limit: 500 }).total).toBe(200)
  })

  it.each([
    ['all', {}],
    ['one integration', { integrationId: 1, before: 9 }],
  ])("of the console's history of %s sorts nothing and goes along an index", (_, which) => {
    const plans = plansOf(filled(), (queries) => queries.exchanges({ limit: 50, ...which }))
    for (const plan of plans) {
      expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).toMatch(/^SEARCH/)
    }
  })
})
