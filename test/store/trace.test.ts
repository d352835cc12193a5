import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Trace } from '#contract/deliveries.ts'
import { createQueries } from '#engine/app/threads/queries.ts'
import { refSlots, refHash } from '#engine/deliveries/searchable.ts'
import { traceLimit } from '#engine/search/traces/collect.ts'
import { delivery, type GroupItem } from '#test/support/groups.ts'
import { indexedStore, indexerOf, readerOf, storeWith } from '#test/support/test-store.ts'
import { arrived, event } from '#test/support/trace-store.ts'

function traceOf(records: readonly GroupItem[], id: number): Trace {
  const trace = createQueries(readerOf(indexedStore(records))).trace(id)
  if (!trace) throw new Error('there is no such delivery')
  return trace
}

const ids = (trace: Trace) => trace.entries.map(({ delivery }) => delivery.id)
const describeTrace = (trace: Trace) =>
  trace.entries.map(({ delivery, by }) => `${delivery.id}: ${by}`)

const open = (seconds: number, tab = 'tab-1', more: object = {}) =>
  event('OPEN_TAB', seconds, {
    targetUuid: tab,
    data: { name: 'Miller', spotName: 'T4', total: 0 },
    ...more,
  })
const close = (seconds: number, tab = 'tab-1') => event('CLOSE_TAB', seconds, { targetUuid: tab })
const item = (seconds: number, uuid: string, data: object, more: object = {}) =>
  event('ITEM_ADDED', seconds, {
    targetUuid: uuid,
    data: { name: 'Fries', price: 6.5, quantity: 1, ...data },
    ...more,
  })
const order = (seconds: number, uuid: string, data: object) =>
  event('ORDER_PLACED', seconds, { targetUuid: uuid, data: { total: 6.5, ...data } })
const scan = (seconds: number, data: object = {}, more: object = {}) =>
  event('QR_SCANNED', seconds, {
    targetId: '404',
    data: { type: 'SPOT', targetName: 'T4', ...data },
    ...more,
  })
describe('the trace of a tab', () => {
  const life = [
    arrived(1, open(0)),
    arrived(2, open(1, 'tab-2')),
    arrived(3, item(10, 'i-1', { tabUuid: 'tab-1', orderId: 'o-1', tabId: '7001' })),
    arrived(4, item(11, 'i-2', { tabUuid: 'tab-2', orderId: 'o-1', tabId: '7001' })),
    arrived(5, order(20, 'o-1', { tabUuid: 'tab-1' })),
    arrived(6, close(40)),
    arrived(7, close(41, 'tab-2')),
  ]

  it.each([1, 3, 5, 6])('is the same from each of its deliveries (%i)', (id) => {
    const trace = traceOf(life, id)
    expect(trace.subject).toEqual({ kind: 'tab', id: 'tab-1', name: 'Miller' })
    expect(describeTrace(trace)).toEqual([
      '1: targetUuid',
      '3: data.tabUuid',
      '5: data.tabUuid',
      '6: targetUuid',
    ])
    expect(trace.truncated).toBe(false)
    expect(trace.indexedId).toBe(7)
    expect(trace.entries.at(-1)?.totals).toEqual({ items: 6.5, orders: 6.5, stated: 0 })
  })

  it('includes deliveries that contain the ID of its order, item or tab, and reports the match', () => {
    const trace = traceOf(
      [
        ...life,
        arrived(8, item(30, 'i-9', { orderId: 'o-1' })),
        arrived(9, item(31, 'i-8', { tabId: '7001' })),
        arrived(10, event('ITEM_REMOVED', 32, { targetUuid: 'i-1', data: {} })),
        arrived(11, order(33, 'o-other', {})),
      ],
      1,
    )
    expect(describeTrace(trace).filter((line) => /^(8|9|10|11):/.test(line))).toEqual([
      '8: data.orderId',
      '9: data.tabId',
      '10: targetUuid',
    ])
  })

  it('reports a value in another field than its source', () => {
    const trace = traceOf(
      [
        ...life,
        arrived(8, order(30, 'o-2', {})),
        arrived(9, item(29, 'i-3', { tabUuid: 'tab-1', orderId: 'o-2' })),
      ],
      1,
    )
    expect(describeTrace(trace)).toContain('8: targetUuid, by the same value as data.orderId of #9')
  })

  it('excludes deliveries with the same value for another tab or location', () => {
    const elsewhere = { locationUuid: 'loc-10', locationName: 'Quay 1' }
    const trace = traceOf(
      [...life, arrived(8, item(30, 'i-9', { tabId: '7001', orderId: 'o-1' }, elsewhere))],
      1,
    )
    expect(ids(trace)).toEqual([1, 3, 5, 6])
  })

  it('includes an undocumented type, by whichever field names the tab', () => {
    const records = [
      ...life,
      arrived(8, event('TAB_RENAMED', 30, { targetUuid: 'tab-1' })),
      arrived(9, event('TIP_ADDED', 31, { targetUuid: 'tip-1', data: { tabUuid: 'tab-1' } })),
    ]
    expect(ids(traceOf(records, 1))).toEqual([1, 3, 5, 8, 9, 6])
    expect(traceOf(records, 9).subject.id).toBe('tab-1')
    // Nothing in it says that its target is a tab.
    expect(traceOf(records, 8).subject).toMatchObject({ kind: 'other', id: 'tab-1' })
  })

  it('compares bodies, not only hashes', () => {
    const store = indexedStore(life)
    indexerOf(store)
      .search.prepare('INSERT INTO delivery_ref VALUES (?, ?)')
      .run(7 * refSlots + 9, refHash('id', 'tab-1'))
    const trace = createQueries(readerOf(store)).trace(1)
    expect(trace?.entries.map(({ delivery }) => delivery.id)).toEqual([1, 3, 5, 6])
  })

  it('reads a compressed body', () => {
    const body = gzipSync(JSON.stringify(item(12, 'i-7', { tabUuid: 'tab-1' })))
    const packed = delivery(8, { body, headers: 'Content-Encoding\ngzip', type: null })
    expect(ids(traceOf([...life, packed], 1))).toContain(8)
  })

  it('contains at least the delivery itself before it is indexed', () => {
    const store = storeWith(life)
    const trace = createQueries(readerOf(store)).trace(3)
    expect(trace?.entries.map(({ delivery }) => delivery.id)).toEqual([3])
    expect(trace?.indexedId).toBe(0)
    expect(createQueries(readerOf(store)).trace(99)).toBeNull()
  })

  it('is bounded, keeps the nearest deliveries, and reports that there are more', () => {
    const many = Array.from({ length: traceLimit + 500 }, (_, index) =>
      arrived(index + 1, item(index, `i-${index}`, { tabUuid: 'tab-1' })),
    )
    const trace = traceOf(many, traceLimit + 400)
    expect(trace.entries).toHaveLength(traceLimit)
    expect(trace.truncated).toBe(true)
    expect(ids(trace).at(-1)).toBe(traceLimit + 500)
    expect(traceOf(many.slice(0, traceLimit), 1).truncated).toBe(false)
  })
})

describe('the trace of an order or an item whose tab is not named', () => {
  it('contains the order, and the items with its ID', () => {
    const records = [
      arrived(1, item(0, 'i-1', { orderId: 'o-1' })),
      arrived(2, order(5, 'o-1', {})),
      arrived(
        3,
        event('ITEM_REMOVED', 8, { targetUuid: 'i-1', data: { price: 6.5, quantity: 1 } }),
      ),
      arrived(4, item(9, 'i-4', { orderId: 'o-2' })),
    ]
    const trace = traceOf(records, 1)
    expect(trace.subject).toMatchObject({ kind: 'order', id: 'o-1' })
    expect(describeTrace(trace)).toEqual([
      '1: data.orderId',
      '2: targetUuid, by the same value as data.orderId of #1',
      '3: targetUuid',
    ])
    expect(trace.entries.at(-1)?.totals.items).toBe(0)
    expect(ids(traceOf(records, 2))).toEqual([1, 2, 3])
  })

  it('contains only the item if it names no order either', () => {
    const records = [arrived(1, item(0, 'i-1', {})), arrived(2, item(1, 'i-2', {}))]
    expect(traceOf(records, 1).subject).toMatchObject({ kind: 'item', id: 'i-1', name: 'Fries' })
    expect(ids(traceOf(records, 1))).toEqual([1])
  })
})

it('the trace of a guest has all its events, at any location', () => {
  const records = [
    arrived(1, event('GUEST_VERIFIED', 0, { targetUuid: 'c-1', data: { isFirstTime: true } })),
    arrived(
      2,
      event('GUEST_SUBSCRIBED', 5, { targetUuid: 'c-1', data: { handle: 'a@b.example' } }),
    ),
    arrived(3, event('GUEST_VERIFIED', 7, { targetUuid: 'c-2', data: { oldCustomerId: 'c-1' } })),
    arrived(4, event('GUEST_UNSUBSCRIBED', 9, { targetUuid: 'c-1', locationUuid: 'loc-10' })),
  ]
  const trace = traceOf(records, 1)
  expect(trace.subject).toMatchObject({ kind: 'guest', id: 'c-1' })
  expect(ids(trace)).toEqual([1, 2, 4])
})

describe('the trace of other subjects', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    ['MENU_UPDATED', 'menu', { targetUuid: 'x' }],
    ['PRODUCT_UPDATED', 'product', { targetUuid: 'x' }],
    ['LOCATION_UPDATED', 'location', { targetUuid: 'x', locationUuid: 'x' }],
    ['QR_SCANNED', 'spot', { targetId: 'x', data: { type: 'SPOT' } }],
    ['QR_SCANNED', 'other', { targetId: 'x', data: { type: 'POSTER' } }],
    ['CONSTELLATION_MOVED', 'other', { targetId: 'x' }],
  ])('of %s is that of its %s', (type, kind, rest) => {
    const records = [
      arrived(1, event(type, 0, rest)),
      arrived(2, event(type, 9, { ...rest, targetUuid: undefined, targetId: 'y' })),
      // At the location, not about it.
      arrived(3, event('OPEN_TAB', 9, { ...rest, targetUuid: 'tab-1', targetId: undefined })),
      arrived(4, event(type, 20, rest)),
    ]
    const trace = traceOf(records, 1)
    expect(trace.subject).toMatchObject({ kind, id: 'x' })
    expect(ids(trace)).toEqual([1, 4])
  })

  it('distinguishes spots of different locations, whose IDs are not UUIDs', () => {
    const records = [
      arrived(1, scan(0)),
      arrived(2, scan(10, {}, { locationUuid: 'loc-10' })),
      arrived(3, scan(20)),
    ]
    expect(ids(traceOf(records, 1))).toEqual([1, 3])
  })

  it('contains only the delivery itself if it names no ID', () => {
    for (const payload of [{}, { type: 'OPEN_TAB' }, [], null, { targetUuid: '' }]) {
      const trace = traceOf([arrived(1, payload), arrived(2, payload)], 1)
      expect(trace.subject).toEqual({ kind: 'other', id: '', name: null })
      expect(ids(trace)).toEqual([1])
      expect(trace.notes.join()).toContain('has no target ID')
    }
  })
})
