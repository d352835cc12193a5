import { describe, expect, it } from 'vitest'
import { verdicts } from '#contract/constants.ts'
import { type Db } from '#engine/platform/sqlite.ts'
import { createQueries } from '#engine/store/queries.ts'
import { delivery } from '#test/support/groups.ts'
import { planOf } from '#test/support/plans.ts'
import { analyze, readerOf, storeWith } from '#test/support/test-store.ts'

const typeNames = ['OPEN_TAB', 'CLOSE_TAB', 'ITEM_ADDED', null]

function filled(analyzed = true): Db {
  const records = Array.from({ length: 400 }, (_, index) =>
    delivery(index + 1, {
      type: typeNames[index % typeNames.length] ?? null,
      verdict: verdicts[Math.floor(index / 3) % verdicts.length] ?? 'valid',
    }),
  )
  const store = storeWith(records)
  store.db.exec('UPDATE delivery SET pinned = 1, noted = 1, sent = 200 WHERE id % 4 = 0')
  if (analyzed) analyze(store)
  return readerOf(store)
}

interface Planned {
  readonly sql: string
  readonly plan: string
}

function planned(db: Db, run: (queries: ReturnType<typeof createQueries>) => unknown): Planned[] {
  const texts: string[] = []
  const spied: Db = Object.create(db, {
    prepare: { value: (sql: string) => (texts.push(sql), db.prepare(sql)) },
  })
  const queries = createQueries(spied)
  texts.length = 0
  run(queries)
  expect(texts.length).toBeGreaterThan(0)
  return texts.map((sql) => ({ sql, plan: planOf(db, sql) }))
}

function plansOf(db: Db, run: (queries: ReturnType<typeof createQueries>) => unknown): string[] {
  return planned(db, run).map(({ plan }) => plan)
}

const page = (filter: string) => (queries: ReturnType<typeof createQueries>) =>
  queries.page({ filter, upTo: 300, asOf: 0, offset: 20, limit: 50 })

const byIndex = (index: string, terms: string) =>
  `SEARCH d USING INDEX ${index} (${terms} AND rowid>? AND rowid<?)`
const byRow = 'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)'
const alongIds = 'SEARCH d USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)'
const refs = [
  'SEARCH delivery_ref USING COVERING INDEX delivery_ref_by_hash (hash=? AND rowid>? AND rowid<?)',
  byRow,
]
/** With both bounds on the row ID. */
const text = [/SCAN delivery_text VIRTUAL TABLE INDEX \d+:M\d+><$/m]
const finding = [
  'SEARCH delivery USING COVERING INDEX delivery_by_finding_list (finding_list_id=? AND rowid>? AND rowid<?)',
  byRow,
]
const attempt = /SEARCH d USING COVERING INDEX delivery_sent \(id>\? AND id<\?\)/
const type = byIndex('delivery_by_type', 'type=? AND verdict=?')

/** Filters, and how their rows are found. */
const filters: [filter: string, ways: readonly (string | RegExp)[]][] = [
  ['type:OPEN_TAB', [type]],
  ['type:none', [type]],
  ['type:OPEN_TAB,CLOSE_TAB', [type]],
  ['type:OPEN_TAB,none', [type, byRow]],
  ['type:OPEN_TAB verdict:invalid,missing', [type]],
  ['verdict:invalid', [byIndex('delivery_by_verdict', 'verdict=?')]],
  ['location:"Pier 9"', [byIndex('delivery_by_location', 'location_name=?')]],
  ['endpoint:1', [byIndex('delivery_by_endpoint', 'endpoint_id=?')]],
  ['status:404', [byIndex('delivery_by_status', 'status=?')]],
  ['status:none', [byIndex('delivery_by_status', 'status=?')]],
  ['attempt:ok', [attempt]],
  ['attempt:failed,404', [attempt]],
  ['attempt:>=500', [attempt]],
  ['attempt:none', [alongIds]],
  ['own:send', [alongIds]],
  ['answered:rule,none', [alongIds]],
  ['via:tunnel', [alongIds]],
  ['is:pinned', [byIndex('delivery_pinned', 'pinned=?')]],
  ['is:noted', [byIndex('delivery_noted', 'noted=?')]],
  ['note:x', [byIndex('delivery_noted', 'noted=?')]],
  [
    'is:duplicate',
    [/SEARCH delivery_repeat USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/, byRow],
  ],
  [
    'is:tagged',
    [
      /SEARCH delivery_tag USING COVERING INDEX delivery_tag_by_delivery \(delivery_id>\? AND delivery_id<\?\)/,
      byRow,
    ],
  ],
  [
    'tag:bug',
    ['SEARCH delivery_tag USING PRIMARY KEY (tag=? AND delivery_id>? AND delivery_id<?)', byRow],
  ],
  ['ref:tab-1', refs],
  ['target:tab-1', refs],
  ['finding:body.empty', finding],
  ['severity:error', finding],
  ['"free text"', text],
  ['some words', text],
  ['wor', text],
  ['contains:x', [alongIds]],
  ['status:>=400', [alongIds]],
  ['lag:>5s', [alongIds]],
  ['size:>10kb', [alongIds]],
  ['-type:OPEN_TAB', [alongIds]],
  ['type:O*', [alongIds]],
  ['header:x-id=1', [alongIds]],
  ['data.total:>100', [alongIds]],
  // The best of several, in any order.
  [
    'type:OPEN_TAB verdict:invalid location:"Pier 9" "free text" tag:bug finding:x.y ref:tab-1',
    refs,
  ],
  ['type:OPEN_TAB endpoint:1 status:200 verdict:valid "free text" is:answered', text],
  ['data.total:>100 type:OPEN_TAB', [type]],
  ['contains:x type:OPEN_TAB', [type]],
  ['contains:x word', text],
  ['-is:pinned status:200 lag:>1s', [byIndex('delivery_by_status', 'status=?')]],
  ['(ref:a or tag:b) type:OPEN_TAB', [refs[0] ?? '', byRow]],
]

const ofDeliveries = (all: Planned[]) => all.filter(({ sql }) => /\bdelivery/.test(sql))

describe('the plan of a search', () => {
  it.each(filters)('%s is driven by its index, within a range of ids', (filter, ways) => {
    const all = planned(filled(), page(filter))
    // Users' stores have no statistics. Names of endpoints and integrations are a few rows, in any order.
    expect(ofDeliveries(planned(filled(false), page(filter)))).toEqual(ofDeliveries(all))
    const searching = all.filter(({ sql }) => sql.includes(' AS d ') && sql.includes('@lo'))
    expect(searching.length).toBeGreaterThanOrEqual(2)
    for (const { sql, plan } of searching) {
      for (const way of ways) {
        const expected = typeof way === 'string' ? way.replace('INDEX', '(COVERING )?INDEX') : way
        expect(plan).toMatch(typeof expected === 'string' ? asPattern(expected) : expected)
      }
      if (!sql.includes('ORDER BY')) expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).not.toMatch(/SCAN (delivery|d)\b(?!_)/)
      expect(plan.includes('delivery_content')).toBe(false)
      expect(/\bSEARCH c USING INTEGER PRIMARY KEY/.test(plan)).toBe(
        /header:|data\.|contains:/.test(filter),
      )
    }
  })

  it('of all deliveries reads no row outside the page', () => {
    for (const { plan } of planned(filled(), page(''))) {
      expect(plan).toMatch(/SEARCH delivery USING INTEGER PRIMARY KEY|SCAN (progress|endpoint)/)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  it('of newer matches sorts nothing if IDs are in order', () => {
    const newer = planned(filled(), (queries) =>
      queries.newer({ filter: 'verdict:invalid', after: 5, asOf: 0, limit: 50 }),
    )
    const { plan } = newer.find(({ sql }) => sql.includes('delivery AS d')) ?? { plan: '' }
    expect(plan).toMatch(
      asPattern(byIndex('delivery_by_verdict', 'verdict=?').replace('INDEX', '(COVERING )?INDEX')),
    )
    expect(plan).not.toContain('TEMP B-TREE')
  })
})

/** Escapes text for a pattern, except `(COVERING )?`. */
function asPattern(written: string): RegExp {
  const escaped = written.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(escaped.replace(String.raw`\(COVERING \)\?`, '(COVERING )?'))
}

describe('the plan of a query', () => {
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
    [
      'activity',
      (q) => q.activity({ endpointIds: [1], nowMs: 0 }),
      /SEARCH delivery USING INDEX delivery_by_(time|endpoint)/,
    ],
    ['stats', (q) => q.stats(), /SCAN progress/],
  ])('of %s reads through an index', (_, run, expected) => {
    for (const plan of plansOf(filled(), run)) {
      expect(plan).toMatch(expected)
      expect(plan).not.toContain('TEMP B-TREE FOR ORDER BY')
    }
  })
})

describe('the plan of a page', () => {
  it.each([
    ['all', {}],
    ['one integration', { integrationId: 1, before: 9 }],
  ])("of the console's history of %s sorts nothing and uses an index", (_, which) => {
    const plans = plansOf(filled(), (queries) => queries.exchanges({ limit: 50, ...which }))
    for (const plan of plans) {
      expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).toMatch(/^SEARCH/)
    }
  })
})

it('finds deliveries without a diagnosis by their own index, without sorting', () => {
  expect(plansOf(filled(), (queries) => queries.undiagnosed(20))).toEqual([
    'SCAN delivery USING INDEX delivery_undiagnosed',
  ])
})
