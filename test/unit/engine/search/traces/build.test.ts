import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Trace } from '#contract/deliveries.ts'
import type { GroupItem } from '#test/support/groups.ts'
import { buildTrace } from '#engine/search/traces/build.ts'
import { parseBody } from '#engine/payload/parse-body.ts'
import type { Subject, Placed } from '#engine/search/traces/model.ts'
import { arrived, event } from '#test/support/trace-store.ts'

const tab: Subject = { kind: 'tab', id: 'tab-1' }

function placed(record: GroupItem): Placed {
  if (record.kind !== 'delivery') throw new Error('no delivery')
  const { id, delivery } = record
  const body = delivery.body instanceof Uint8Array ? delivery.body : new Uint8Array()
  const parsed = parseBody(body)
  return {
    row: {
      ...delivery,
      id,
      receivedAt: delivery.receivedUs / 1000,
      findings: [...delivery.findings],
      responseMs: null,
      sha256: hash('sha256', body, 'hex'),
      pinned: false,
      causes: [],
      tags: [],
      noted: false,
      duplicateOf: null,
      lastAttempt: null,
    },
    payload: parsed.kind === 'object' ? parsed.payload : {},
    by: 'targetUuid',
  }
}

function build(records: readonly GroupItem[], subject = tab) {
  const trace = buildTrace({ subject, placed: records.map(placed), truncated: false })
  // The result must be valid for the contract: no Infinity and no NaN.
  Trace.parse({ ...trace, indexedId: 0 })
  return trace
}

const open = (seconds: number, data: object = { name: 'Miller', spotName: 'T4', total: 0 }) =>
  event('OPEN_TAB', seconds, { targetUuid: 'tab-1', data })
const close = (seconds: number) => event('CLOSE_TAB', seconds, { targetUuid: 'tab-1' })
const item = (
  type: 'ITEM_ADDED' | 'ITEM_REMOVED',
  seconds: number,
  uuid: string,
  data: object = {},
) =>
  event(type, seconds, {
    targetUuid: uuid,
    data: { name: uuid, price: 9, quantity: 2, tabUuid: 'tab-1', ...data },
  })
const added = (seconds: number, uuid: string, data?: object) =>
  item('ITEM_ADDED', seconds, uuid, data)
const removed = (seconds: number, uuid: string, data?: object) =>
  item('ITEM_REMOVED', seconds, uuid, data)
const order = (seconds: number, uuid: string, total: unknown) =>
  event('ORDER_PLACED', seconds, {
    targetUuid: uuid,
    data: { orderName: uuid, total, tabUuid: 'tab-1' },
  })

const marksIn = (trace: ReturnType<typeof build>) =>
  trace.entries.flatMap(({ delivery, observations }) =>
    observations.map(({ code }) => `${delivery.id}: ${code}`),
  )

describe('the order of a trace', () => {
  it('is by createdAt, and by arrival at equal times', () => {
    const trace = build([
      arrived(1, open(0), 5),
      arrived(2, close(30), 31),
      arrived(3, added(10, 'i-2'), 32),
      arrived(4, added(10, 'i-1'), 33),
    ])
    expect(trace.entries.map(({ delivery }) => delivery.id)).toEqual([1, 3, 4, 2])
    expect(trace.entries.map(({ gapMs }) => gapMs)).toEqual([null, 10_000, 0, 20_000])
  })

  it('is by arrival for deliveries without createdAt', () => {
    const trace = build([
      arrived(1, open(0)),
      arrived(2, { ...added(0, 'i'), createdAt: 'yesterday' }, 20),
      arrived(3, close(30)),
    ])
    expect(trace.entries.map(({ delivery }) => delivery.id)).toEqual([1, 2, 3])
    // By arrival, because one of the two has no createdAt: 20 s instead of 0.5 s.
    expect(trace.entries[1]?.gapMs).toBe(19_500)
  })
})

describe('running totals', () => {
  it('add items and orders, subtract removed items, and keep the total the tab states', () => {
    const trace = build([
      arrived(1, open(0, { name: 'Miller', total: 3.5 })),
      arrived(2, added(1, 'i-1')),
      arrived(3, added(2, 'i-2', { price: 0.1, quantity: 1 })),
      arrived(4, added(3, 'i-3', { price: 0.2, quantity: 1 })),
      arrived(5, removed(4, 'i-1')),
      arrived(6, order(5, 'o-1', 0.1)),
      arrived(7, order(6, 'o-2', 0.2)),
      arrived(8, close(7)),
    ])
    expect(trace.entries.map(({ amount }) => amount)).toEqual([
      3.5,
      18,
      0.1,
      0.2,
      -18,
      0.1,
      0.2,
      null,
    ])
    expect(trace.entries.map(({ totals }) => totals.items)).toEqual([
      null,
      18,
      18.1,
      18.3,
      0.3,
      0.3,
      0.3,
      0.3,
    ])
    expect(trace.entries.at(-1)?.totals).toEqual({ items: 0.3, orders: 0.3, stated: 3.5 })
    expect(trace.notes.join()).toContain(
      'It is an assumption that `price` is the price of one piece',
    )
    expect(trace.subject).toEqual({ kind: 'tab', id: 'tab-1', name: 'Miller' })
  })

  it.each<[string, unknown, unknown]>([
    ['text', '9', 2],
    ['nothing', undefined, 2],
    ['null', null, 2],
    ['a list', [9], 2],
    ['a number that is too large', 1e308, 1e308],
    ['a quantity that is text', 9, 'two'],
  ])('add nothing for %s, with a note', (_, price, quantity) => {
    const trace = build([
      arrived(1, added(0, 'i-1')),
      arrived(2, added(1, 'i-2', { price, quantity })),
    ])
    expect(trace.entries.at(-1)?.totals.items).toBe(18)
    expect(trace.entries.at(-1)?.amount).toBeNull()
    expect(trace.notes.join()).toContain('Without a usable amount: #2.')
  })

  it('stay finite when a sum is too large', () => {
    const trace = build([
      arrived(1, order(0, 'o-1', 1.5e308)),
      arrived(2, order(1, 'o-2', 1.5e308)),
      arrived(3, order(2, 'o-3', '12')),
    ])
    expect(trace.entries.at(-1)?.totals.orders).toBe(1.5e308)
    expect(trace.notes.join()).toContain('Without a usable amount: #2, #3.')
  })

  it('count a duplicate once, and another event of the same order twice', () => {
    const trace = build([
      arrived(1, order(0, 'o-1', 10)),
      arrived(2, order(0, 'o-1', 10)),
      arrived(3, order(0, 'o-1', 10), 9, 2),
      arrived(4, order(8, 'o-1', 12)),
    ])
    expect(trace.entries.map(({ totals }) => totals.orders)).toEqual([10, 10, 10, 22])
  })

  it('are null for subjects without amounts', () => {
    const trace = build([arrived(1, open(0, {})), arrived(2, close(1))])
    expect(trace.entries.at(-1)?.totals).toEqual({ items: null, orders: null, stated: null })
    expect(
      build([arrived(1, order(0, 'o-1', 10))], { kind: 'other', id: 'x' }).entries[0]?.totals
        .orders,
    ).toBeNull()
  })
})

describe('marks', () => {
  it('are absent in a trace without anomalies', () => {
    const trace = build([
      arrived(1, open(0)),
      arrived(2, added(10, 'i-1')),
      arrived(3, order(20, 'o-1', 18)),
      arrived(4, close(30)),
    ])
    expect(marksIn(trace)).toEqual([])
    expect(trace.notes.join()).not.toMatch(/not captured|observations/)
  })

  it('show a delivery received after one that was created later', () => {
    const trace = build([
      arrived(1, open(0)),
      arrived(2, added(20, 'i-2'), 21),
      arrived(3, added(16, 'i-1'), 22),
      arrived(4, close(30)),
    ])
    expect(marksIn(trace)).toEqual(['3: late'])
    expect(trace.entries[1]?.observations[0]?.message).toBe(
      'Observed: arrived after #2, which was created 4 s later.',
    )
    expect(trace.notes.join()).toContain('observations, not errors')
  })

  it('show events created before the opening or after the closing, but not at the same time', () => {
    const trace = build([
      arrived(1, added(-3, 'i-0')),
      arrived(2, added(0, 'i-1')),
      arrived(3, open(0)),
      arrived(4, close(30)),
      arrived(5, added(30, 'i-2')),
      arrived(6, added(31, 'i-3')),
    ])
    expect(marksIn(trace)).toEqual(['1: before_open', '6: after_close'])
  })

  it('handle a tab that is opened again', () => {
    const trace = build([
      arrived(1, open(0)),
      arrived(2, close(10)),
      arrived(3, open(20)),
      arrived(4, added(25, 'i-1')),
      arrived(5, close(30)),
      arrived(6, close(31)),
      arrived(7, added(35, 'i-2')),
    ])
    expect(marksIn(trace)).toEqual(['7: after_close'])
    expect(trace.entries[6]?.observations[0]?.message).toContain('5 s after the tab was closed')
  })

  it('show an item that was removed but never added', () => {
    const trace = build([
      arrived(1, added(1, 'i-1')),
      arrived(2, removed(2, 'i-1')),
      arrived(3, removed(3, 'i-2')),
      arrived(4, added(4, 'i-2')),
    ])
    expect(marksIn(trace)).toEqual(['3: removed_unseen'])
  })

  it('show repeats: the same bytes, or the same event with a different body', () => {
    const trace = build([
      arrived(1, added(1, 'i-1')),
      arrived(2, added(1, 'i-1'), 5),
      arrived(3, added(1, 'i-1'), 6, 2),
      arrived(4, added(2, 'i-1')),
    ])
    const repeated = trace.entries
      .flatMap(({ observations }) => observations)
      .map(({ message }) => message)
    expect(repeated).toEqual([
      'Observed: the same bytes as #1, so it is not counted again.',
      'Observed: the same event with a different body as #1, so it is not counted again.',
    ])
  })

  it('note that the opening or closing was not captured', () => {
    const notes = build([arrived(1, added(0, 'i'))]).notes.join()
    expect(notes).toContain('The OPEN_TAB event of this tab was not captured')
    expect(notes).toContain('No CLOSE_TAB event of this tab was captured')
    const guest: Subject = { kind: 'guest', id: 'g' }
    expect(
      build([arrived(1, event('GUEST_VERIFIED', 0, { targetUuid: 'g' }))], guest).notes,
    ).toEqual([])
  })
})

it('handles hostile bodies', () => {
  const hostile: unknown[] = [
    { type: 'OPEN_TAB', targetUuid: 'tab-1', createdAt: '+275760-09-13T00:00:00.000Z', data: null },
    { type: 'ITEM_REMOVED', targetUuid: 7, createdAt: '-271821-04-20T00:00:00.000Z', data: [] },
    { type: 'ORDER_PLACED', targetUuid: {}, createdAt: 0, data: { total: { toString: 1 } } },
    { type: ['OPEN_TAB'], targetUuid: ['tab-1'], data: 'text' },
    [],
    null,
    'text',
  ]
  const trace = build(hostile.map((payload, index) => arrived(index + 1, payload)))
  expect(trace.entries).toHaveLength(hostile.length)
})
