import { expect, it } from 'vitest'
import { deliveryAddress, filterAddress, linkTo, placeOf } from '#client/addresses/deliveries.ts'

const list = { scope: null, filter: '', delivery: null, tab: null }
const one = { ...list, filter: null, delivery: 12 }

it('refers to one delivery of the live list or a log, and keeps the filter', () => {
  expect(placeOf(deliveryAddress(12, null))).toEqual(one)
  expect(placeOf(deliveryAddress(12, 3))).toEqual({ ...one, scope: 3 })
  expect(placeOf('#/deliveries/12?filter=type%3AX')).toEqual({ ...one, filter: 'type:X' })
  expect(placeOf(deliveryAddress(12, null, 'a', 'signature'))).toEqual({
    ...one,
    filter: 'a',
    tab: 'signature',
  })
})

it('still parses list addresses, and nothing else as a delivery', () => {
  expect(placeOf('')).toEqual(list)
  expect(placeOf(filterAddress('a b', 3))).toEqual({ ...list, scope: 3, filter: 'a b' })
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
    '#/setup/endpoints/12',
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
