import { describe, expect, it } from 'vitest'
import type { HealthOverview, HealthRange } from '#contract/health.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { readOverview } from '#engine/health/read.ts'
import { Rollups } from '#engine/health/rollups.ts'
import type { Db } from '#engine/platform/sqlite.ts'
import { attemptLimits, createRecord } from '#engine/sending/store/attempts.ts'
import { writeCauses, writeRechecks } from '#engine/signature/recheck-store.ts'
import { attempted } from '#test/support/attempts.ts'
import { delivery, take, type GroupItem, type Overrides } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

const start = Date.parse('2026-03-14T20:00:00.000Z')
const minutes = (count: number): number => start + count * 60_000
const hours = (count: number): number => minutes(count * 60)
const days = (count: number): number => hours(count * 24)

/** A store with a clock, as the writer uses it. */
function countingStore(items: readonly GroupItem[] = []) {
  const { db } = storeWith()
  let now = start
  let rollups = new Rollups(db, () => now)
  const ingest = createIngest(db, (id, each) => rollups.delivery(id, each))
  take(ingest, items)
  return {
    db,
    ingest,
    at: (time: number): void => void (now = time),
    rollups: (): Rollups => rollups,
    /** What a process that begins now does. */
    restart: (): void => {
      rollups = new Rollups(db, () => now)
      rollups.catchUp(ingest.tally().lastId)
      finish(rollups)
    },
    record: createRecord(db, () => undefined, attemptLimits, {
      attempt: (attempt, of) => rollups.attempt(attempt, of),
      causes: (...change) => rollups.causes(...change),
    }),
  }
}

function finish(rollups: Rollups): void {
  while (rollups.step());
  rollups.flush()
}

/** Received at a time in milliseconds, and created 2 s before. */
function arrived(id: number, at: number, overrides: Overrides = {}): GroupItem {
  return delivery(id, { receivedUs: at * 1000, createdAt: at - 2000, ...overrides })
}

function overview(db: Db, range: HealthRange, now: number, scope = {}): HealthOverview {
  return readOverview(db, { range, by: 'type', now, ...scope })
}

const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0)

/** Everything that is counted, without where. */
function totals({ received, failed, handler, causes, findings, total }: HealthOverview) {
  return {
    received: sum(received),
    failed: sum(failed),
    handler: [sum(handler.ok), sum(handler.rejected), sum(handler.noResponse)],
    causes,
    findings,
    delay: total.delay.p50 === null ? null : Math.round(total.delay.p50 / 1000),
  }
}

const failing = {
  verdict: 'invalid',
  findings: [
    { code: 'field_missing', location: 'body.data.a' },
    { code: 'field_missing', location: 'body.data.b' },
  ],
} as const

/** One hour with everything: deliveries, findings, causes, attempts, and what does not count. */
async function eventful() {
  const store = countingStore([
    arrived(1, minutes(1)),
    arrived(2, minutes(1), { type: 'ORDER_PLACED', locationName: 'Pier 9' }),
    arrived(3, minutes(9), failing),
    arrived(4, minutes(9), failing),
    arrived(5, minutes(30), { verdict: 'missing' }),
    arrived(6, minutes(30), { sentBy: 'send' }),
    arrived(7, minutes(59), { endpointId: null, endpointName: null, locationName: null }),
  ])
  const { db, rollups, record } = store
  const pretty = [{ code: 'body.pretty', where: 'between' } as const]
  writeCauses(db, { id: 3, causes: pretty }, rollups())
  writeCauses(db, { id: 4, causes: pretty }, rollups())
  // Found again after a check with other secrets: counted once.
  const verdicts = [{ id: 4, verdict: 'invalid', secretName: null, changed: false } as const]
  writeRechecks(db, { at: minutes(40), verdicts }, rollups())
  writeCauses(db, { id: 4, causes: pretty }, rollups())
  const of = (deliveryId: number, overrides: Parameters<typeof attempted>[0]) =>
    attempted({ deliveryId, kind: 'forward', sentAt: minutes(10), ...overrides })
  const error = { code: 'refused', message: 'The connection was refused.' } as const
  await record({
    attempts: [
      of(1, {}),
      of(1, { kind: 'resend', status: 500 }),
      of(2, { status: null, error }),
      of(5, { signing: 'broken', status: 401 }),
    ],
    settled: [],
    skips: [],
  })
  finish(rollups())
  return store
}

const eventfulTotals = {
  received: 6,
  failed: 3,
  handler: [1, 1, 1],
  causes: [{ code: 'body.pretty', count: 2 }],
  findings: [{ code: 'field_missing', count: 2 }],
  delay: 2,
}

describe('rollups', () => {
  it('counts what arrived and what became of it, by minute', async () => {
    const { db } = await eventful()
    const hour = overview(db, 'hour', minutes(59))
    expect(totals(hour)).toEqual(eventfulTotals)
    const busy = hour.at.flatMap((at, index) =>
      hour.received[index] === 0 ? [] : [[(at - start) / 60_000, hour.received[index]]],
    )
    expect(busy).toEqual([
      [1, 2],
      [9, 2],
      [30, 1],
      [59, 1],
    ])
    expect(hour.groups.map(({ key, total, failed }) => [key, total, failed])).toEqual([
      ['OPEN_TAB', 5, 3],
      ['ORDER_PLACED', 1, 0],
    ])
    const pier = overview(db, 'hour', minutes(59), { location: 'Pier 9', by: 'endpoint' })
    expect(pier.groups).toMatchObject([{ key: '1', total: 1, lastAt: minutes(1) }])
    const none = overview(db, 'hour', minutes(59), { endpointId: null })
    expect(totals(none).received).toBe(1)
  })

  it('keeps the counts when the deliveries are gone', async () => {
    const { db } = await eventful()
    db.exec('DELETE FROM delivery')
    expect(totals(overview(db, 'day', minutes(59)))).toEqual(eventfulTotals)
  })

  it('makes hours, days and nothing of the minutes as they get older, and loses none before', async () => {
    const store = await eventful()
    const rows = () =>
      store.db.prepare('SELECT DISTINCT span FROM rollup ORDER BY span').pluck().all()
    for (const [age, range, spans] of [
      [1, 'week', [0]],
      [3, 'week', [1]],
      [70, 'year', [2]],
      [360, 'year', [2]],
    ] as const) {
      store.at(days(age))
      finish(store.rollups())
      expect(rows()).toEqual(spans)
      expect(totals(overview(store.db, range, days(age)))).toEqual(eventfulTotals)
    }
    store.at(days(370))
    finish(store.rollups())
    expect(rows()).toEqual([])
  })

  it('counts after a crash what was stored but not counted', async () => {
    const store = countingStore([arrived(1, minutes(1))])
    finish(store.rollups())
    take(store.ingest, [arrived(2, minutes(2)), arrived(3, minutes(3), failing)])
    await store.record({
      attempts: [
        attempted({ deliveryId: 1, kind: 'forward', sentAt: minutes(3) }),
        attempted({ deliveryId: 2, kind: 'forward', sentAt: minutes(3) }),
      ],
      settled: [],
      skips: [],
    })
    store.restart()
    const counted = totals(overview(store.db, 'hour', minutes(59)))
    expect(counted).toMatchObject({ received: 3, failed: 1, handler: [2, 0, 0] })
    store.restart()
    expect(totals(overview(store.db, 'hour', minutes(59)))).toEqual(counted)
  })

  it('counts stored deliveries again, with the same result', async () => {
    const { db, rollups } = await eventful()
    const before = overview(db, 'hour', minutes(59))
    expect(rollups().again(true)).toBe(7)
    finish(rollups())
    expect(overview(db, 'hour', minutes(59))).toEqual(before)
  })

  it('counts nothing twice after the progress of a damaged store was lost', async () => {
    const store = await eventful()
    store.db.exec('UPDATE rollup_progress SET delivery_id = 0, attempt_id = 0')
    store.restart()
    expect(totals(overview(store.db, 'hour', minutes(59)))).toEqual(eventfulTotals)
  })

  it('keeps what was counted before the oldest stored delivery, unless it is not wanted', async () => {
    const { db, rollups } = await eventful()
    db.exec('DELETE FROM delivery WHERE id < 5')
    rollups().again(true)
    finish(rollups())
    expect(totals(overview(db, 'hour', minutes(59))).received).toBe(6)
    rollups().again(false)
    finish(rollups())
    expect(totals(overview(db, 'hour', minutes(59))).received).toBe(2)
  })

  it('counts what arrives while it counts again once', async () => {
    const store = await eventful()
    store.rollups().again(true)
    take(store.ingest, [arrived(8, minutes(59))])
    await store.record({
      attempts: [attempted({ deliveryId: 1, sentAt: minutes(59) })],
      settled: [],
      skips: [],
    })
    finish(store.rollups())
    expect(totals(overview(store.db, 'hour', minutes(59)))).toMatchObject({
      received: 7,
      handler: [2, 1, 1],
    })
  })

  it('counts as others what exceeds the number of locations and types', () => {
    const many = Array.from({ length: 1300 }, (_, index) =>
      arrived(index + 1, minutes(1), {
        locationName: `L${index}`,
        type: index < 1200 ? 'A' : `T${index}`,
      }),
    )
    const { db, rollups } = countingStore(many)
    finish(rollups())
    const series = db.prepare('SELECT count(*) FROM rollup_series').pluck().get()
    expect(series).toBeLessThanOrEqual(1002)
    const hour = overview(db, 'hour', minutes(59), { by: 'location' })
    expect(sum(hour.received)).toBe(1300)
    expect(hour.groups[0]).toMatchObject({ key: '*', total: 300 })
    expect(hour.groups.at(-1)).toMatchObject({ others: true })
  })

  it('corrects delays by a clock that is behind, but not by one wrong time', () => {
    const items = Array.from({ length: 20 }, (_, index) => {
      const at = minutes(index)
      return arrived(index + 1, at, { createdAt: index === 3 ? at + 3_600_000 : at + 5000 })
    })
    const { db, rollups } = countingStore(items)
    finish(rollups())
    const { clockBehindMs, total } = overview(db, 'hour', minutes(59))
    expect(clockBehindMs).toBe(5000)
    expect(total.delay.p50).toBe(0)
  })
})

/** `counts`: deliveries in the hour after `start` of each week, the oldest first; null: Tabscope did not run. */
function weeks(counts: readonly (number | null)[]): Db {
  const store = countingStore()
  let id = 0
  for (const [index, count] of counts.entries()) {
    const from = days(index * 7)
    store.at(from)
    take(
      store.ingest,
      Array.from({ length: count ?? 0 }, () => arrived((id += 1), from + 60_000)),
    )
    for (let minute = 0; minute < 60 && count !== null; minute += 1) {
      const at = from + minute * 60_000
      store.rollups().presence({ at, tunnel: 'open', relayDown: false })
    }
    finish(store.rollups())
  }
  return store.db
}
function usualAfter(counts: readonly (number | null)[]): number | null {
  const { at, usual } = overview(weeks(counts), 'week', days(counts.length * 7) + 3_599_000)
  expect(at.at(-1)).toBe(days(counts.length * 7))
  return usual.at(-1) ?? null
}

describe('the usual of like hours', () => {
  it('is their median, of hours in which Tabscope ran', () => {
    expect(usualAfter([10, 40, 30, 20])).toBe(25)
    expect(usualAfter([10, 40, null, 20])).toBe(20)
    expect(usualAfter([10, 40, 0, 20])).toBe(15)
    expect(usualAfter([500, 10, 40, 30, 20])).toBe(25)
  })

  it('is unknown with fewer than three', () => {
    expect(usualAfter([10, 40])).toBeNull()
    expect(usualAfter([10, null, null, 20])).toBeNull()
  })

  it('shows when Tabscope did not run, and when tunnel and relay were down', () => {
    const { db, rollups } = countingStore()
    for (let minute = 0; minute < 60; minute += 1) {
      if (minute >= 15 && minute < 30) continue
      const tunnel = minute >= 30 && minute < 40 ? 'down' : minute >= 50 ? 'closed' : 'open'
      rollups().presence({ at: minutes(minute), tunnel, relayDown: minute === 45 })
    }
    finish(rollups())
    const { down, at } = overview(db, 'week', minutes(60))
    const index = at.indexOf(start)
    expect(down.tabscope[index]).toBeCloseTo(15 / 60)
    expect(down.tunnel[index]).toBeCloseTo(10 / 60)
    expect(down.relay[index]).toBeCloseTo(1 / 60)
    expect(down.tabscope[index - 1]).toBe(0)
  })
})
