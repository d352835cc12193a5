import { closeSync, openSync, writeSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HealthOverview, HealthRange } from '#contract/health.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { createAlertCheck, defaultRule } from '#engine/deliveries/health/alerts.ts'
import { deleteOldCounts } from '#engine/deliveries/health/counts.ts'
import { readOverview } from '#engine/deliveries/health/overview.ts'
import { writePresence } from '#engine/deliveries/health/running.ts'
import { openWriter, type Db } from '#engine/platform/sqlite.ts'
import { createRecord } from '#engine/sending/store/attempts.ts'
import { writeCauses, writeRechecks } from '#engine/diagnosis/recheck-store.ts'
import { attempted } from '#test/support/attempts.ts'
import { delivery, take, type GroupItem, type Overrides } from '#test/support/groups.ts'
import { storeItems, storeWith } from '#test/support/test-store.ts'

const start = Date.parse('2026-03-14T20:00:00.000Z')
const minutes = (count: number): number => start + count * 60_000
const days = (count: number): number => minutes(count * 24 * 60)

/** Received at a time in milliseconds, and created 2 s before. */
function arrived(id: number, at: number, overrides: Overrides = {}): GroupItem {
  return delivery(id, { receivedUs: at * 1000, createdAt: at - 2000, ...overrides })
}

function overview(db: Db, range: HealthRange, now: number, scope = {}): HealthOverview {
  return readOverview(db, { range, by: 'type', now, ...scope })
}

const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0)

/** Everything that is counted, without where. */
function totals({ received, failed, handler }: HealthOverview) {
  return {
    received: sum(received),
    failed: sum(failed),
    handler: [sum(handler.ok), sum(handler.rejected), sum(handler.noResponse)],
  }
}

/** One hour with everything that counts, and what does not. */
async function eventful() {
  const store = storeWith([
    arrived(1, minutes(1)),
    arrived(2, minutes(1), { type: 'ORDER_PLACED', locationName: 'Pier 9' }),
    arrived(3, minutes(9), { verdict: 'invalid' }),
    arrived(4, minutes(9), { verdict: 'invalid' }),
    arrived(5, minutes(30), { verdict: 'missing' }),
    arrived(6, minutes(30), { sentBy: 'send' }),
    arrived(7, minutes(59), { endpointId: null, endpointName: null, locationName: null }),
  ])
  const of = (deliveryId: number, overrides: Parameters<typeof attempted>[0]) =>
    attempted({ deliveryId, kind: 'forward', sentAt: minutes(10), ...overrides })
  const error = { code: 'refused', message: 'The connection was refused.' } as const
  await createRecord(
    store.db,
    () => undefined,
  )({
    attempts: [
      of(1, {}),
      of(1, { kind: 'resend', status: 500 }),
      of(2, { status: null, error }),
      of(5, { signing: 'broken', status: 401 }),
      of(6, {}),
    ],
    settled: [],
    skips: [],
  })
  return store
}

function within(value: number | null, expected: number): void {
  expect(value).toBeGreaterThan(expected / 1.5)
  expect(value).toBeLessThan(expected * 1.5)
}

const eventfulTotals = { received: 6, failed: 3, handler: [1, 1, 1] }

describe('counts', () => {
  it('are what arrived and what became of it, by minute', async () => {
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
    expect(totals(overview(db, 'hour', minutes(59), { endpointId: null })).received).toBe(1)
  })

  it('stay when the deliveries are deleted, in every range', async () => {
    const { db } = await eventful()
    db.exec('DELETE FROM delivery')
    for (const range of ['hour', 'day', 'week', 'month', 'year'] as const)
      expect(totals(overview(db, range, minutes(59)))).toEqual(eventfulTotals)
  })

  it('are kept for a year of hours, whatever the clock says', () => {
    const { db, ingest } = storeWith()
    const hours = 367 * 24
    const items = Array.from({ length: hours }, (_, index) =>
      arrived(index + 1, minutes(index * 60)),
    )
    take(ingest, items)
    deleteOldCounts(db)
    const kept = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect([kept('health_hour'), kept('health_minute')]).toEqual([366 * 24, 48 * 60])
    // A clock that is ahead for an hour costs the oldest hour, and one that is behind nothing.
    take(ingest, [arrived(hours + 1, days(900))])
    take(ingest, [arrived(hours + 2, minutes((hours - 1) * 60))])
    deleteOldCounts(db)
    expect(totals(overview(db, 'year', minutes(hours * 60))).received).toBeGreaterThan(364 * 24)
  })

  it('have the median and 90 % of delays and response times', async () => {
    const store = storeWith(
      Array.from({ length: 100 }, (_, index) => {
        const at = minutes(index % 50)
        return arrived(index + 1, at, { createdAt: at - (index + 1) * 100 })
      }),
    )
    await createRecord(
      store.db,
      () => undefined,
    )({
      attempts: [10, 20, 40, 80, 2000].map((durationMs) =>
        attempted({ sentAt: minutes(5), durationMs }),
      ),
      settled: [],
      skips: [],
    })
    const { delay, response } = overview(store.db, 'week', minutes(59)).total
    within(delay.p50, 5000)
    within(delay.p90, 9000)
    within(response.p50, 40)
    within(response.p90, 2000)
  })

  it('take names of locations and types only from deliveries that somebody trusts', () => {
    const { db } = storeWith([
      arrived(1, minutes(1), { locationName: 'Pier 9' }),
      arrived(2, minutes(1), { locationName: 'Mill', verdict: 'unsigned' }),
      arrived(3, minutes(2), { locationName: 'Pier 9', verdict: 'invalid' }),
      arrived(4, minutes(2), { locationName: 'Forged', type: 'FORGED', verdict: 'missing' }),
      arrived(5, minutes(2), { locationName: 'Elsewhere', endpointId: null, verdict: 'unsigned' }),
    ])
    const groups = (by: string) =>
      overview(db, 'hour', minutes(59), { by }).groups.map(({ key, total }) => [key, total])
    expect(groups('location')).toEqual([
      ['*', 2],
      ['Pier 9', 2],
      ['Mill', 1],
    ])
    expect(groups('type')).toEqual([
      ['OPEN_TAB', 4],
      ['*', 1],
    ])
  })

  it('go to others beyond the maximum number of locations and types', () => {
    const { db } = storeWith(
      Array.from({ length: 1300 }, (_, index) =>
        arrived(index + 1, minutes(1), { locationName: `L${index}` }),
      ),
    )
    const hour = overview(db, 'hour', minutes(59), { by: 'location' })
    expect(sum(hour.received)).toBe(1300)
    expect(hour.groups[0]).toMatchObject({ key: '*', total: 300 })
    expect(hour.groups.at(-1)).toMatchObject({ others: true })
  })

  it('do not keep a delivery from being stored if their page is damaged', () => {
    const made = storeWith([arrived(1, minutes(1))])
    const page = Number(
      made.db
        .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'health_hour'")
        .pluck()
        .get(),
    )
    const pageSize = Number(made.db.pragma('page_size', { simple: true }))
    made.db.pragma('wal_checkpoint(TRUNCATE)')
    made.db.close()
    const file = openSync(made.path, 'r+')
    writeSync(file, Buffer.alloc(pageSize, 0xff), 0, pageSize, (page - 1) * pageSize)
    closeSync(file)
    const db = openWriter(made.path)
    take(createIngest(db), [arrived(2, minutes(2))])
    expect(db.prepare('SELECT id FROM delivery').pluck().all()).toEqual([1, 2])
    db.close()
  })
})

it('counts the deliveries with a new cause once, also after their signatures were checked again', () => {
  const { db } = storeWith()
  storeItems(
    db,
    [1, 2, 3].map((id) => arrived(id, minutes(id), { verdict: 'invalid' })),
  )
  const causes = [{ code: 'body.pretty', where: 'between' } as const]
  for (const id of [2, 3]) writeCauses(db, { id, causes })
  const verdicts = [{ id: 3, verdict: 'invalid', secretName: null, changed: false } as const]
  writeRechecks(db, { at: minutes(40), verdicts })
  writeCauses(db, { id: 3, causes })
  const held = { ...condition('body.pretty'), id: 1, raisedAt: start, endedAt: null }
  const find = (now: number) =>
    createAlertCheck(db)({ now, rules: [{ ...defaultRule, endpointId: 1 }], active: [held] })
  expect(find(minutes(59)).conditions).toEqual([
    { ...condition('body.pretty'), since: minutes(2), observed: 2 },
  ])
  expect(find(days(2)).conditions).toEqual([])
})

it('alerts about failures and new causes in the first hour, not about a delay, which may be usual', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => index + 1)
  const { db } = storeWith()
  const late = { createdAt: start - 3_600_000 }
  storeItems(
    db,
    ids.map((id) => arrived(id, minutes(id), { ...late, verdict: 'invalid' })),
  )
  await createRecord(
    db,
    () => undefined,
  )({
    attempts: ids.map((deliveryId) =>
      attempted({ deliveryId, kind: 'forward', sentAt: minutes(13), status: 500 }),
    ),
    settled: [],
    skips: [],
  })
  writeCauses(db, { id: 1, causes: [{ code: 'body.pretty', where: 'between' }] })
  const find = (failurePercent: number | null, now: number) =>
    createAlertCheck(db)({
      now,
      rules: [{ ...defaultRule, failurePercent, endpointId: 1 }],
      active: [],
    }).conditions.map(({ kind, usual, observed }) => [kind, usual, observed])
  const cause = ['cause', 0, 1]
  expect(find(10, minutes(14))).toEqual([['signatures', 0, 1], ['handler', 0, 1], cause])
  expect(find(null, minutes(14))).toEqual([cause])
  // Of the last hour, four have failed.
  expect(find(10, minutes(68))).toEqual([['handler', 0, 1], cause])
})

const condition = (code: string) =>
  ({ kind: 'cause', endpointId: 1, location: null, code, since: 0, usual: 0, observed: 1 }) as const

/** `counts`: deliveries in the hour after `start` of each week, the oldest first; null: Tabscope did not run. */
function usualAfter(counts: readonly (number | null)[]): number | null {
  const { db, ingest } = storeWith()
  let id = 0
  for (const [index, count] of counts.entries()) {
    const from = days(index * 7)
    take(
      ingest,
      Array.from({ length: count ?? 0 }, () => arrived((id += 1), from + 60_000)),
    )
    for (let minute = 0; minute < 60 && count !== null; minute += 1)
      writePresence(db, { at: from + minute * 60_000, tunnel: 'open', relayDown: false })
  }
  const { at, usual } = overview(db, 'week', days(counts.length * 7) + 3_599_000)
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
})
