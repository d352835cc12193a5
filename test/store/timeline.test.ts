import { beforeAll, describe, expect, it } from 'vitest'
import type { Timeline } from '#contract/deliveries.ts'
import { verdicts, timelineKinds } from '#contract/constants.ts'
import { createSearch } from '#engine/search/search.ts'
import type { TimelineInput, Timelines } from '#engine/search/timeline.ts'
import { createTimelines } from '#engine/search/timeline.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { openReader, openWriter, prepare, type Db } from '#engine/platform/sqlite.ts'
import { prepareStore } from '#engine/store/open.ts'
import { delivery, firstUs, take } from '#test/support/groups.ts'
import { seeded } from '#test/support/random-json.ts'
import { planOf } from '#test/support/plans.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { readerOf, storeWith } from '#test/support/test-store.ts'

type Kind = TimelineInput['by']

const random = seeded(11)
const typeNames = [
  null,
  'none',
  'a b"c',
  'x*',
  ...Array.from({ length: 16 }, (_, index) => `TYPE_${index}`),
]
const sizes = [0, 1, 999, 1000, 9999, 10_000, 100_000, 5]
/** Milliseconds from createdAt to arrival; null: there is no createdAt. */
const lags = [null, -1, 0, 99, 100, 999, 1000, 4999, 5000, 59_999, 60_000]

function pick<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** More than two blocks of IDs, with a clock that sometimes goes back. */
function records(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const id = from + index
    const back = id % 500 === 0 ? 90_000_000 : 0
    const receivedUs = firstUs + id * 400_000 + Math.floor(random() * 300_000) - back
    const lag = pick(lags) ?? null
    return delivery(id, {
      receivedUs,
      type: pick(typeNames) ?? null,
      verdict: pick(verdicts) ?? 'valid',
      createdAt: lag === null ? null : Math.floor(receivedUs / 1000) - lag,
      body: new Uint8Array(pick(id % 50 === 0 ? sizes : sizes.slice(0, 3)) ?? 0),
    })
  })
}

interface Row {
  readonly id: number
  readonly received_us: number
  readonly created_ms: number | null
  readonly verdict: string
  readonly type: string | null
  readonly bytes: number
}

const lagKeys = ['below-0', 'below-100ms', 'below-1s', 'below-5s', 'below-1m', 'from-1m']
const sizeKeys = ['empty', 'below-1kb', 'below-10kb', 'below-100kb', 'below-1mb', 'from-1mb']

function keyOf(by: Kind, row: Row): string {
  switch (by) {
    case 'verdict':
      return row.verdict
    case 'type':
      return row.type === null ? 'none' : `=${row.type}`
    case 'lag': {
      if (row.created_ms === null) return 'unknown'
      const lag = row.received_us / 1000 - row.created_ms
      return lagKeys[[0, 100, 1000, 5000, 60_000].filter((edge) => lag >= edge).length] ?? ''
    }
    case 'size':
      return sizeKeys[[1, 1000, 1e4, 1e5, 1e6].filter((edge) => row.bytes >= edge).length] ?? ''
  }
}

const base = { filter: '', upTo: null, asOf: 0, from: null, to: null, buckets: 50 } as const

/** Queries until everything is counted. Returns the number of calls. */
function whole(timelines: Timelines, input: TimelineInput): { timeline: Timeline; asked: number } {
  for (let asked = 1; ; asked++) {
    const timeline = timelines.query(input)
    if (timeline.complete) return { timeline, asked }
    expect(timeline.searched).toBeLessThan(1)
    if (asked > 1000) throw new Error('it never ends')
  }
}

function expectCounts(timeline: Timeline, by: Kind, rows: readonly Row[], shown: string[]): void {
  const { from, bucketMs } = timeline
  const expectedCounts = new Map<string, number[]>()
  const length = timeline.series[0]?.counts.length ?? 0
  for (const row of rows) {
    const key = keyOf(by, row)
    const counts = expectedCounts.get(shown.includes(key) ? key : 'others') ?? Array(length).fill(0)
    const at = Math.floor((row.received_us / 1000 - from) / bucketMs)
    counts[at] = (counts[at] ?? 0) + 1
    expectedCounts.set(shown.includes(key) ? key : 'others', counts)
  }
  for (const { key, counts } of timeline.series) {
    expect(counts, `${by} ${key}`).toEqual(expectedCounts.get(key) ?? Array(length).fill(0))
    expectedCounts.delete(key)
  }
  expect([...expectedCounts.keys()]).toEqual([])
}

const keys = (timeline: Timeline) => timeline.series.map(({ key }) => key)

const allRows = (db: Db, where = '1'): Row[] =>
  prepare<[], Row>(db, `SELECT * FROM delivery WHERE ${where}`).all()

describe('a timeline', () => {
  const total = 14_000
  const filled = () => {
    const store = storeWith(records(1, total))
    return { store, reader: readerOf(store) }
  }
  let reader: Db
  beforeAll(() => {
    const folder = ownedFolder()
    const { path } = prepareStore(folder.path, 'now')
    const db = openWriter(path)
    take(createIngest(db), records(1, total))
    reader = openReader(path)
    return async () => {
      reader.close()
      db.close()
      await folder[Symbol.asyncDispose]()
    }
  })
  const since = new Date(firstUs / 1000 + 5_000_000).toISOString()
  const sinceUs = Date.parse(since) * 1000
  const filters: [filter: string, where: string][] = [
    ['', '1'],
    ['type:TYPE_3', "type = 'TYPE_3'"],
    ['verdict:invalid size:>=999', "verdict = 'invalid' AND bytes >= 999"],
    [`since:${since}`, `received_us >= ${sinceUs}`],
    [`before:${since} -verdict:valid`, `received_us < ${sinceUs} AND verdict <> 'valid'`],
  ]

  it('has the same counts as counting all rows one by one, for each kind and filter', () => {
    const timelines = createTimelines(reader, 0)
    for (const [filter, where] of filters) {
      const rows = allRows(reader, where)
      expect(rows.length).toBeGreaterThan(200)
      for (const by of timelineKinds) {
        const { timeline, asked } = whole(timelines, { ...base, filter, by })
        expect(timeline.series[0]?.counts.length).toBeLessThanOrEqual(50)
        expectCounts(
          timeline,
          by,
          rows,
          timeline.series.map(({ key }) => key),
        )
        // In short steps: with a budget of zero, a call counts one piece.
        if (filter === '') expect(asked).toBeGreaterThan(1)
      }
    }
  })

  it('has a term for each series that finds the same number', () => {
    const timelines = createTimelines(reader, 1000)
    const search = createSearch(reader, 1000)
    for (const by of timelineKinds) {
      const { timeline } = whole(timelines, { ...base, by })
      for (const { term, counts } of timeline.series) {
        const page = search.page({ filter: term, upTo: null, asOf: 0, offset: 0, limit: 1 })
        expect(page.complete).toBe(true)
        expect(page.total, term).toBe(counts.reduce((sum, n) => sum + n, 0))
      }
    }
  })

  it('continues from cached counts when deliveries arrive, and subtracts deleted ones', () => {
    const { store, reader } = filled()
    const timelines = createTimelines(reader, 0)
    const ask = () => whole(timelines, { ...base, by: 'type' })
    ask()
    take(store.ingest, records(total + 1, total + 700))
    const after = ask()
    expect(after.asked, 'only the newest block is counted anew').toBeLessThanOrEqual(2)
    expectCounts(after.timeline, 'type', allRows(reader), keys(after.timeline))

    store.db.exec(`DELETE FROM delivery WHERE id < 9000 AND id % 7 <> 0;
      UPDATE progress SET deliveries = (SELECT count(*) FROM delivery)`)
    const { timeline } = ask()
    expectCounts(timeline, 'type', allRows(reader), keys(timeline))
  })

  it('is limited to a time range if one is given', () => {
    const from = firstUs / 1000 + 1_000_000
    const to = from + 600_000
    const { timeline } = whole(createTimelines(reader), { ...base, from, to, by: 'verdict' })
    expect(timeline.from).toBeLessThanOrEqual(from)
    const length = timeline.series[0]?.counts.length ?? 0
    expect(timeline.from + length * timeline.bucketMs).toBeGreaterThanOrEqual(to)
    const rows = allRows(reader, `received_us >= ${from * 1000} AND received_us < ${to * 1000}`)
    expectCounts(timeline, 'verdict', rows, [...verdicts])
  })

  it('follows manual changes if the filter depends on them', () => {
    const { store, reader } = filled()
    const timelines = createTimelines(reader)
    const pinned = () => {
      const { series } = whole(timelines, { ...base, filter: 'is:pinned', by: 'verdict' }).timeline
      return series.flatMap(({ counts }) => counts).reduce((sum, n) => sum + n, 0)
    }
    expect(pinned()).toBe(0)
    store.db.exec('UPDATE delivery SET pinned = 1 WHERE id IN (3, 9000)')
    timelines.touched([3, 9000])
    expect(pinned()).toBe(2)
  })

  it('is empty without deliveries, and has one bucket for one delivery', () => {
    const empty = createTimelines(readerOf(storeWith()))
    const none = empty.query({ ...base, asOf: firstUs / 1000, by: 'verdict' })
    expect(none).toMatchObject({ complete: true, searched: 1 })
    expect(none.series.map(({ counts }) => counts)).toEqual([[], [], [], [], []])
    const one = createTimelines(readerOf(storeWith([delivery(1, { verdict: 'invalid' })])))
    const { timeline } = whole(one, { ...base, by: 'verdict' })
    expect(timeline.bucketMs).toBe(1000)
    expect(timeline.series.map(({ counts }) => counts)).toEqual([[0], [1], [0], [0], [0]])
    expect(
      one.query({ ...base, filter: 'before:2020-01-01', by: 'lag' }).series[0]?.counts,
    ).toEqual([])
  })

  it('refuses an invalid filter', () => {
    const timelines = createTimelines(readerOf(storeWith()))
    expect(() => timelines.query({ ...base, filter: 'verdict:maybe', by: 'type' })).toThrow(
      expect.objectContaining({ code: 'bad_filter' }),
    )
  })

  it('is read by ID or with the index of its filter, and its ends with the index by time', () => {
    const texts: string[] = []
    const spied: Db = Object.create(reader, {
      prepare: { value: (sql: string) => (texts.push(sql), reader.prepare(sql)) },
    })
    const timelines = createTimelines(spied)
    timelines.query({ ...base, by: 'lag' })
    timelines.query({ ...base, filter: 'type:TYPE_3', by: 'lag' })
    const plans = texts.map((sql) => planOf(reader, sql))
    const of = (part: string) => plans.filter((_, index) => texts[index]?.includes(part))
    for (const plan of of('(received_us)')) {
      expect(plan).toBe('SEARCH delivery USING COVERING INDEX delivery_by_time (received_us>?)')
    }
    expect(of('(received_us)').length).toBeGreaterThan(1)
    const [all, typed] = of('AS bucket')
    expect(all).toMatch(/SEARCH d USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/)
    expect(typed).toMatch(/SEARCH d USING INDEX delivery_by_type .*rowid>\? AND rowid<\?/)
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (d|delivery)\b/)
  })
})
