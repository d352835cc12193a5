import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readByIds, readUnindexed } from '#engine/deliveries/store.ts'
import { prepare } from '#engine/platform/sqlite.ts'
import { refHash, searchedBytes } from '#engine/deliveries/searchable.ts'
import { delivery, take, type Overrides } from '#test/support/groups.ts'
import {
  indexerOf,
  readerOf,
  storeWith,
  type TestIndex,
  type TestStore,
} from '#test/support/test-store.ts'

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

interface Indexed extends TestStore, TestIndex {}

function stored(...overrides: Overrides[]): Indexed {
  const store = storeWith(overrides.map((each, index) => delivery(index + 1, each)))
  return { ...store, ...indexerOf(store) }
}

function indexRest({ ingest, indexer }: Indexed): number[] {
  return indexer.step(ingest.tally().lastId, () => false)
}

function indexed(...overrides: Overrides[]): Indexed {
  const store = stored(...overrides)
  indexRest(store)
  return store
}

const found = ({ search }: TestIndex, query: string): number[] =>
  prepare<[string], number>(
    search,
    'SELECT rowid FROM delivery_text WHERE delivery_text MATCH ? ORDER BY rowid',
  )
    .pluck()
    .all(query)

const refs = ({ search }: TestIndex): { id: number; hash: number }[] =>
  prepare<[], { id: number; hash: number }>(
    search,
    'SELECT id, hash FROM delivery_ref ORDER BY id',
  ).all()

const repeats = (store: TestStore, id: number) => readByIds(readerOf(store), [id])[0]?.duplicateOf
const many = (count: number): Indexed => stored(...Array.from({ length: count }, () => ({})))

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
    const [row] = readUnindexed(store.db, [2])
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
    store.db.exec('DELETE FROM delivery WHERE id = 1')
    store.indexer.remove([[1, 1]])
    take(store.ingest, [delivery(3, { body: json(event) })])
    expect(indexRest(store)).toEqual([3])
    expect(repeats(store, 3)).toEqual({ id: 2, by: 'body' })
  })

  it('does not have a different body or event with the same hash', () => {
    const store = indexed({ body: json({ a: 1 }) }, { body: json({ ...event, b: 2 }) })
    take(store.ingest, [delivery(3, { body: json({ ...event, targetUuid: 'u' }) })])
    const [third] = readUnindexed(store.db, [3])
    store.search
      .prepare('UPDATE delivery_ref SET hash = ? WHERE id = 16')
      .run(refHash('body', third?.sha256 ?? ''))
    expect(indexRest(store)).toEqual([])
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
    const store = many(5)
    const { indexer } = store
    indexer.step(5, () => true)
    expect(indexer.indexedId).toBe(1)
    let left = 2
    indexer.step(5, () => (left -= 1) === 0)
    expect(indexer.indexedId).toBe(3)
    // Another process continues, and indexes none twice.
    const again = indexerOf(store)
    again.indexer.step(5, () => false)
    expect(again.indexer.indexedId).toBe(5)
    expect(found(store, 'open_tab')).toEqual([1, 2, 3, 4, 5])
    expect(refs(store).filter(({ id }) => id % 16 === 0)).toHaveLength(5)
  })

  it('rolls back a step if one of its deliveries cannot be written', () => {
    const store = many(3)
    // Blocks the text of the third.
    store.search.exec('INSERT INTO delivery_ref VALUES (48, 1)')
    expect(() => indexRest(store)).toThrow('UNIQUE')
    expect(store.indexer.indexedId).toBe(0)
    expect(found(store, 'open_tab')).toEqual([])
    store.search.exec('DELETE FROM delivery_ref')
    indexRest(store)
    expect(found(store, 'open_tab')).toEqual([1, 2, 3])
  })

  it('skips deliveries that were deleted before they were indexed', () => {
    const store = many(3)
    store.db.exec('DELETE FROM delivery')
    indexRest(store)
    expect(store.indexer.indexedId).toBe(3)
  })

  it('removes deleted deliveries in small parts, and keeps the rest', () => {
    const store = stored(
      ...Array.from({ length: 3000 }, (_, i) => ({ headers: `A\nunique${i + 1}x common` })),
    )
    const { indexer, search } = store
    indexRest(store)
    const pages = prepare<[], number>(search, 'SELECT count(*) FROM delivery_text_data').pluck()
    while (indexer.compact(10));
    const before = pages.get() ?? 0
    indexer.remove([
      [1, 1350],
      [1351, 2700],
    ])
    while (indexer.compact(10));
    expect(pages.get()).toBeLessThan(before / 4)
    expect(found(store, 'unique2700x')).toEqual([])
    expect(found(store, 'unique2701x')).toEqual([2701])
    expect(found(store, 'common')).toEqual(Array.from({ length: 300 }, (_, i) => 2701 + i))
    search.exec("INSERT INTO delivery_text (delivery_text) VALUES ('integrity-check')")
  })

  it('reads only the rows that it removes', () => {
    const store = many(200)
    const { indexer, search } = store
    indexRest(store)
    let read = 0
    search.function('counted', { varargs: true }, () => {
      read += 1
      return 1
    })
    // Counts the rows of the text index that SQLite reads.
    search.unsafeMode(true)
    search.pragma('trusted_schema = ON')
    search.exec(`
      ALTER TABLE delivery_text_docsize RENAME TO docsize;
      CREATE VIEW delivery_text_docsize AS SELECT id AS rowid, id, sz, origin FROM docsize WHERE counted(id);
      CREATE TRIGGER deleted INSTEAD OF DELETE ON delivery_text_docsize BEGIN DELETE FROM docsize WHERE id = old.id; END`)
    const odd = Array.from({ length: 50 }, (_, index) => [2 * index + 1, 2 * index + 1] as const)
    indexer.remove([...odd, [150, 199]])
    expect(found(store, 'open_tab')).toHaveLength(100)
    expect(read).toBeGreaterThanOrEqual(100)
    expect(read).toBeLessThan(500)
  })

  it('is empty after clearing, and indexes the pinned deliveries again', () => {
    const store = many(3)
    indexRest(store)
    store.indexer.clear()
    expect([store.indexer.indexedId, refs(store), found(store, 'open_tab')]).toEqual([0, [], []])
    store.db.exec('DELETE FROM delivery WHERE id <> 2')
    indexRest(store)
    expect(found(store, 'open_tab')).toEqual([2])
  })
})
