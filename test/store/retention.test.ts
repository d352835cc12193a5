import { describe, expect, it } from 'vitest'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { createIndexer } from '#engine/search/indexer/indexer.ts'
import { contentBytesSql } from '#engine/deliveries/ingest.ts'
import { createRetention, type KeepLimits } from '#engine/deliveries/retention.ts'
import { deliveryRecord } from '#test/support/journal-records.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

const plenty = 2 ** 40
const hundred = { headers: 'A\nb', body: Buffer.alloc(97) }

function filled(count: number, ...pinned: number[]): TestStore {
  const store = storeWith(Array.from({ length: count }, (_, i) => deliveryRecord(i + 1, hundred)))
  for (const id of pinned) store.db.prepare('UPDATE delivery SET pinned = 1 WHERE id = ?').run(id)
  return store
}
const idsOf = (db: Db) =>
  prepare<[], { id: number }>(db, 'SELECT id FROM delivery ORDER BY id')
    .all()
    .map(({ id }) => id)

/** Steps until there is nothing to do; returns how many rows each deleted. */
function keep({ db, ingest }: TestStore, limits: KeepLimits, now?: () => number): number[] {
  const retention = createRetention(db, ingest, createIndexer(db, ingest), now)
  const steps: number[] = []
  for (let gone = retention.step(limits); gone !== null; gone = retention.step(limits)) {
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
    expect(keep(store, { deliveries: 5, bytes: 500 })).toEqual([])
    expect(idsOf(store.db)).toEqual([1, 2, 3, 4, 5])
  })

  it('deletes the oldest when there are too many', () => {
    const store = filled(10)
    expect(keep(store, { deliveries: 7, bytes: plenty })).toEqual([3])
    expect(idsOf(store.db)).toEqual([4, 5, 6, 7, 8, 9, 10])
    expectTrue(store)
  })

  it('deletes the oldest when they take too much space', () => {
    const store = filled(10)
    keep(store, { deliveries: plenty, bytes: 999 })
    expect(idsOf(store.db)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    keep(store, { deliveries: plenty, bytes: 250 })
    expect(idsOf(store.db)).toEqual([9, 10])
    expectTrue(store)
  })

  it('keeps pinned deliveries, and counts them', () => {
    const store = filled(10, 1, 3)
    keep(store, { deliveries: 4, bytes: plenty })
    expect(idsOf(store.db)).toEqual([1, 3, 9, 10])
    keep(store, { deliveries: 1, bytes: plenty })
    expect(idsOf(store.db)).toEqual([1, 3])
    expect(keep(store, { deliveries: 1, bytes: 1 })).toEqual([])
    expectTrue(store)
  })

  it('runs in steps that end when their time is over, which is more if there are far too many', () => {
    for (const [msPerRange, expected] of [
      [60, [256, 256, 256, 132]],
      [24, [768, 132]],
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
    const store = storeWith(Array.from({ length: 12 }, (_, i) => deliveryRecord(i + 1, large)))
    let at = 0
    expect(keep(store, { deliveries: 1, bytes: plenty }, () => (at += 60))).toEqual([4, 4, 3])
    expectTrue(store)
  })

  it('removes what was deleted from the text index, which keeps the rest', () => {
    const store = storeWith(
      Array.from({ length: 6000 }, (_, i) =>
        deliveryRecord(i + 1, { headers: `A\nunique${i + 1}x common` }),
      ),
    )
    const { db, ingest } = store
    const indexer = createIndexer(db, ingest)
    indexer.step(() => false)
    const pages = prepare<[], number>(db, 'SELECT count(*) FROM delivery_text_data').pluck()
    const retention = createRetention(db, ingest, indexer)
    while (retention.compact());
    const before = pages.get() ?? 0
    while (retention.step({ deliveries: 600, bytes: plenty }) !== null);
    while (retention.compact());
    expect(pages.get()).toBeLessThan(before / 4)
    const found = (text: string) =>
      prepare<[string], number>(db, 'SELECT rowid FROM delivery_text WHERE delivery_text MATCH ?')
        .pluck()
        .all(text)
    expect(found('unique5400x')).toEqual([])
    expect(found('unique5401x')).toEqual([5401])
    expect(found('common')).toEqual(idsOf(db))
    expect(() =>
      db.exec("INSERT INTO delivery_text (delivery_text) VALUES ('integrity-check')"),
    ).not.toThrow()
  })

  it('clears all deliveries that are not pinned, and never reuses an ID', () => {
    const store = filled(6, 2)
    expect(
      createRetention(store.db, store.ingest, createIndexer(store.db, store.ingest)).clear(),
    ).toBe(5)
    expect(idsOf(store.db)).toEqual([2])
    expectTrue(store)
    expect(store.ingest.tally().lastId).toBe(6)
  })
})
