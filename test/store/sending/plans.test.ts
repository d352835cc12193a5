import { describe, expect, it } from 'vitest'
import { createRetention } from '#engine/deliveries/retention.ts'
import type { Db } from '#engine/platform/sqlite.ts'
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
import { attempted } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { planOf, plansOf } from '#test/support/plans.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

async function filled(): Promise<TestStore> {
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
const scanned = /SCAN (attempt|attempt_body|send_job_item|forward_skip|delivery)\b/

/** Frequent queries, and the index they use. */
const asked: [what: string, run: (db: Db) => unknown, ways: readonly RegExp[]][] = [
  ...listed(
    { deliveryId: 1 },
    /SEARCH attempt USING INDEX attempt_of_delivery_to \(delivery_id=\?\)/,
  ),
  ...listed(
    { draftId: 1 },
    /SEARCH attempt USING INDEX attempt_by_draft \(draft_id=\? AND rowid<\?\)/,
  ),
  ...listed({ jobId: 1 }, /SEARCH attempt USING INDEX attempt_by_job \(job_id=\? AND rowid<\?\)/),
  ...listed({}, /SEARCH attempt USING INTEGER PRIMARY KEY \(rowid<\?\)/),
  [
    'one attempt',
    (db) => readAttempt(db, 1),
    [/SEARCH attempt USING INTEGER PRIMARY KEY \(rowid=\?\)/],
  ],
  [
    'the body of one',
    (db) => {
      readAttemptBody(db, { id: 1, which: 'request', offset: 0, length: 1, decoded: false })
      readAttemptBody(db, { id: 1, which: 'response', offset: 0, length: 1, decoded: false })
    },
    [/SEARCH attempt_body USING INTEGER PRIMARY KEY \(rowid=\?\)/],
  ],
  [
    'where one went last',
    (db) => readLastUrl(db, 1),
    [/SEARCH attempt USING INDEX attempt_of_delivery_to \(delivery_id=\?\)/],
  ],
  [
    'skipped deliveries',
    (db) => createSkipsReader(db)(1),
    [
      /SEARCH forward_skip USING PRIMARY KEY \(delivery_id=\?\)/,
      /SEARCH attempt USING INDEX attempt_of_delivery_to \(delivery_id=\?\)/,
    ],
  ],
  ['a job', (db) => readJob(db, 1), [/SEARCH send_job USING INTEGER PRIMARY KEY/]],
  [
    'how its items stand',
    (db) => countJob(db, 1),
    [/SEARCH send_job_item USING PRIMARY KEY \(job_id=\?\)/],
  ],
  [
    'its items',
    (db) => readJobItems(db, { id: 1, states: [], after: 5, limit: 5 }),
    [/SEARCH send_job_item USING PRIMARY KEY \(job_id=\? AND position>\?\)/],
  ],
  [
    'its items of a state of which there are many',
    (db) => readJobItems(db, { id: 1, states: ['ok', 'failed'], after: 5, limit: 5 }),
    [/SEARCH send_job_item USING PRIMARY KEY \(job_id=\? AND position>\?\)/],
  ],
  [
    'its items of a state of which there are few',
    (db) => readJobItems(db, { id: 1, states: ['failed'], after: 5, limit: 5 }),
    [
      /SEARCH send_job_item USING INDEX send_job_item_by_state \(job_id=\? AND state=\? AND position>\?\)/,
    ],
  ],
  [
    'its items that wait',
    (db) => createWaiting(db)(1, 5),
    [
      /SEARCH send_job_item USING INDEX send_job_item_by_state \(job_id=\? AND state=\?\)/,
      /SEARCH send_job_item USING PRIMARY KEY \(job_id=\? AND position>\?\)/,
    ],
  ],
]

const countsItems = ({ sql }: { sql: string }): boolean => sql.includes('FROM send_job_item')

function listed(named: Omit<AttemptsInput, 'limit'>, way: RegExp): typeof asked {
  const what = Object.keys(named)[0] ?? 'nothing'
  return [[`attempts by ${what}`, (db) => readAttempts(db, { ...named, limit: 10 }), [way]]]
}

describe.each([
  ['without statistics', ''],
  ['with statistics', 'ANALYZE'],
])('the plan %s', (_, statistics) => {
  const analyzed = async (): Promise<TestStore> => {
    const store = await filled()
    if (statistics !== '') store.db.exec(statistics)
    return store
  }

  it('of every read uses an index', async () => {
    const { db } = await analyzed()
    for (const [what, run, ways] of asked) {
      const plans = await plansOf(db, run)
      for (const { plan } of plans) expect(plan, what).not.toMatch(scanned)
      for (const way of ways) {
        expect(
          plans.some(({ plan }) => way.test(plan)),
          `${what}: ${way}`,
        ).toBe(true)
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
      expect(plan, sql).not.toMatch(scanned)
      expect(plan, sql).not.toContain('TEMP B-TREE')
    }
    const byState = plans.filter(({ sql }) =>
      /send_job_item INDEXED BY.*WHERE.*state = '(returned|uncertain)'/s.test(sql),
    )
    expect(byState).toHaveLength(2)
    for (const { plan } of byState) {
      expect(plan).toMatch(/INDEX send_job_item_by_state \(job_id=\? AND state=\?/)
    }
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
    for (const { plan } of await plansOf(db, (spied) => [readJobs(spied), readOpenJobs(spied)])) {
      expect(plan).not.toMatch(scanned)
    }
  })

  it('of opening the store only reads the items of a job that may have claimed some', async () => {
    const { db } = await analyzed()
    const opening = (): Promise<{ sql: string; plan: string }[]> =>
      plansOf(db, (spied) => interruptJobs(spied))
    const plans = await opening()
    for (const { plan } of plans) expect(plan).not.toMatch(scanned)
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
