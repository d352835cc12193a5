import { describe, expect, it } from 'vitest'
import type { JobRequest } from '#engine/sending/messages.ts'
import { openWriter, type Db } from '#engine/platform/sqlite.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'
import { createRecord } from '#engine/sending/store/attempts.ts'
import {
  createJobWrites,
  deleteJob,
  deleteJobsOfLog,
  type JobLimits,
  readJob,
  readJobs,
  readJobItems,
} from '#engine/sending/store/jobs.ts'
import { attempted, unanswered } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

const request: JobRequest = {
  filter: 'type:OPEN_TAB',
  url: 'http://127.0.0.1:3000/in',
  sign: { how: 'keep' },
  edits: { headers: [], body: null },
  script: null,
  pace: { how: 'concurrent', concurrency: 4 },
  timeout: 5000,
  insecure: true,
  scenario: null,
}

interface Working extends TestStore {
  readonly jobs: ReturnType<typeof createJobWrites>
  readonly record: ReturnType<typeof createRecord>
  readonly durable: { times: number }
}

function working(deliveries = 5, limits?: JobLimits): Working {
  const store = storeWith(Array.from({ length: deliveries }, (_, i) => delivery(i + 1)))
  const durable = { times: 0 }
  const durably = <T>(work: () => T): T => {
    durable.times += 1
    return work()
  }
  const jobs = createJobWrites(store.db, durably, limits)
  return { ...store, jobs, record: createRecord(store.db, () => undefined), durable }
}

const created = { request, ids: [1, 2, 3, 4, 5], createdAt: 1_773_565_200_000 }
const states = (db: Db, id: number) =>
  readJobItems(db, { id, states: [], after: -1, limit: 1000 }).map(({ state }) => state)

const claimedBy = (jobs: Working['jobs'], jobId: number) =>
  jobs.claim({ jobId, count: 10 }).map(({ position }) => position)

function reopened(store: TestStore): Db {
  store.db.close()
  prepareStore(store.folder, 'again')
  return openWriter(store.path)
}

describe('a job', () => {
  it('claims its items in order, each once, durably', () => {
    const { db, jobs, durable } = working()
    const jobId = jobs.createJob(created)
    expect(jobs.claim({ jobId, count: 2 })).toEqual([
      { position: 0, deliveryId: 1 },
      { position: 1, deliveryId: 2 },
    ])
    expect(jobs.claim({ jobId, count: 1 })).toEqual([{ position: 2, deliveryId: 3 }])
    expect(durable.times).toBe(3)
    jobs.unclaim({ jobId, positions: [1, 4] })
    expect(states(db, jobId)).toEqual(['claimed', 'waiting', 'claimed', 'waiting', 'waiting'])
    expect(claimedBy(jobs, jobId)).toEqual([1, 3, 4])
    expect(jobs.claim({ jobId, count: 10 })).toEqual([])
  })

  it('stores the results of its items, with and without attempts', async () => {
    const { db, jobs, record } = working()
    const jobId = jobs.createJob({ ...created, ids: [1, 2, 3, 4, 99] })
    const item = (position: number) => ({ jobId, position, deliveryId: position + 1 })
    await record({
      attempts: [
        attempted(item(0)),
        attempted({ ...item(1), status: 500 }),
        unanswered(item(2)),
        // It was sent, and its delivery was deleted meanwhile.
        attempted({ ...item(4), deliveryId: 99 }),
      ],
      settled: [{ jobId, position: 3, state: 'failed', error: 'The secret is deleted.' }],
      skips: [],
    })
    const items = readJobItems(db, { id: jobId, states: [], after: -1, limit: 10 })
    expect(items).toMatchObject([
      { position: 0, deliveryId: 1, state: 'ok', attemptId: 1, status: 200, error: null },
      { position: 1, deliveryId: 2, state: 'failed', attemptId: 2, status: 500, error: null },
      {
        position: 2,
        deliveryId: 3,
        state: 'failed',
        attemptId: 3,
        status: null,
        error: 'Nothing listens at 127.0.0.1:3000.',
      },
      {
        position: 3,
        deliveryId: 4,
        state: 'failed',
        attemptId: null,
        status: null,
        error: 'The secret is deleted.',
      },
      { position: 4, deliveryId: 99, state: 'ok', attemptId: null, status: 200, error: null },
    ])
    expect(readJob(db, jobId)).toMatchObject({ ok: 2, failed: 3, waiting: 0 })
    expect(readJob(db, jobId)?.results[0]).toEqual({ status: 200, error: null, count: 2 })
    expect(readJob(db, jobId)?.results).toHaveLength(4)
  })

  it('lists its items by state, in order, from a position on', async () => {
    const { db, jobs, record } = working()
    const jobId = jobs.createJob(created)
    jobs.claim({ jobId, count: 3 })
    await record({
      attempts: [attempted({ jobId, position: 1, status: 500 })],
      settled: [],
      skips: [],
    })
    const positions = (...asked: Parameters<typeof readJobItems>[1]['states']) =>
      readJobItems(db, { id: jobId, states: asked, after: -1, limit: 10 }).map(
        ({ position }) => position,
      )
    expect(positions('failed')).toEqual([1])
    expect(positions('waiting', 'failed', 'failed')).toEqual([1, 3, 4])
    expect(
      readJobItems(db, { id: jobId, states: ['waiting', 'claimed'], after: 0, limit: 2 }).map(
        ({ position }) => position,
      ),
    ).toEqual([2, 3])
  })

  it('that has finished is not counted again, except for late results', async () => {
    const { db, jobs, record } = working()
    const jobId = jobs.createJob(created)
    jobs.claim({ jobId, count: 2 })
    await record({ attempts: [attempted({ jobId, position: 0 })], settled: [], skips: [] })
    jobs.setJobState({ jobId, state: 'cancelled', reason: null, endedAt: 7 })
    const over = { state: 'cancelled', endedAt: 7, ok: 1, inFlight: 1, waiting: 3 }
    expect(readJob(db, jobId)).toMatchObject(over)
    db.exec("UPDATE send_job_item SET state = 'skipped' WHERE position = 4")
    expect(readJob(db, jobId)).toMatchObject(over)
    await record({ attempts: [attempted({ jobId, position: 1 })], settled: [], skips: [] })
    expect(readJob(db, jobId)).toMatchObject({ ok: 2, inFlight: 0, skipped: 1 })
  })

  it('reports the twenty most frequent results', async () => {
    const { db, jobs, record } = working()
    const ids = Array.from({ length: 90 }, () => 1)
    const jobId = jobs.createJob({ ...created, ids })
    const attempts = ids.map((_, position) =>
      attempted({ jobId, position, status: position < 60 ? 200 : 400 + position }),
    )
    await record({ attempts, settled: [], skips: [] })
    const outcomes = readJob(db, jobId)?.results ?? []
    expect(outcomes).toHaveLength(20)
    expect(outcomes[0]).toEqual({ status: 200, error: null, count: 60 })
  })

  it('is removed with its items, and its attempts stay', async () => {
    const { db, jobs, record } = working()
    const jobId = jobs.createJob(created)
    await record({ attempts: [attempted({ jobId, position: 0 })], settled: [], skips: [] })
    deleteJob(db, jobId)
    expect(readJobs(db)).toEqual([])
    const left = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect([left('send_job_item'), left('attempt')]).toEqual([0, 1])
    expect(jobs.createJob(created)).toBeGreaterThan(jobId)
  })
})

describe('jobs', () => {
  it('are deleted to make room for new ones, the oldest finished ones first', () => {
    const { db, jobs } = working(5, { jobs: 2, items: 100 })
    const ids = Array.from({ length: 5 }, () => jobs.createJob(created))
    for (const jobId of ids.slice(1))
      jobs.setJobState({ jobId, state: 'done', reason: null, endedAt: 1 })
    jobs.createJob(created)
    expect(readJobs(db).map(({ id }) => id)).toEqual([6, 5, 4, 1])
  })

  it('are deleted by their number of items', () => {
    const { db, jobs } = working(5, { jobs: 100, items: 12 })
    for (let n = 0; n < 4; n += 1) {
      const jobId = jobs.createJob(created)
      jobs.setJobState({ jobId, state: 'done', reason: null, endedAt: 1 })
    }
    expect(readJobs(db).map(({ id }) => id)).toEqual([4, 3, 2])
    jobs.createJob(created)
    expect(readJobs(db).map(({ id }) => id)).toEqual([5, 4, 3])
  })
})

const sent = (jobId: number, position: number, status: number | null) =>
  attempted({ deliveryId: null, jobId, position, status, signing: 'none' })

describe('a job that sends a scenario', () => {
  const scenario: NonNullable<JobRequest['scenario']> = {
    logId: 7,
    store: 'evening.db',
    name: 'evening',
    keepIds: false,
    seed: 1,
    comparedTo: null,
    hasSecret: false,
  }

  it('is deleted with its log in steps, with what it sent', async () => {
    const { db, jobs, record } = working(1)
    const jobId = jobs.createJob({ ...created, request: { ...request, scenario } })
    const attempts = Array.from({ length: 65 }, () => sent(jobId, 0, 200))
    await record({ attempts: [...attempts, attempted()], settled: [], skips: [] })
    expect(deleteJobsOfLog(db, 7)).toBe(true)
    expect(readJob(db, jobId)).not.toBeNull()
    while (deleteJobsOfLog(db, 7));
    expect(readJob(db, jobId)).toBeNull()
    expect(db.prepare('SELECT attempts FROM attempt_tally').get()).toEqual({ attempts: 1 })
  })
})

describe('when the store is opened again', () => {
  it('makes claimed items uncertain, and running jobs interrupted', async () => {
    const store = working()
    const { jobs, record } = store
    const jobId = jobs.createJob(created)
    const paused = jobs.createJob(created)
    jobs.claim({ jobId, count: 3 })
    await record({ attempts: [attempted({ jobId, position: 0 })], settled: [], skips: [] })
    jobs.setJobState({ jobId: paused, state: 'paused', reason: null, endedAt: null })
    const db = reopened(store)
    expect(states(db, jobId)).toEqual(['ok', 'uncertain', 'uncertain', 'waiting', 'waiting'])
    expect(readJob(db, jobId)).toMatchObject({
      state: 'interrupted',
      ok: 1,
      uncertain: 2,
      waiting: 2,
      inFlight: 0,
    })
    expect(readJob(db, paused)?.state).toBe('paused')
    // They are not sent again unasked.
    const again = createJobWrites(db, (work) => work())
    expect(claimedBy(again, jobId)).toEqual([3, 4])
    again.settleUncertain({ jobId, as: 'send' })
    expect(claimedBy(again, jobId)).toEqual([1, 2])
    db.close()
  })

  it('uncertain items can be left out, with a reason', () => {
    const store = working()
    const jobId = store.jobs.createJob(created)
    store.jobs.claim({ jobId, count: 2 })
    const db = reopened(store)
    createJobWrites(db, (work) => work()).settleUncertain({ jobId, as: 'skip' })
    expect(readJob(db, jobId)).toMatchObject({
      uncertain: 0,
      skipped: 2,
      waiting: 3,
      results: [{ status: null, error: expect.stringMatching(/may have been received/), count: 2 }],
    })
    db.close()
  })

  it('a job that was canceled is counted again', () => {
    const store = working()
    const jobId = store.jobs.createJob(created)
    store.jobs.claim({ jobId, count: 2 })
    store.jobs.setJobState({ jobId, state: 'cancelled', reason: null, endedAt: 1 })
    const db = reopened(store)
    expect(readJob(db, jobId)).toMatchObject({ state: 'cancelled', uncertain: 2, inFlight: 0 })
    db.close()
  })
})
