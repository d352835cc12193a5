import { describe, expect, it } from 'vitest'
import { annotate } from '#engine/deliveries/annotations-store.ts'
import { readSuggestions } from '#engine/search/suggest.ts'
import { delivery, warning } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

describe('suggestions', () => {
  it('are received values with the prefix, the most frequent first', () => {
    const { db } = storeWith([
      delivery(1, { locationName: 'Pier 9', type: 'OPEN_TAB', status: 404 }),
      delivery(2, { locationName: 'Pier 9', type: 'CLOSE_TAB', status: 200 }),
      delivery(3, { locationName: 'pier 7', type: null, status: 200 }),
      delivery(4, { locationName: 'Öl', type: 'CLOSE_TAB', status: null }),
      delivery(5, { locationName: null, type: 'ORDER_PLACED', status: 200 }),
    ])
    annotate(db, { id: 1, tags: ['to fix'] })
    annotate(db, { id: 2, tags: ['to fix', 'seen'] })
    const suggest = (field: Parameters<typeof readSuggestions>[1]['field'], prefix = '') =>
      readSuggestions(db, { field, prefix })
    expect(suggest('location')).toEqual(['Pier 9', 'pier 7', 'Öl'])
    expect(suggest('location', 'PIER')).toEqual(['Pier 9', 'pier 7'])
    expect(suggest('location', 'ö')).toEqual(['Öl'])
    expect(suggest('location', '%')).toEqual([])
    expect(suggest('type')).toEqual(['CLOSE_TAB', 'OPEN_TAB', 'ORDER_PLACED'])
    expect(suggest('status')).toEqual(['200', '404'])
    expect(suggest('status', '4')).toEqual(['404'])
    expect(suggest('tag')).toEqual(['to fix', 'seen'])
  })

  it('of findings are the codes of existing deliveries', () => {
    const { db } = storeWith([
      delivery(1, { findings: [warning('a.x')] }),
      delivery(2, { findings: [warning('b'), warning('b', 'header.y')] }),
      delivery(3, { type: null, findings: [warning('b')] }),
    ])
    const suggest = (prefix: string) => readSuggestions(db, { field: 'finding', prefix })
    expect(suggest('')).toEqual(['b', 'a.x'])
    expect(suggest('A.')).toEqual(['a.x'])
    db.exec('DELETE FROM delivery WHERE id = 1')
    expect(suggest('')).toEqual(['b'])
  })

  it('of headers are the names of the newest 500, lower-case', () => {
    const { db } = storeWith([
      delivery(1, { headers: 'X-Old\n1' }),
      ...Array.from({ length: 500 }, (_, i) =>
        delivery(i + 2, { headers: i % 2 ? 'Host\na\nX-New\nb' : 'host\na' }),
      ),
    ])
    const suggest = (prefix: string) => readSuggestions(db, { field: 'header', prefix })
    expect(suggest('')).toEqual(['host', 'x-new'])
    expect(suggest('X')).toEqual(['x-new'])
  })

  it('are at most 50, and for very many values those with the exact prefix', () => {
    const { db } = storeWith(
      Array.from({ length: 1500 }, (_, i) =>
        delivery(i + 1, { locationName: `L${String(i).padStart(4, '0')}` }),
      ),
    )
    const suggest = (prefix: string) => readSuggestions(db, { field: 'location', prefix })
    expect(suggest('')).toHaveLength(50)
    expect(suggest('L14')).toHaveLength(50)
    expect(suggest('L149')).toEqual(Array.from({ length: 10 }, (_, i) => `L149${i}`))
  })
})
