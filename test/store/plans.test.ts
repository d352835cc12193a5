import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '#contract/models.ts'
import { verdicts, suggestedFields } from '#contract/constants.ts'
import { annotate } from '#engine/deliveries/annotations-store.ts'
import { createRetention } from '#engine/deliveries/retention.ts'
import { readConformance } from '#engine/deliveries/conformance-store.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { Indexer } from '#engine/search/indexer/indexer.ts'
import { namesSql, readSuggestions } from '#engine/search/suggest.ts'
import {
  createRecord,
  createSkipsReader,
  readAttempt,
  readAttemptBody,
  readAttempts,
  readLastUrl,
  type AttemptsInput,
} from '#engine/sending/store/attempts.ts'
import {
  createJobWrites,
  interruptJobs,
  countJob,
  readJob,
  readJobs,
  readOpenJobs,
  createWaiting,
  readJobItems,
} from '#engine/sending/store/jobs.ts'
import { createQueries } from '#engine/app/threads/queries.ts'
import { attempted } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { planOf, plansOf } from '#test/support/plans.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import {
  analyze,
  indexedStore,
  indexerOf,
  readerOf,
  storeWith,
  type TestStore,
} from '#test/support/test-store.ts'

type Queries = ReturnType<typeof createQueries>

const types = ['OPEN_TAB', 'CLOSE_TAB', 'ITEM_ADDED', 'QR_SCANNED', null]
const reported: Finding = { code: 'a', severity: 'info', location: 'body', message: 'Words.' }
const body = Buffer.from('{"targetUuid":"tab-1","targetId":"404","data":{"type":"SPOT"}}')

/** Files of the stores, which are filled once. */
const made = new Map<boolean, ReadonlyMap<string, Buffer>>()

function filled(analyzed: boolean): TestStore {
  const files = made.get(analyzed)
  if (files === undefined) {
    const store = fill(analyzed)
    store.db.pragma('wal_checkpoint(TRUNCATE)')
    const names = readdirSync(store.folder).filter((name) => name.endsWith('.db'))
    made.set(
      analyzed,
      new Map(names.map((name) => [name, readFileSync(path.join(store.folder, name))])),
    )
    return store
  }
  const folder = tempFolder()
  for (const [name, bytes] of files) writeFileSync(path.join(folder, name), bytes)
  return storeWith([], folder)
}

function fill(analyzed: boolean): TestStore {
  const store = indexedStore(
    Array.from({ length: 400 }, (_, i) =>
      delivery(i + 1, {
        type: types[i % types.length] ?? null,
        verdict: verdicts[Math.floor(i / 3) % verdicts.length] ?? 'valid',
        findings: i % 5 === 0 ? [reported] : [],
        ...(i < 20 && { body }),
      }),
    ),
  )
  store.db.exec('UPDATE delivery SET pinned = 1, noted = 1, sent = 200 WHERE id % 4 = 0')
  if (analyzed) analyze(store)
  return store
}

interface Planned {
  readonly sql: string
  readonly plan: string
}

/** Of what `run` prepares, without what every connection prepares. */
function planned(db: Db, run: (queries: Queries) => unknown): Planned[] {
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

const page = (filter: string) => (queries: Queries) =>
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

/** Names of endpoints and integrations, and kinds of findings, are a few rows, in any order. */
const ofDeliveries = (all: Planned[]) =>
  all
    .filter(({ sql }) => /\bdelivery/.test(sql))
    .map(({ plan }) => plan.replaceAll(/^(SCAN|SEARCH) (finding_kind|k)\b.*$/gm, ''))

function expectDriven(
  filter: string,
  ways: readonly (string | RegExp)[],
  all: readonly Planned[],
): void {
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
}

describe('the plan of a search', () => {
  it('is driven by the index of its filter, within a range of ids', () => {
    const [analyzed, plain] = [filled(true), filled(false)]
    for (const [filter, ways] of filters) {
      const all = planned(readerOf(analyzed), page(filter))
      // Users' stores have no statistics.
      const others = planned(readerOf(plain), page(filter))
      expect(ofDeliveries(others), filter).toEqual(ofDeliveries(all))
      expectDriven(filter, ways, all)
    }
  })

  it('of all deliveries reads no row outside the page', () => {
    for (const { plan } of planned(readerOf(filled(true)), page(''))) {
      expect(plan).toMatch(/SEARCH delivery USING INTEGER PRIMARY KEY|SCAN (progress|endpoint)/)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  it('of newer matches sorts nothing if IDs are in order', () => {
    const newer = planned(readerOf(filled(true)), (queries) =>
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

it.each<[string, (queries: Queries) => unknown, RegExp]>([
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
  ["the console's history", (q) => q.exchanges({ limit: 50 }), /^SEARCH/],
  [
    "an integration's history",
    (q) => q.exchanges({ limit: 50, integrationId: 1, before: 9 }),
    /^SEARCH/,
  ],
  [
    'what has no diagnosis',
    (q) => q.undiagnosed(20),
    /^SCAN delivery USING INDEX delivery_undiagnosed$/,
  ],
])('the plan of a query of %s reads through an index, and sorts nothing', (_, run, expected) => {
  for (const { plan } of planned(readerOf(filled(true)), run)) {
    expect(plan).toMatch(expected)
    expect(plan).not.toContain('TEMP B-TREE FOR ORDER BY')
  }
})

/** Tables with a row for each delivery, which must not be scanned or sorted. */
const scanned = /SCAN (delivery|delivery_content|delivery_ref|delivery_tag)\b/

const withAndWithout: [how: string, statistics: boolean][] = [
  ['without statistics', false],
  ['with statistics', true],
]

describe.each(withAndWithout)('the plan %s', (_, statistics) => {
  const store = (): TestStore => filled(statistics)

  it.each(suggestedFields.filter((field) => Object.hasOwn(namesSql, field)))(
    'of suggestions for %s reads the newest by ID',
    async (field) => {
      const [first] = await plansOf(readerOf(store()), (db) =>
        readSuggestions(db, { field, prefix: '' }),
      )
      // No unbounded SEARCH; its LIMIT ends it.
      expect(first?.plan).toMatch(/^SCAN delivery$/)
      expect(first?.sql).toMatch(/id DESC LIMIT \?$/)
    },
  )

  it.each(['location', 'tag', 'type', 'status'] as const)(
    'of suggestions for %s jumps from value to value of an index',
    async (field) => {
      for (const { sql, plan } of await plansOf(readerOf(store()), (db) =>
        readSuggestions(db, { field, prefix: 'a' }),
      )) {
        expect(plan).not.toMatch(scanned)
        expect(plan).not.toContain('TEMP B-TREE')
        expect(sql).toMatch(/LIMIT/)
        expect(plan).toMatch(
          /SEARCH delivery(_tag)? USING (COVERING INDEX delivery_by_(type|location|status)|PRIMARY KEY)/,
        )
      }
    },
  )

  it('of suggestions for findings counts along the kinds', async () => {
    const db = readerOf(store())
    for (const { plan } of await plansOf(db, (spied) =>
      readSuggestions(spied, { field: 'finding', prefix: '' }),
    )) {
      expect(plan).toContain(
        'SEARCH d USING COVERING INDEX delivery_by_finding_list (finding_list_id=?)',
      )
      expect(plan).not.toMatch(scanned)
    }
  })

  it('of suggestions for headers reads the newest by ID', async () => {
    const db = readerOf(store())
    const [first] = await plansOf(db, (spied) =>
      readSuggestions(spied, { field: 'header', prefix: '' }),
    )
    // No unbounded SEARCH; its LIMIT ends it.
    expect(first?.plan).toMatch(/^SCAN delivery_content$/)
    expect(first?.sql).toMatch(/ORDER BY id DESC LIMIT \?$/)
  })

  it('of the conformance summary counts along indexes, by type, verdict and id', async () => {
    const plans = await plansOf(readerOf(store()), (db) =>
      readConformance(db, { since: 1, before: 4_000_000_000_000 }),
    )
    for (const { plan } of plans) {
      expect(plan).not.toMatch(scanned)
      expect(plan).not.toContain('TEMP B-TREE')
    }
    const all = plans.map(({ plan }) => plan).join('\n')
    expect(all).toContain(
      'SEARCH delivery USING COVERING INDEX delivery_by_type (type=? AND verdict=? AND rowid>? AND rowid<?)',
    )
    expect(all).toContain(
      'SEARCH delivery USING COVERING INDEX delivery_by_finding_list (finding_list_id=? AND rowid>? AND rowid<?)',
    )
    expect(all).toContain('COVERING INDEX delivery_by_time (received_us>?)')
  })

  it('of the indexer reads by ID, finds earlier deliveries by hash, and deletes ranges of IDs', async () => {
    const made = store()
    const { search } = indexerOf(made)
    const reading = await plansOf(made.db, (spied) => new Indexer(spied, search))
    const writing = await plansOf(search, (spied) => new Indexer(made.db, spied).remove([[1, 2]]))
    const plans = [...reading, ...writing].filter(({ sql }) => /^(?:SELECT|DELETE)/.test(sql))
    for (const { plan } of plans) {
      expect(plan).not.toMatch(scanned)
      expect(plan).not.toContain('TEMP B-TREE')
    }
    const all = plans.map(({ plan }) => plan).join('\n')
    expect(all).toContain(
      'SEARCH delivery_ref USING COVERING INDEX delivery_ref_by_hash (hash=? AND rowid<?)',
    )
    expect(all).toContain('SEARCH delivery USING INTEGER PRIMARY KEY (rowid>?)')
    expect(all).toContain('SEARCH delivery_ref USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)')
    expect(all).toContain('SCAN delivery_text VIRTUAL TABLE INDEX 0:><')
  })

  it('of notes and tags writes by ID', async () => {
    const { db } = store()
    const plans = await plansOf(db, (spied) =>
      annotate(spied, { id: 3, note: 'mine', tags: ['a'] }),
    )
    for (const { plan } of plans) expect(plan).not.toMatch(scanned)
    expect(plans.map(({ plan }) => plan).join('\n')).toContain(
      'SEARCH delivery_tag USING COVERING INDEX delivery_tag_by_delivery',
    )
  })

  it('of a trace uses an index in each query, and sorts and scans nothing', async () => {
    const plans = await plansOf(readerOf(store()), (db) => {
      const queries = createQueries(db)
      return [1, 2, 3, 4, 5].map((id) => [queries.trace(id), queries.related(id)])
    })
    expect(plans.length).toBeGreaterThan(6)
    const steps = plans.flatMap(({ plan }) => plan.split('\n'))
    for (const step of steps) {
      // One row each, or the few that a subquery was bounded to.
      expect(step).toMatch(
        /^(SEARCH|SCAN (progress|search_progress|ref)$|(CORRELATED )?SCALAR|CO-ROUTINE)/,
      )
      expect(step).not.toContain('TEMP B-TREE')
    }
    const all = steps.join('\n')
    expect(all).toMatch(/SEARCH (ref|delivery_ref) USING (COVERING )?INDEX delivery_ref_by_hash/)
  })
})

async function filledWithAttempts(): Promise<TestStore> {
  const store = storeWith(Array.from({ length: 50 }, (_, i) => delivery(i + 1)))
  const { db } = store
  const jobs = createJobWrites(db, (work) => work())
  const ids = Array.from({ length: 50 }, (_, i) => i + 1)
  const request = {
    filter: null,
    url: null,
    sign: { how: 'auto' },
    edits: { headers: [], body: null },
    script: null,
    pace: { how: 'one_by_one', stopOnFailure: false },
    timeout: 1000,
    insecure: false,
    scenario: null,
  } as const
  jobs.createJob({ request: { ...request, edits: { headers: [], body: null } }, ids, createdAt: 1 })
  await createRecord(
    db,
    () => undefined,
  )({
    attempts: Array.from({ length: 400 }, (_, i) =>
      attempted({
        deliveryId: i % 4 === 0 ? null : (i % 50) + 1,
        draftId: i % 4 === 0 ? 1 + (i % 3) : null,
        jobId: i % 2 === 0 ? 1 : null,
        position: i % 50,
      }),
    ),
    settled: [],
    skips: [],
  })
  return store
}

/** Tables that grow with the number of attempts: none of them may be scanned. */
const scannedAttempts = /SCAN (attempt|attempt_body|send_job_item|forward_skip|delivery)\b/

/** Frequent queries, and what of their plans follows `SEARCH`. */
const asked: [what: string, run: (db: Db) => unknown, ways: readonly string[]][] = [
  ...listed({ deliveryId: 1 }, 'attempt USING INDEX attempt_of_delivery_to (delivery_id=?)'),
  ...listed({ draftId: 1 }, 'attempt USING INDEX attempt_by_draft (draft_id=? AND rowid<?)'),
  ...listed({ jobId: 1 }, 'attempt USING INDEX attempt_by_job (job_id=? AND rowid<?)'),
  ...listed({}, 'attempt USING INTEGER PRIMARY KEY (rowid<?)'),
  ['one attempt', (db) => readAttempt(db, 1), ['attempt USING INTEGER PRIMARY KEY (rowid=?)']],
  [
    'the body of one',
    (db) => {
      readAttemptBody(db, { id: 1, which: 'request', offset: 0, length: 1, decoded: false })
      readAttemptBody(db, { id: 1, which: 'response', offset: 0, length: 1, decoded: false })
    },
    ['attempt_body USING INTEGER PRIMARY KEY (rowid=?)'],
  ],
  [
    'where one went last',
    (db) => readLastUrl(db, 1),
    ['attempt USING INDEX attempt_of_delivery_to (delivery_id=?)'],
  ],
  [
    'skipped deliveries',
    (db) => createSkipsReader(db)(1),
    [
      'forward_skip USING PRIMARY KEY (delivery_id=?)',
      'attempt USING INDEX attempt_of_delivery_to (delivery_id=?)',
    ],
  ],
  ['a job', (db) => readJob(db, 1), ['send_job USING INTEGER PRIMARY KEY']],
  ['how its items stand', (db) => countJob(db, 1), ['send_job_item USING PRIMARY KEY (job_id=?)']],
  [
    'its items',
    (db) => readJobItems(db, { id: 1, states: [], after: 5, limit: 5 }),
    ['send_job_item USING PRIMARY KEY (job_id=? AND position>?)'],
  ],
  [
    'its items of a state of which there are many',
    (db) => readJobItems(db, { id: 1, states: ['ok', 'failed'], after: 5, limit: 5 }),
    ['send_job_item USING PRIMARY KEY (job_id=? AND position>?)'],
  ],
  [
    'its items of a state of which there are few',
    (db) => readJobItems(db, { id: 1, states: ['failed'], after: 5, limit: 5 }),
    ['send_job_item USING INDEX send_job_item_by_state (job_id=? AND state=? AND position>?)'],
  ],
  [
    'its items that wait',
    (db) => createWaiting(db)(1, 5),
    [
      'send_job_item USING INDEX send_job_item_by_state (job_id=? AND state=?)',
      'send_job_item USING PRIMARY KEY (job_id=? AND position>?)',
    ],
  ],
]

const countsItems = ({ sql }: { sql: string }): boolean => sql.includes('FROM send_job_item')

function listed(named: Omit<AttemptsInput, 'limit'>, way: string): typeof asked {
  const what = Object.keys(named)[0] ?? 'nothing'
  return [[`attempts by ${what}`, (db) => readAttempts(db, { ...named, limit: 10 }), [way]]]
}

describe.each(withAndWithout)('the plan of what is sent %s', (_, statistics) => {
  const analyzed = async (): Promise<TestStore> => {
    const store = await filledWithAttempts()
    if (statistics) store.db.exec('ANALYZE')
    return store
  }

  it('of every read uses an index', async () => {
    const { db } = await analyzed()
    for (const [what, run, ways] of asked) {
      const plans = await plansOf(db, run)
      for (const { plan } of plans) expect(plan, what).not.toMatch(scannedAttempts)
      for (const way of ways) {
        const isUsed = plans.some(({ plan }) => plan.includes(`SEARCH ${way}`))
        expect(isUsed, `${what}: ${way}`).toBe(true)
      }
    }
  })

  it('of every write uses an index', async () => {
    const { db } = await analyzed()
    const plans = await plansOf(db, (spied) => [
      createRecord(spied, () => undefined),
      createJobWrites(spied, (work) => work()),
    ])
    for (const { sql, plan } of plans) {
      expect(plan, sql).not.toMatch(scannedAttempts)
      expect(plan, sql).not.toContain('TEMP B-TREE')
    }
    const byState = plans.filter(({ sql }) =>
      /send_job_item INDEXED BY.*WHERE.*state = '(returned|uncertain)'/s.test(sql),
    )
    expect(byState).toHaveLength(2)
    for (const { plan } of byState)
      expect(plan).toMatch(/INDEX send_job_item_by_state \(job_id=\? AND state=\?/)
  })

  it('of a list needs no sorting, except for the attempts of one delivery', async () => {
    const { db } = await analyzed()
    for (const named of [{ draftId: 1 }, { jobId: 1 }, {}]) {
      const [first] = await plansOf(db, (spied) => readAttempts(spied, { ...named, limit: 5 }))
      expect(first?.plan).not.toContain('TEMP B-TREE')
    }
  })

  it('of jobs reads the few jobs, and only counts items without a summary', async () => {
    const { db } = await analyzed()
    for (const { plan } of await plansOf(db, (spied) => [readJobs(spied), readOpenJobs(spied)]))
      expect(plan).not.toMatch(scannedAttempts)
  })

  it('of opening the store only reads the items of a job that may have claimed some', async () => {
    const { db } = await analyzed()
    const opening = (): Promise<{ sql: string; plan: string }[]> =>
      plansOf(db, (spied) => interruptJobs(spied))
    const plans = await opening()
    for (const { plan } of plans) expect(plan).not.toMatch(scannedAttempts)
    const claimed = plans.find(({ sql }) => sql.includes("SET state = 'uncertain'"))
    expect(claimed?.plan).toMatch(
      /SEARCH send_job_item USING PRIMARY KEY \(job_id=\? AND position<\?\)/,
    )
    db.exec("UPDATE send_job SET state = 'done', summary = NULL")
    expect((await opening()).some(countsItems), 'summed up').toBe(true)
    expect((await opening()).some(countsItems), 'and not again').toBe(false)
  })

  it('of deleting a delivery finds its attempts by an index', async () => {
    const { db, ingest } = await analyzed()
    // The query that SQLite runs for the foreign key, which it does not explain.
    expect(planOf(db, 'DELETE FROM attempt WHERE delivery_id = ?')).toMatch(
      /SEARCH attempt USING (COVERING )?INDEX attempt_/,
    )
    const retention = createRetention(db, ingest, () => undefined)
    expect(retention.step({ deliveries: 1, bytes: 2 ** 40, days: 0 })).toBe(49)
    expect(db.prepare('SELECT count(*) FROM attempt WHERE delivery_id < 50').pluck().get()).toBe(0)
  })
})
