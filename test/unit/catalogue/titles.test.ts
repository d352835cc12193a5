import { describe, expect, it } from 'vitest'
import { titleOf } from '#catalogue/catalogue.ts'
import { shortId, text } from '#catalogue/payload.ts'

const uuid = '1b4e28ba-2fa1-4d3e-883f-0016d3cca427'

it.each([
  [
    'T4 · Order A-17',
    {
      type: 'ORDER_PLACED',
      data: { orderName: 'A-17', spotName: 'T4', zoneName: 'Patio', total: 42.5 },
    },
  ],
  ['Order placed', { type: 'ORDER_PLACED', data: {} }],
  ['1 × Fries added', { type: 'ITEM_ADDED', data: { name: 'Fries', quantity: 1, price: 6.5 } }],
  ['Fries removed', { type: 'ITEM_REMOVED', data: { productName: 'Fries', price: '6.5' } }],
  [
    '2 × Pale Ale removed',
    { type: 'ITEM_REMOVED', data: { name: 'Pale Ale', quantity: 2, price: 9 } },
  ],
  ['T4 · Tab Miller opened', { type: 'OPEN_TAB', data: { name: 'Miller', spotName: 'T4' } }],
  ['Tab opened', { type: 'OPEN_TAB', data: null }],
  ['Tab 1b4e28ba… closed', { type: 'CLOSE_TAB', targetUuid: uuid, data: {} }],
  ['Guest verified · first time here', { type: 'GUEST_VERIFIED', data: { isFirstTime: true } }],
  ['Guest verified', { type: 'GUEST_VERIFIED', data: { isFirstTime: false } }],
  [
    'Guest verified · merged with an earlier record',
    { type: 'GUEST_VERIFIED', data: { isFirstTime: 'yes', oldCustomerId: '33' } },
  ],
  ['Guest subscribed · by e-mail', { type: 'GUEST_SUBSCRIBED', data: { handle: 'a@b.example' } }],
  [
    'Guest unsubscribed · by phone',
    { type: 'GUEST_UNSUBSCRIBED', data: { handle: '+1 202 555 0143' } },
  ],
  ['Guest subscribed', { type: 'GUEST_SUBSCRIBED', data: { handle: 'somebody' } }],
  ['Menu 1b4e28ba… changed', { type: 'MENU_UPDATED', targetUuid: uuid, data: {} }],
  ['Product pr-203 changed', { type: 'PRODUCT_UPDATED', targetUuid: 'pr-203', data: {} }],
  [
    'Category 118 changed · by a product',
    {
      type: 'CATEGORY_UPDATED',
      targetUuid: null,
      targetId: '118',
      data: { cause: { type: 'PRODUCT_UPDATED' } },
    },
  ],
  ['Category 118 changed', { type: 'CATEGORY_UPDATED', targetId: '118', data: { cause: {} } }],
  ['Location Pier 9 changed', { type: 'LOCATION_UPDATED', locationName: 'Pier 9', data: {} }],
  [
    'T4 · Scanned · at the door',
    { type: 'QR_SCANNED', data: { type: 'SPOT', targetName: 'T4', entryPoint: 'door' } },
  ],
  [
    'T4 · Scanned · APP_CLIP',
    { type: 'QR_SCANNED', data: { type: 'SPOT', targetName: 'T4', entryPoint: 'APP_CLIP' } },
  ],
  ['QR code 404 scanned', { type: 'QR_SCANNED', targetId: '404', data: { type: 'MENU' } }],
  ['TAB_MERGED · type is not documented, 1 field', { type: 'TAB_MERGED', data: { a: 1 } }],
  ['7 · type is not documented, 0 fields', { type: 7, data: 'x' }],
])('titleOf %s', (title, payload) => {
  expect(titleOf(payload)).toBe(title)
})

describe('text', () => {
  it('truncates between characters', () => {
    expect(text('a'.repeat(60))).toBe('a'.repeat(60))
    expect(text('a'.repeat(61))).toBe(`${'a'.repeat(59)}…`)
    expect(text('\u{1F37A}'.repeat(61))).toBe(`${'\u{1F37A}'.repeat(59)}…`)
  })

  it('removes line breaks and bidirectional controls', () => {
    expect(text(' two\r\nlines\u0000and\u202eback ')).toBe('two lines and back')
  })
})

it('shortens ids of a UUID’s length only', () => {
  expect(shortId('pr-203')).toBe('pr-203')
  expect(shortId(uuid)).toBe('1b4e28ba…')
  expect(shortId({})).toBe('')
})
