import { describe, expect, it } from 'vitest'
import { annotate } from '#engine/deliveries/annotations-store.ts'
import { readDelivery, readUnindexed } from '#engine/deliveries/store.ts'
import { prepare } from '#engine/platform/sqlite.ts'
import { readFilters, writeFilter } from '#engine/search/saved-filters-store.ts'
import { delivery } from '#test/support/groups.ts'
import { readerOf, storeWith, type TestStore } from '#test/support/test-store.ts'

const rowOf = ({ db }: TestStore) => readUnindexed(db, [1])[0]

describe('a note', () => {
  it('is deleted when it is emptied, and the delivery stays pinned', () => {
    const store = storeWith([delivery(1)])
    annotate(store.db, { id: 1, note: 'why?' })
    annotate(store.db, { id: 1, note: ' \n' })
    expect(rowOf(store)).toMatchObject({ noted: false, pinned: true })
    expect(prepare(store.db, 'SELECT * FROM delivery_note').all()).toEqual([])
    expect(readDelivery(readerOf(store), 1)?.note).toBe('')
  })

  it('does not pin if it is empty', () => {
    const store = storeWith([delivery(1)])
    annotate(store.db, { id: 1, note: '', tags: [] })
    expect(rowOf(store)).toMatchObject({ pinned: false })
  })
})

describe('tags', () => {
  it('do not pin the delivery when they are removed', () => {
    const store = storeWith([delivery(1)])
    annotate(store.db, { id: 1, tags: ['a', 'b'] })
    store.db.exec('UPDATE delivery SET pinned = 0')
    annotate(store.db, { id: 1, tags: ['a'] })
    expect(rowOf(store)).toMatchObject({ pinned: false })
    annotate(store.db, { id: 1, tags: [] })
    expect(rowOf(store)).toMatchObject({ tags: [], pinned: false })
    expect(prepare(store.db, 'SELECT * FROM delivery_tag').all()).toEqual([])
  })

  it('require an existing delivery', () => {
    const store = storeWith()
    expect(() => annotate(store.db, { id: 1, tags: ['a'] })).toThrow('Delivery 1 does not exist.')
    expect(prepare(store.db, 'SELECT * FROM delivery_tag').all()).toEqual([])
  })
})

describe('saved filters', () => {
  const slow = { id: null, name: 'Slow', filter: 'lag:>5s' }

  it('have unique, case-insensitive names', () => {
    const { db } = storeWith()
    writeFilter(db, { ...slow, name: 'Öl' })
    const other = writeFilter(db, slow)
    const taken = expect.objectContaining({ code: 'name_taken' })
    expect(() => writeFilter(db, { ...slow, name: 'öL' })).toThrow(taken)
    expect(() => writeFilter(db, { ...other, name: 'ÖL' })).toThrow(taken)
    expect(readFilters(db)).toHaveLength(2)
  })

  it('are no more than 200', () => {
    const { db } = storeWith()
    for (let n = 0; n < 200; n += 1) writeFilter(db, { ...slow, name: `${n}` })
    expect(() => writeFilter(db, { ...slow, name: 'more' })).toThrow('Remove one first.')
    expect(writeFilter(db, { id: 1, name: 'changed', filter: 'a' })).toMatchObject({ id: 1 })
  })
})
