import { describe, expect, it } from 'vitest'
import { eventTypes, titleOf } from '#catalogue/catalogue.ts'
import { factsOf } from '#catalogue/facts.ts'
import { amountText, sentenceText } from '#catalogue/sentence.ts'
import type { Facts } from '#contract/models.ts'

const order = {
  type: 'ORDER_PLACED',
  targetUuid: 'order-1',
  data: {
    orderName: 'A-17',
    spotName: 'T4',
    zoneName: 'Patio',
    total: 42.5,
    tabUuid: 'tab-1',
    itemNames: ['Pale Ale', 'Fries'],
  },
}

describe('factsOf', () => {
  it('says what an order is about', () => {
    expect(factsOf(order)).toEqual({
      spot: 'T4',
      zone: 'Patio',
      amount: 42.5,
      items: ['Pale Ale', 'Fries'],
      tab: { id: 'tab-1', name: null },
      order: { id: 'order-1', name: 'A-17' },
      guest: null,
      openedAt: null,
    } satisfies Facts)
  })

  it('takes the spot of a scan only if the code points to a spot', () => {
    const scan = { type: 'QR_SCANNED', data: { type: 'SPOT', targetName: 'T4' } }
    expect(factsOf(scan)?.spot).toBe('T4')
    expect(factsOf({ ...scan, data: { ...scan.data, type: 'MENU' } })).toBeNull()
  })

  it('shows no amount that it cannot show exactly', () => {
    expect(amountText(factsOf({ ...order, data: { total: 42.5 } }))).toBe('42.50')
    for (const total of [2 ** 60, Infinity, '42.50', null])
      expect(amountText(factsOf({ ...order, data: { total } }))).toBe('')
  })

  it.each([
    undefined,
    null,
    [],
    'x',
    7,
    { spotName: {}, itemNames: [1, null, 'a\nb'], name: {}, tabUuid: [] },
  ])('accepts %j as data of every type', (data) => {
    for (const { type } of eventTypes)
      expect(() => factsOf({ type, targetUuid: {}, data })).not.toThrow()
  })
})

function sentence(payload: Parameters<typeof titleOf>[0], known: Partial<Facts> = {}): string {
  const facts = factsOf(payload)
  const target = typeof payload.targetUuid === 'string' ? payload.targetUuid : null
  return sentenceText(
    { target, title: titleOf(payload), facts: facts && { ...facts, ...known } },
    () => '18:02',
  )
}

describe('sentenceText', () => {
  const tab = { id: 'tab-1', name: 'Miller' }

  it.each([
    ['T4 · Order A-17 · Pale Ale, Fries · tab Miller', sentence(order, { tab })],
    ['T4 · Order A-17 · Pale Ale, Fries', sentence(order)],
    [
      'T4 · 1 × Fries added · tab Miller',
      sentence(
        { type: 'ITEM_ADDED', data: { orderId: 'order-1', name: 'Fries', quantity: 1 } },
        { spot: 'T4', tab },
      ),
    ],
    [
      'T2 · Tab Miller closed · opened 18:02',
      sentence({ type: 'CLOSE_TAB', targetUuid: 'tab-1' }, { spot: 'T2', tab, openedAt: 1 }),
    ],
    ['Tab tab-1 closed', sentence({ type: 'CLOSE_TAB', targetUuid: 'tab-1' })],
    [
      'T4 · Tab Miller opened',
      sentence({ type: 'OPEN_TAB', targetUuid: 'tab-1', data: { name: 'Miller', spotName: 'T4' } }),
    ],
    [
      'PRICE_CHANGED · type is not documented, 3 fields',
      sentence({ type: 'PRICE_CHANGED', data: { a: 1, b: 2, c: 3 } }),
    ],
  ])('%s', (expected, text) => {
    expect(text).toBe(expected)
  })
})
