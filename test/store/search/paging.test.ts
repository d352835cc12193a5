import { describe, expect, it } from 'vitest'
import type { ListSort } from '#contract/deliveries.ts'
import { createSearch, type Page, type Search } from '#engine/search/search.ts'
import { createRetention } from '#engine/deliveries/retention.ts'
import { delivery, take } from '#test/support/groups.ts'
import { pick, randomOf, type Random } from '#test/support/random-filter.ts'
import { indexerOf, readerOf, storeWith, type TestStore } from '#test/support/test-store.ts'
import { full } from '#test/support/full.ts'

interface Row {
  readonly id: number
  readonly type: string
  readonly verdict: 'valid' | 'invalid'
  readonly status: number
  readonly n: number
  pinned: boolean
}

const common = ['OPEN_TAB', 'ITEM_ADDED', 'ITEM_ADDED', 'ORDER_PLACED']

function rowOf(random: Random, id: number): Row {
  return {
    id,
    type: random() < 0.001 ? 'RARE' : pick(random, common),
    verdict: random() < 0.02 ? 'invalid' : 'valid',
    status: random() < 0.01 ? 500 : 200,
    n: Math.floor(random() * 1000),
    pinned: false,
  }
}

/** The meaning of each filter: dense and sparse, with an index, the text index, and the body. */
const filters: Readonly<Record<string, (row: Row) => boolean>> = {
  '': () => true,
  'type:ITEM_ADDED': ({ type }) => type === 'ITEM_ADDED',
  'type:RARE,GONE': ({ type }) => type === 'RARE',
  'type:ITEM_ADDED verdict:invalid': ({ type, verdict }) =>
    type === 'ITEM_ADDED' && verdict === 'invalid',
  '-verdict:valid': ({ verdict }) => verdict !== 'valid',
  'is:pinned': ({ pinned }) => pinned,
  '-is:pinned type:OPEN_TAB,RARE': ({ pinned, type }) =>
    !pinned && (type === 'OPEN_TAB' || type === 'RARE'),
  'is:pinned or data.n:<10': ({ pinned, n }) => pinned || n < 10,
  'data.n:>500': ({ n }) => n > 500,
  'data.n:7': ({ n }) => n === 7,
  'status:>=400': ({ status }) => status >= 400,
  '"n 7"': ({ n }) => n === 7,
  '-"n 7"': ({ n }) => n !== 7,
  'target:tab-9000 or type:RARE': ({ id, type }) => id === 9000 || type === 'RARE',
  'method:P*': () => true,
  'type:GONE': () => false,
}
const needsIndex = new Set(['"n 7"', '-"n 7"', 'target:tab-9000 or type:RARE'])

class Model {
  rows: Row[] = []
  readonly random = randomOf(3)
  readonly store: TestStore = storeWith()
  readonly search: Search = createSearch(readerOf(this.store), 0)
  readonly indexer = indexerOf(this.store).indexer
  readonly retention = createRetention(this.store.db, this.store.ingest, (removed) => {
    if (removed === 'all') return
    this.indexer.remove(removed.ranges)
  })

  add(count: number): void {
    const first = this.store.ingest.tally().lastId + 1
    const added = Array.from({ length: count }, (_, index) => rowOf(this.random, first + index))
    const records = added.map(({ id, type, verdict, status, n }) =>
      delivery(id, { type, verdict, status, body: Buffer.from(`{"data":{"n":${n}}}`) }),
    )
    take(this.store.ingest, records)
    this.rows.push(...added)
  }

  index(some: number): void {
    let left = some
    const { lastId } = this.store.ingest.tally()
    if (this.indexer.indexedId < lastId) this.indexer.step(lastId, () => (left -= 1) <= 0)
  }

  pin(id: number, pinned: boolean): void {
    const row = this.rows.find((each) => each.id === id)
    if (!row) return
    row.pinned = pinned
    this.store.db.prepare('UPDATE delivery SET pinned = ? WHERE id = ?').run(pinned ? 1 : 0, id)
  }

  keep(deliveries: number): void {
    while (this.retention.step({ deliveries, bytes: 2 ** 40, days: 0 }) !== null);
    const ids = new Set(this.store.db.prepare('SELECT id FROM delivery').pluck().all())
    this.rows = this.rows.filter(({ id }) => ids.has(id))
  }

  page(filter: string, upTo: number | null, offset: number, limit: number): Page {
    return this.search.page({ filter, upTo, asOf: 0, offset, limit })
  }

  /** Calls until the result is complete, and compares it and the partial results. */
  check(filter: string, upTo: number | null, offset: number, limit: number): Page {
    const { lastId } = this.store.ingest.tally()
    const top = Math.min(upTo ?? lastId, needsIndex.has(filter) ? this.indexer.indexedId : lastId)
    const expected = this.rows
      .filter((row) => row.id <= top && filters[filter]?.(row))
      .map(({ id }) => id)
      .toReversed()
    const wanted = expected.slice(offset, offset + limit)
    for (let searched = 0; ;) {
      const page = this.page(filter, upTo, offset, limit)
      const ids = page.rows.map(({ id }) => id)
      expect({ filter, ids }).toEqual({ filter, ids: wanted.slice(0, ids.length) })
      expect(page.upTo).toBe(top)
      expect(page.total).toBeLessThanOrEqual(expected.length)
      if (page.complete) {
        expect({ filter, total: page.total, shown: ids.length, searched: page.searched }).toEqual({
          filter,
          total: expected.length,
          shown: wanted.length,
          searched: 1,
        })
        return page
      }
      expect(page.searched).toBeGreaterThanOrEqual(searched)
      expect(page.searched).toBeLessThan(1)
      searched = page.searched
    }
  }
}

describe('pages', () => {
  it('together are the complete list, for every filter', () => {
    const model = new Model()
    model.add(10_000)
    model.index(10_000)
    for (const [filter, test] of Object.entries(filters)) {
      const all = model.rows.filter(test).length
      const step = full ? 499 : 1999
      for (let offset = 0; offset <= all; offset += step) model.check(filter, null, offset, 499)
      // Across the end of a block, row by row.
      const end = full ? 3650 : 3606
      for (let offset = 3600; offset < end; offset += 1) model.check(filter, null, offset, 2)
    }
  })

  it('stay correct while deliveries arrive, are deleted, indexed and pinned', () => {
    const model = new Model()
    const { random } = model
    model.add(18_000)
    model.index(12_000)
    const tops = [18_000, 9000]
    for (let round = 0; round < (full ? 100 : 25); round += 1) {
      switch (pick(random, ['add', 'index', 'pin', 'unpin', 'keep', 'ask', 'ask', 'ask'])) {
        case 'add':
          model.add(Math.floor(random() * 200))
          tops.push(model.store.ingest.tally().lastId)
          break
        case 'index':
          model.index(Math.floor(random() * 800))
          break
        case 'pin': {
          const ids = Array.from({ length: 3 }, () => pick(random, model.rows).id)
          for (const id of ids) model.pin(id, true)
          model.search.touched(ids)
          break
        }
        case 'unpin': {
          const pinned = model.rows.filter((row) => row.pinned)
          if (pinned.length === 0) break
          const { id } = pick(random, pinned)
          model.pin(id, false)
          model.search.touched([id])
          break
        }
        case 'keep':
          model.keep(model.rows.length - Math.floor(random() * 300))
          break
        case 'ask':
          break
      }
      const filter = pick(random, Object.keys(filters))
      const upTo = random() < 0.5 ? null : pick(random, tops)
      const offset = Math.floor(random() ** 2 * 6000)
      // Often called only once, so that partial scans are found later.
      if (random() < 0.3) model.page(filter, upTo, offset, 50)
      else model.check(filter, upTo, offset, 50)
    }
    // All were deleted at once, except pinned ones.
    model.keep(model.rows.filter(({ pinned }) => pinned).length)
    expect(model.rows.length).toBeGreaterThan(full ? 20 : 5)
    for (const filter of Object.keys(filters)) model.check(filter, null, 0, 500)
    model.add(10)
    for (const filter of Object.keys(filters)) model.check(filter, null, 0, 500)
  })

  it('are sorted by a column both ways, and by arrival through all of them', () => {
    const model = new Model()
    model.add(12_000)
    const keys: readonly (readonly [ListSort['by'], (row: Row) => string | number])[] = [
      ['received', ({ id }) => id],
      ['type', ({ type }) => type],
      ['outcome', ({ verdict, status }) => (verdict === 'invalid' ? 2 : status >= 400 ? 1 : 0)],
      ['amount', () => 0],
    ]
    for (const filter of ['', 'type:ITEM_ADDED', 'status:>=400']) {
      const matching = model.rows.filter((row) => filters[filter]?.(row)).toReversed()
      for (const [by, key] of keys) {
        const all = by === 'received' ? matching : matching.slice(0, 10_000)
        for (const descending of [true, false]) {
          const expected = all.toSorted(
            (a, b) => (descending ? -1 : 1) * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0),
          )
          const input = { filter, upTo: null, asOf: 0, sort: { by, descending } }
          for (const offset of [0, 30, expected.length - 20]) {
            const ask = () => model.search.page({ ...input, offset, limit: 50 })
            let page = ask()
            while (!page.complete) page = ask()
            const wanted = expected.slice(Math.max(0, offset), offset + 50)
            expect([by, page.total, page.rows.map(({ id }) => id)]).toEqual([
              by,
              all.length,
              wanted.map(({ id }) => id),
            ])
          }
        }
      }
    }
  })

  it('never show rows that no longer match, even without a push', () => {
    const model = new Model()
    model.add(20_000)
    for (const id of [5, 9000, 19_000]) model.pin(id, true)
    model.check('is:pinned', null, 0, 10)
    model.pin(9000, false)
    const page = model.page('is:pinned', null, 0, 10)
    expect(page).toMatchObject({ complete: false, rows: [{ id: 19_000 }, { id: 5 }] })
    model.check('is:pinned', null, 0, 10)
  })
})
