import { describe, expect, it } from 'vitest'
import { createBelievedTime } from '#engine/platform/believed-time.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { contentBytesSql } from '#engine/deliveries/rows.ts'
import { createRetention, createShrink, type KeepLimits } from '#engine/deliveries/retention.ts'
import { delivery, firstUs } from '#test/support/groups.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

const plenty = 2 ** 40
const hundred = { headers: 'A\nb', body: Buffer.alloc(97) }

function filled(count: number, ...pinned: number[]): TestStore {
  const store = storeWith(Array.from({ length: count }, (_, i) => delivery(i + 1, hundred)))
  for (const id of pinned) store.db.prepare('UPDATE delivery SET pinned = 1 WHERE id = ?').run(id)
  return store
}
const idsOf = (db: Db) =>
  prepare<[], { id: number }>(db, 'SELECT id FROM delivery ORDER BY id')
    .all()
    .map(({ id }) => id)

/** Steps until there is nothing to do; returns how many rows each deleted. */
function keep(
  { db, ingest }: TestStore,
  limits: Partial<KeepLimits>,
  now?: () => number,
  date?: () => number,
): number[] {
  const retention = createRetention(db, ingest, () => undefined, date, now)
  const all = { deliveries: plenty, bytes: plenty, days: 0, ...limits }
  const steps: number[] = []
  for (let gone = retention.step(all); gone !== null; gone = retention.step(all)) {
    if (gone > 0) steps.push(gone)
  }
  return steps
}

function expectTrue({ db, ingest }: TestStore): void {
  const there = prepare<[], { deliveries: number; bytes: number }>(
    db,
    `SELECT count(*) AS deliveries, coalesce(sum(${contentBytesSql}), 0) AS bytes FROM delivery_content`,
  ).get()
  expect(ingest.tally()).toMatchObject(there ?? {})
  expect(idsOf(db)).toHaveLength(there?.deliveries ?? -1)
}

describe('retention', () => {
  it('does nothing within the limits', () => {
    const store = filled(5)
    expect(keep(store, { deliveries: 5, bytes: 500, days: 0 })).toEqual([])
    expect(idsOf(store.db)).toEqual([1, 2, 3, 4, 5])
  })

  it('deletes the oldest when they take too much space', () => {
    const store = filled(10)
    keep(store, { deliveries: plenty, bytes: 999, days: 0 })
    expect(idsOf(store.db)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    keep(store, { deliveries: plenty, bytes: 250, days: 0 })
    expect(idsOf(store.db)).toEqual([9, 10])
    expectTrue(store)
  })

  it('deletes what is older than a number of days, except pinned deliveries', () => {
    const store = filled(6, 2)
    const day = 86_400_000
    const now = 100 * day
    const age = store.db.prepare('UPDATE delivery SET received_us = ? WHERE id = ?')
    for (const id of [1, 2, 3, 4, 5, 6]) age.run((now - (36 - id) * day) * 1000, id)
    expect(keep(store, { days: 0 }, undefined, () => now)).toEqual([])
    expect(keep(store, { days: 32 }, undefined, () => now)).toEqual([2])
    expect(idsOf(store.db)).toEqual([2, 4, 5, 6])
    expect(keep(store, { days: 32 }, undefined, () => now)).toEqual([])
    keep(store, { days: 32 }, undefined, () => now + day)
    expect(idsOf(store.db)).toEqual([2, 5, 6])
    expectTrue(store)
  })

  it('deletes nothing for its age while the clock is wrong, and goes on a day after it was corrected', () => {
    const day = 86_400_000
    const store = filled(3)
    let system = firstUs / 1000 + 20 * day
    let uptime = 5 * day
    const date = createBelievedTime(
      store.db,
      () => system,
      () => uptime,
    )
    const deletedAfter = (ms: number, jump = 0) => {
      system += ms + jump
      uptime += ms
      return keep(store, { days: 30 }, undefined, date)
    }
    for (let days = 0; days < 3; days += 1) expect(deletedAfter(day)).toEqual([])
    const minute = 60_000
    for (const jump of [500, -500, 600, 1, 1, -602]) {
      expect(deletedAfter(minute, jump * day), `${jump} days`).toEqual([])
      expect(deletedAfter(minute)).toEqual([])
    }
    // It was wrong when Tabscope started.
    for (const jump of [500, 100, -600]) {
      const started = createBelievedTime(store.db, () => system + jump * day)
      expect(keep(store, { days: 30 }, undefined, started)).toEqual([])
    }
    expect(deletedAfter(6 * day)).toEqual([])
    expect(deletedAfter(2 * day)).toEqual([])
    expect(deletedAfter(day + minute)).toEqual([3])
    // What was believed while it was wrong for days is not, once it was corrected.
    for (const jump of [100, 0, 0, -100]) deletedAfter(day + minute, jump * day)
    const corrected = system
    deletedAfter(minute, 50 * day)
    expect(date()).toBeLessThanOrEqual(corrected)
  })

  it('keeps pinned deliveries, and counts them', () => {
    const store = filled(10, 1, 3)
    keep(store, { deliveries: 4, bytes: plenty, days: 0 })
    expect(idsOf(store.db)).toEqual([1, 3, 9, 10])
    keep(store, { deliveries: 1, bytes: plenty, days: 0 })
    expect(idsOf(store.db)).toEqual([1, 3])
    expect(keep(store, { deliveries: 1, bytes: 1, days: 0 })).toEqual([])
    expectTrue(store)
  })

  it('runs in steps that end when their time is over, which is more if there are far too many', () => {
    for (const [msPerRange, expected] of [
      [8, [256, 256, 256, 132]],
      [2.5, [768, 132]],
      [0, [900]],
    ] as const) {
      const store = filled(1000)
      let at = 0
      const now = () => (at += msPerRange)
      expect(keep(store, { deliveries: 100, bytes: plenty }, now)).toEqual(expected)
      expect(idsOf(store.db)[0]).toBe(901)
      expectTrue(store)
    }
    // 280 of 15,000 too many.
    const store = filled(15_000)
    let at = 0
    expect(keep(store, { deliveries: 14_720, bytes: plenty }, () => (at += 10))).toEqual([256, 24])
  })

  it('deletes few large deliveries at a time', () => {
    const large = { headers: 'A\nb', body: Buffer.alloc(1024 * 1024) }
    const store = storeWith(Array.from({ length: 12 }, (_, i) => delivery(i + 1, large)))
    let at = 0
    expect(keep(store, { deliveries: 1, bytes: plenty }, () => (at += 60))).toEqual([4, 4, 3])
    expectTrue(store)
  })

  it('reports what is deleted in ranges, without pinned deliveries', () => {
    const { db, ingest } = filled(10, 3)
    const reports: unknown[] = []
    const retention = createRetention(db, ingest, (removed) => reports.push(removed))
    retention.step({ deliveries: 5, bytes: plenty, days: 0 })
    retention.remove([7, 8, 10, 99])
    retention.remove([99])
    db.exec("CREATE TRIGGER broken BEFORE DELETE ON delivery BEGIN SELECT RAISE(ABORT, 'no'); END")
    expect(() => retention.remove([9])).toThrow('no')
    db.exec('DROP TRIGGER broken')
    retention.clear()
    const ranges = [
      [
        [1, 2],
        [4, 6],
      ],
      [
        [7, 8],
        [10, 10],
      ],
    ]
    expect(reports).toEqual([...ranges.map((each) => ({ ranges: each })), 'all'])
  })

  it('gives the space of many deleted deliveries back to the disk, in steps', () => {
    const body = Buffer.alloc(1_000_000)
    const { db, ingest } = storeWith(
      Array.from({ length: 40 }, (_, i) => delivery(i + 1, { body })),
    )
    const pages = () => Number(db.pragma('page_count', { simple: true }))
    const before = pages()
    const shrink = createShrink(db)
    expect(shrink(() => false)).toBe(false)
    expect(pages()).toBe(before)
    createRetention(db, ingest, () => undefined).remove(Array.from({ length: 35 }, (_, i) => i + 1))
    let steps = 0
    expect(shrink(() => (steps += 1) > 2)).toBe(true)
    expect(before - pages()).toBeLessThan(200)
    expect(shrink(() => false)).toBe(false)
    expect(pages()).toBeLessThan(before / 4)
  })
})
