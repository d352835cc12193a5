import { expect, test } from 'vitest'
import { nearestOf } from '#hosts/node/command-line/nearest.ts'

const names = [
  'port',
  'ui-port',
  'to',
  'forward-to',
  'secret',
  'secret-env',
  'json',
  'ORDER_PLACED',
]

test.for([
  ['prot', 'port'],
  ['Port', 'port'],
  ['uiport', 'ui-port'],
  ['forward', 'forward-to'],
  ['secrets', 'secret'],
  ['tp', 'to'],
  ['order_placd', 'ORDER_PLACED'],
  ['wings', undefined],
  ['x', undefined],
  ['', undefined],
] as const)('%s is most likely %s', ([word, meant]) => {
  expect(nearestOf(word, names)).toBe(meant)
})

test('ignores case', () => {
  expect(nearestOf('OPEN_TB', ['OPEN_TAB', 'CLOSE_TAB'])).toBe('OPEN_TAB')
  expect(nearestOf('open_tab', ['OPEN_TAB', 'CLOSE_TAB'])).toBe('OPEN_TAB')
})
