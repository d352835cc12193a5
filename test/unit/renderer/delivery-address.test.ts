import { expect, it } from 'vitest'
import { deliveryAddress, filterAddress, placeOf } from '#renderer/routes/deliveries.ts'
import { linkTo } from '#renderer/routes/deliveries.ts'

it('refers to one delivery of the live list or a log, and keeps the filter', () => {
  expect(placeOf(deliveryAddress(12, null))).toEqual({
    scope: null,
    filter: null,
    delivery: 12,
    tab: null,
  })
  expect(placeOf(deliveryAddress(12, 3))).toEqual({
    scope: 3,
    filter: null,
    delivery: 12,
    tab: null,
  })
  expect(placeOf('#/deliveries/12?filter=type%3AX')).toEqual({
    scope: null,
    filter: 'type:X',
    delivery: 12,
    tab: null,
  })
  expect(placeOf(deliveryAddress(12, null, 'a', 'signature'))).toEqual({
    scope: null,
    filter: 'a',
    delivery: 12,
    tab: 'signature',
  })
})

it('still parses list addresses, and nothing else as a delivery', () => {
  expect(placeOf('')).toEqual({ scope: null, filter: '', delivery: null, tab: null })
  expect(placeOf(filterAddress('a b', 3))).toEqual({
    scope: 3,
    filter: 'a b',
    delivery: null,
    tab: null,
  })
  const others = [
    '#/deliveries/0',
    '#/deliveries/x',
    '#/deliveries/-1',
    '#/deliveries/1/2',
    '#/deliveries/12/',
    `#/deliveries/${'9'.repeat(16)}`,
    '#/12',
    '#/logs/3/12',
    '#/logs/3/deliveries',
    '#/logs/3/authorization',
    '#/endpoints/12',
  ]
  for (const hash of others) expect(placeOf(hash), hash).toBeNull()
})

it('creates a link without a token, whatever the address of the page', () => {
  const page = 'http://127.0.0.1:5000/?token=secret#/settings?find=token'
  expect(linkTo(12, null, { links: false, page })).toBe('http://127.0.0.1:5000/#/deliveries/12')
  expect(linkTo(12, 3, { links: false, page })).toBe('http://127.0.0.1:5000/#/logs/3/deliveries/12')
  expect(linkTo(12, null, { links: true, page })).toBe('tabscope://delivery/12')
  expect(linkTo(12, 3, { links: true, page })).toBe('tabscope://log/3/delivery/12')
})

it('creates no link if nothing would open it', () => {
  const page = 'app://tabscope/index.html#/deliveries/12'
  expect(linkTo(12, null, { links: false, page })).toBeNull()
  expect(linkTo(12, null, { links: true, page })).toBe('tabscope://delivery/12')
})
