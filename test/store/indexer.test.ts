import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readByIds } from '#engine/deliveries/store.ts'
import { prepare, type Db } from '#engine/platform/sqlite.ts'
import { createIndexer } from '#engine/search/indexer/indexer.ts'
import { refHash } from '#engine/search/indexer/searchable.ts'
import { searchedBytes } from '#engine/search/indexer/limits.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { deliveryRecord, type Overrides } from '#test/support/journal-records.ts'
import { storeWith, type TestStore } from '#test/support/test-store.ts'

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

function indexed(...overrides: Overrides[]): TestStore {
  const store = storeWith(overrides.map((each, index) => deliveryRecord(index + 1, each)))
  createIndexer(store.db, store.ingest).step(() => false)
  return store
}

const found = ({ db }: { db: Db }, query: string): number[] =>
  prepare<[string], { id: number }>(
    db,
    'SELECT rowid AS id FROM delivery_text WHERE delivery_text MATCH ? ORDER BY rowid',
  )
    .all(query)
    .map(({ id }) => id)

const refs = ({ db }: { db: Db }): { id: number; hash: number }[] =>
  prepare<[], { id: number; hash: number }>(
    db,
    'SELECT id, hash FROM delivery_ref ORDER BY id',
  ).all()

const repeats = ({ db }: TestStore, id: number) => readByIds(db, [id])[0]?.duplicateOf
const many = (count: number) => Array.from({ length: count }, (_, i) => deliveryRecord(i + 1))

describe('the text of a delivery in the index', () => {
  it('consists of its headers as lines, and its body if that is UTF-8', () => {
    const store = indexed(
      { headers: 'X-Mine\nquokka\nHost\nä\n', trailers: 'X-Sum\nwombat', body: json({ a: 'Zoë' }) },
      { headers: 'X-Mine\nquokka', body: Buffer.from([0xff, 0xfe, 0x61]) },
      { headers: 'X-Other\nquokka', body: Buffer.from('plain numbat') },
    )
    expect(found(store, 'quokka')).toEqual([1, 2, 3])
    expect(found(store, 'headers: "x mine quokka"')).toEqual([1, 2])
    expect(found(store, 'headers: wombat')).toEqual([1])
    expect(found(store, 'body: zoe')).toEqual([1])
    expect(found(store, 'numbat')).toEqual([3])
    // The second one is not text, although it contains a letter.
    expect(found(store, 'body: a')).toEqual([1])
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('contains the body decoded from %s, and its IDs', (encoding, encode) => {
    const body = encode(json({ type: 'CLOSE_TAB', targetUuid: 'tab-9', note: 'numbat' }))
    const store = indexed({ headers: `Content-Encoding\n${encoding}`, body })
    expect(found(store, 'numbat')).toEqual([1])
    expect(refs(store).map(({ hash }) => hash)).toContain(refHash('id', 'tab-9'))
  })

  it('contains only the headers if the encoding is wrong or the result is too large', () => {
    const bomb = gzipSync(Buffer.alloc(searchedBytes + 1, 'a '))
    const store = indexed(
      { headers: 'Content-Encoding\ngzip\nX\nquokka', body: json({ a: 'numbat' }) },
      { headers: 'Content-Encoding\ngzip\nX\nquokka', body: bomb },
      { headers: 'Content-Encoding\nnobody knows\nX\nquokka', body: json({ a: 'numbat' }) },
    )
    expect(found(store, 'quokka')).toEqual([1, 2, 3])
    expect(found(store, 'numbat OR a')).toEqual([])
  })

  it('contains the first mebibyte, split between two characters', () => {
    const head = Buffer.concat([Buffer.from('numbat '), Buffer.alloc(searchedBytes - 9, 'x')])
    const store = indexed({ body: Buffer.concat([head, Buffer.from('€ wombat')]) })
    expect(found(store, 'numbat')).toEqual([1])
    expect(found(store, 'wombat')).toEqual([])
  })
})

describe('the refs of a delivery', () => {
  it('are its body, its event and each ID once, in separate slots', () => {
    const body = json({
      type: 'ITEM_ADDED',
      targetUuid: 'item-1',
      locationUuid: 'loc-1',
      locationId: '9',
      createdAt: '2026-03-14T21:00:00.000Z',
      data: {
        orderId: 5001,
        tabUuid: 'tab-1',
        tabId: '9',
        name: 'Fries',
        cause: { menuUuid: 'm' },
      },
    })
    const store = indexed({}, { target: 'item-1', body })
    const own = refs(store).filter(({ id }) => id >= 32)
    const [row] = readByIds(store.db, [2])
    const ids = ['item-1', 'loc-1', '9', '5001', 'tab-1', 'm']
    expect(own).toEqual([
      { id: 32, hash: refHash('body', row?.sha256 ?? '') },
      {
        id: 33,
        hash: refHash(
          'event',
          JSON.stringify(['ITEM_ADDED', 'item-1', 'loc-1', '2026-03-14T21:00:00.000Z']),
        ),
      },
      ...ids.map((id, index) => ({ id: 34 + index, hash: refHash('id', id) })),
    ])
  })

  it('are limited to the number of slots', () => {
    const data = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}Id`, `v${i}`]))
    const store = indexed({ body: json({ data }) }, { body: json({ data: { aId: 'b' } }) })
    expect(refs(store).filter(({ id }) => id < 32)).toHaveLength(15)
    expect(new Set(refs(store).map(({ id }) => id)).size).toBe(refs(store).length)
  })
})

describe('a delivery that was received before', () => {
  const event = { type: 'OPEN_TAB', targetUuid: 't', createdAt: '2026-03-14T21:00:00.000Z' }

  it('is found by its bytes, otherwise by its event, and the earliest is returned', () => {
    const store = indexed(
      { target: 't', body: json(event) },
      { target: 't', body: json({ ...event, more: 1 }) },
      { target: 't', body: json(event) },
      { target: 'other', body: json({ ...event, targetUuid: 'other' }) },
      { target: 't', body: json(event) },
    )
    expect([1, 2, 3, 4, 5].map((id) => repeats(store, id))).toEqual([
      null,
      { id: 1, by: 'event' },
      { id: 1, by: 'body' },
      null,
      { id: 1, by: 'body' },
    ])
  })

  it('is the earliest that is still stored', () => {
    const store = indexed({ body: json(event) }, { body: json(event) })
    store.db.exec('DELETE FROM delivery WHERE id = 1; DELETE FROM delivery_ref WHERE id < 32')
    store.ingest.take([deliveryRecord(3, { body: json(event) })], 99)
    createIndexer(store.db, store.ingest).step(() => false)
    expect(repeats(store, 3)).toEqual({ id: 2, by: 'body' })
  })

  it('does not have a different body or event with the same hash', () => {
    const store = indexed({ body: json({ a: 1 }) }, { body: json({ ...event, b: 2 }) })
    const clash = readByIds(store.db, [1, 2]).map(({ sha256 }) => sha256)
    store.ingest.take([deliveryRecord(3, { body: json({ ...event, targetUuid: 'u' }) })], 99)
    const [, , third] = readByIds(store.db, [1, 2, 3])
    expect(clash).not.toContain(third?.sha256)
    store.db
      .prepare('UPDATE delivery_ref SET hash = ? WHERE id = 16')
      .run(refHash('body', third?.sha256 ?? ''))
    createIndexer(store.db, store.ingest).step(() => false)
    expect(repeats(store, 3)).toBeNull()
  })

  it('does not exist for an empty body', () => {
    const empty = { target: null, body: Buffer.alloc(0) }
    const store = indexed(empty, empty)
    expect(repeats(store, 2)).toBeNull()
    expect(refs(store)).toEqual([])
  })
})

describe('the indexer', () => {
  it('indexes at least one delivery, and stops when requested', () => {
    const store = storeWith(many(5))
    const indexer = createIndexer(store.db, store.ingest)
    expect(indexer.isUpToDate()).toBe(false)
    indexer.step(() => true)
    expect(indexer.indexedId()).toBe(1)
    let left = 2
    indexer.step(() => (left -= 1) === 0)
    expect(indexer.indexedId()).toBe(3)
    indexer.step(() => false)
    expect([indexer.indexedId(), indexer.isUpToDate()]).toEqual([5, true])
    expect(found(store, 'open_tab')).toEqual([1, 2, 3, 4, 5])
  })

  it('resumes where the last step stopped, and indexes none twice', () => {
    const store = storeWith(many(5))
    const first = createIndexer(store.db, store.ingest)
    first.step(() => first.indexedId() === 0 && found(store, 'open_tab').length >= 2)
    const again = createIndexer(store.db, createIngest(store.db))
    again.step(() => false)
    expect(found(store, 'open_tab')).toEqual([1, 2, 3, 4, 5])
    expect(refs(store).filter(({ id }) => id % 16 === 0)).toHaveLength(5)
  })

  it('rolls back a step if one of its deliveries cannot be written', () => {
    const store = storeWith(many(3))
    const indexer = createIndexer(store.db, store.ingest)
    // Blocks the text of the third.
    store.db.exec('INSERT INTO delivery_ref VALUES (48, 1)')
    expect(() => indexer.step(() => false)).toThrow('UNIQUE')
    expect(indexer.indexedId()).toBe(0)
    expect(found(store, 'open_tab')).toEqual([])
    store.db.exec('DELETE FROM delivery_ref')
    indexer.step(() => false)
    expect(found(store, 'open_tab')).toEqual([1, 2, 3])
  })

  it('skips deliveries that were deleted before they were indexed', () => {
    const store = storeWith(many(3))
    store.db.exec('DELETE FROM delivery')
    const indexer = createIndexer(store.db, store.ingest)
    indexer.step(() => false)
    expect([indexer.indexedId(), indexer.isUpToDate()]).toEqual([3, true])
  })
})
