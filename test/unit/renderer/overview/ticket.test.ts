import { Tooltip } from 'radix-ui'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { commonFields, type Payload } from '#catalogue/payload.ts'
import { CommonFields } from '#pages/deliveries/detail/OverviewTab.tsx'
import { Ticket, ticketHead } from '#pages/deliveries/detail/Ticket.tsx'
import { seeded } from '#sandbox/random.ts'
import { samplePayload, sampleSource } from '#sandbox/steps.ts'

const source = sampleSource(seeded(7), 'Service', new Date('2026-03-14T21:09:00.000Z'))

const drawn = (payload: Payload): string =>
  renderToStaticMarkup(
    createElement(Tooltip.Provider, null, [
      createElement(Ticket, { key: 'ticket', payload, brand: 'Service' }),
      createElement(CommonFields, { key: 'common', payload }),
    ]),
  )

const textOf = (payload: Payload): string =>
  drawn(payload)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')

const head = (payload: Payload) => ticketHead(eventTypeOf(payload.type), payload)

describe.each(eventTypes.map((eventType) => [eventType.type, eventType] as const))(
  'the card of %s',
  (type, eventType) => {
    const sample = samplePayload(type, source)

    it('shows each documented field once, received or not: in its head, or with label, key and type', () => {
      for (const payload of [sample, { type, data: {} }]) {
        const text = textOf(payload)
        const { places } = head(payload)
        const listed = eventType.data.filter(({ key }) => !places.includes(`data.${key}`))
        for (const { key, type: of, label } of [...listed, ...commonFields]) {
          expect(text, key).toContain(`${key} ${of}`)
          expect(text, key).toContain(label)
        }
        // One row for each documented field, with a button that explains it.
        const rows = listed.length + commonFields.length
        expect(drawn(payload).match(/class="field-row[ "]/g)).toHaveLength(rows)
        expect(drawn(payload).match(/class="field-label field-explained/g)).toHaveLength(rows)
      }
      expect(textOf({ type }).match(/\babsent\b/g)?.length).toBeGreaterThanOrEqual(
        eventType.data.length,
      )
    })

    it('describes what happened, and marks nothing in its sample', () => {
      const text = textOf(sample)
      expect(text).toContain(eventType.view.stamp.word)
      expect(text).not.toMatch(/not documented|, documented as|absent|does not list/)
      expect(text.includes('contradicts itself')).toBe(type === 'OPEN_TAB')
    })
  },
)

describe('the text of a ticket', () => {
  const order = {
    type: 'ORDER_PLACED',
    data: {
      orderName: 'A-17',
      spotName: 'T4',
      zoneName: 'Patio',
      total: 42.5,
      itemNames: ['Pale Ale', 'Pale Ale', 'Fries'],
      categoryNames: ['Drinks'],
    },
  }

  it('an order is a ticket with its name, its place and its total', () => {
    expect(head(order)).toMatchObject({
      stamp: 'Order placed',
      heading: 'A-17',
      subheading: 'T4 · Patio',
      figure: { text: '42.50', label: 'Total' },
    })
    expect(textOf({ ...order, data: { ...order.data, scheduled: true } })).toContain(
      'Scheduled for a future time.',
    )
    expect(textOf(order)).not.toContain('Scheduled for a future time.')
  })

  it('an item shows by its sign whether it was added or removed, and multiplies nothing', () => {
    const data = { name: 'Pale Ale', quantity: 2, price: 9, orderId: '51', tags: ['draught'] }
    expect(head({ type: 'ITEM_ADDED', data })).toMatchObject({
      sign: '+',
      figure: { text: '2 × 9.00', label: 'Quantity × price' },
    })
    const text = textOf({ type: 'ITEM_REMOVED', data })
    expect(text).toContain('− 2 × 9.00')
    expect(text).not.toContain('18')
    expect(head({ type: 'ITEM_ADDED', data: { price: 9 } }).figure).toEqual({
      text: '9.00',
      label: 'Price',
    })
    expect(head({ type: 'ITEM_ADDED', data: { price: '9' } }).figure).toBeNull()
  })

  it('an unknown type is shown without the catalogue', () => {
    const payload = {
      type: 'TAB_MERGED',
      locationName: 'Pier 9',
      data: { fromTabUuid: 'tab-1', at: '2026-03-14T21:09:00.000Z', guests: ['Ada'], final: true },
    }
    expect(head(payload)).toMatchObject({ heading: 'TAB_MERGED', subheading: 'Pier 9' })
    const text = textOf(payload)
    expect(text).toContain('does not list this type')
    expect(text).toContain('2026-03-14T21:09:00.000Z UTC')
    expect(text).not.toContain('not documented')
    expect(drawn(payload)).toContain('tab-1: show all deliveries with this ID')
  })
})

/** The most different ones; all in `npm run test:full`. */
const tested = full ? eventTypes : eventTypes.filter(({ type }) => /TAB|ORDER/.test(type))
const hostile: readonly unknown[] = [
  null,
  0,
  'x'.repeat(100_000),
  '<b>\u202e',
  [],
  Array.from({ length: 50_000 }, (_, index) => `tag ${index}`),
  { type: { type: [] } },
  JSON.parse('{"__proto__":{"name":1},"toString":null,"length":-1}'),
  Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index])),
]

it.each(tested.map(({ type }) => type))('%s stays bounded for any input', (type) => {
  const data = eventTypeOf(type)?.data ?? []
  for (const value of hostile) {
    for (const payload of [
      { type, data: value },
      { type, targetUuid: value, targetId: value, locationName: value, data: {} },
      { type, data: Object.fromEntries(data.map(({ key }) => [key, value])) },
    ]) {
      const html = drawn(payload)
      expect(html.length).toBeLessThan(400_000)
      expect(html).not.toContain('<b>\u202e')
    }
  }
})
