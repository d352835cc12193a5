import { describe, expect, it } from 'vitest'
import type { Finding } from '#contract/models.ts'
import { annotate } from '#engine/deliveries/annotations-store.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { deleteUnusedLists } from '#engine/deliveries/findings-store.ts'
import { createRetention } from '#engine/deliveries/retention.ts'
import { delivery, take } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

/** Tables with data of deliveries. */
const tables = ['delivery', 'delivery_content', 'delivery_note', 'delivery_tag', 'finding_list']
const rowsOf = (db: Db): Record<string, number> =>
  Object.fromEntries(
    tables.map((table) => [
      table,
      prepare<[], { n: number }>(db, `SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1,
    ]),
  )

const finding: Finding = { code: 'a', severity: 'info', location: 'body', message: 'Words.' }

/** Ten deliveries with all kinds of data. */
function filled() {
  const store = storeWith(
    Array.from({ length: 10 }, (_, i) => delivery(i + 1, { findings: [finding] })),
  )
  for (let id = 1; id <= 10; id += 1) annotate(store.db, { id, note: 'mine', tags: ['one', 'two'] })
  store.db.exec('UPDATE delivery SET pinned = 0')
  return { ...store, retention: createRetention(store.db, store.ingest, () => undefined) }
}

const none = Object.fromEntries(tables.map((table) => [table, 0]))

describe('what is deleted', () => {
  it('leaves nothing in any table after retention', () => {
    const { db, retention } = filled()
    expect(rowsOf(db)).toMatchObject({
      delivery: 10,
      delivery_note: 10,
      delivery_tag: 20,
      // The same list for all.
      finding_list: 1,
    })
    expect(retention.step({ deliveries: 3, bytes: 2 ** 40, days: 0 })).toBe(7)
    expect(rowsOf(db)).toMatchObject({
      delivery: 3,
      delivery_content: 3,
      delivery_note: 3,
      delivery_tag: 6,
      finding_list: 1,
    })
    expect(retention.step({ deliveries: 0, bytes: 2 ** 40, days: 0 })).toBe(3)
    deleteUnusedLists(db)
    expect(rowsOf(db)).toEqual(none)
  })

  it('leaves nothing in any table after clearing', () => {
    const { db, ingest, retention } = filled()
    expect(retention.clear()).toBe(10)
    expect(rowsOf(db)).toEqual(none)
    expect(prepare(db, 'SELECT 1 FROM finding_kind').all()).toEqual([])
    expect(ingest.tally()).toMatchObject({ deliveries: 0, bytes: 0, lastId: 10 })
    // Later deliveries are stored, and have findings.
    take(ingest, [delivery(11, { findings: [finding] })])
    expect(rowsOf(db)).toMatchObject({ delivery: 1, finding_list: 1 })
    expect(db.pragma('foreign_key_check')).toEqual([])
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
  })

  it('does not change pinned deliveries', () => {
    const { db, ingest, retention } = filled()
    db.exec('UPDATE delivery SET pinned = 1 WHERE id IN (2, 9)')
    const before = prepare(db, 'SELECT * FROM delivery WHERE pinned = 1').all()
    expect(retention.clear()).toBe(8)
    expect(prepare(db, 'SELECT * FROM delivery').all()).toEqual(before)
    expect(ingest.tally()).toMatchObject({ deliveries: 2 })
    expect(rowsOf(db)).toEqual({
      delivery: 2,
      delivery_content: 2,
      delivery_note: 2,
      delivery_tag: 4,
      finding_list: 1,
    })
    expect(db.pragma('foreign_key_check')).toEqual([])
  })
})
