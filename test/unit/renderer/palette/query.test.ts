import { expect, it } from 'vitest'
import { filterFault } from '#client/state/filter.ts'
import { searchTermsOf } from '#kit/text/search-terms.ts'
import { summary } from '#test/support/sample-summary.ts'
import {
  deliveryMarks,
  deliveryLabels,
  filterOf,
  isDeliveryId,
  numberIn,
} from '#app/palette/query.ts'

const uuid = '5f3b1c52-8a70-4f0e-9c39-7a4c19f1d7e2'

it('parses a delivery number with and without #', () => {
  expect(numberIn('#12')).toBe(12)
  expect(numberIn(' 12 ')).toBe(12)
  for (const other of ['', '#', '0', '#0', '-1', '1.5', '12a', '9'.repeat(16)]) {
    expect(numberIn(other), other).toBeNull()
  }
  expect(isDeliveryId('#12')).toBe(true)
  expect(isDeliveryId(` ${uuid.toUpperCase()} `)).toBe(true)
  expect(isDeliveryId('12')).toBe(false)
})

it('converts words, verdicts and IDs to a filter, and keeps a query in the filter language', () => {
  expect(filterOf('  ')).toBe('')
  expect(filterOf('pale ale')).toBe('pale ale')
  expect(filterOf('Invalid')).toBe('verdict:invalid')
  expect(filterOf(`invalid ${uuid}`)).toBe(`verdict:invalid ref:${uuid}`)
  expect(filterOf('type:OPEN_TAB since:2h')).toBe('type:OPEN_TAB since:2h')
  expect(filterOf('-pale')).toBe('-pale')
  expect(filterOf('( pale')).toBe('pale')
  expect(filterOf('(')).toBe('')
})

it('converts any input to a valid filter', () => {
  const typed = ['(', 'a or', '"', 'or and not', 'type:', '-', 'x:y', '\\', '"a b', '*', 'nosuch:1']
  for (const text of [...typed, 'ä'.repeat(200), '( '.repeat(100)]) {
    expect(filterFault(filterOf(text)), text).toBeNull()
  }
})

it('highlights the matched parts of type and title', () => {
  const row = summary(1, { type: 'ORDER_PLACED', title: 'Order A-17 placed\u202E' })
  const marked = (query: string): string[][] => {
    const { type, title } = deliveryMarks(searchTermsOf(query), row)
    const shown = deliveryLabels(row)
    return [
      type.map(([from, to]) => shown.type.slice(from, to)),
      title.map(([from, to]) => shown.title.slice(from, to)),
    ]
  }
  expect(marked('a-17')).toEqual([[], ['A-17']])
  expect(marked('order_placed a-17')).toEqual([['ORDER_PLACED'], ['A-17']])
  expect(marked('u202e')).toEqual([[], ['u202e']])
  // A match in a hidden field highlights nothing.
  expect(marked('quetzalcoatl')).toEqual([[], []])
})
