import { expect, it } from 'vitest'
import { headerEquals } from '#engine/payload/conformance/received-headers.ts'

it.each([
  ['tab-1', 'tab-1', true],
  ['tab-1', ' tab-1\t', true],
  ['Zo\u00c3\u00ab', 'Zo\u00eb', true],
  ['Zo\u00eb', 'Zo\u00eb', true],
  ['Zo\u00eb', ' Zo\u00eb ', true],
  ['Zoe', 'Zo\u00eb', false],
  ['TAB-1', 'tab-1', false],
  ['tab-1', 'tab-10', false],
  ['', ' ', true],
  ['', 'x', false],
])('headerEquals of %j and %j: %j', (received, text, same) => {
  expect(headerEquals(received, text)).toBe(same)
})
