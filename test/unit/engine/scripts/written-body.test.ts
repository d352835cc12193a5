import { expect, it } from 'vitest'
import { roundedIn, writtenBody } from '#engine/scripts/written-body.ts'

const order =
  '{"type":"ORDER_PLACED","10":1,"data":{"total":42.50,"ref":9007199254740993,"names":["a\\u000bb","x\\/y"],"note":"one","note":"two"}}'
// oxlint-disable-next-line typescript/no-explicit-any
const parsed = (): any => JSON.parse(order)

it.each<[string, object, string]>([
  ['nothing changed', parsed(), order],
  [
    'a member is added in an object',
    { ...parsed(), data: { ...parsed().data, table: 'T4' } },
    order.replace('"two"}', '"two","table":"T4"}'),
  ],
  [
    'a member is replaced',
    { ...parsed(), data: { ...parsed().data, total: 43 } },
    order.replace('42.50', '43'),
  ],
  [
    'of members with the same name, the last is replaced',
    { ...parsed(), data: { ...parsed().data, note: 'three' } },
    order.replace('two', 'three'),
  ],
  [
    'a member is removed',
    Object.fromEntries(Object.entries(parsed()).filter(([name]) => name !== 'type')),
    order.replace('"type":"ORDER_PLACED",', ''),
  ],
  [
    'an item is removed from a list',
    { ...parsed(), data: { ...parsed().data, names: ['x/y'] } },
    order.replace('"a\\u000bb",', ''),
  ],
  [
    'an item of a list is replaced',
    { ...parsed(), data: { ...parsed().data, names: ['new', 'x/y'] } },
    order.replace('a\\u000bb', 'new'),
  ],
  [
    'a rounded integer is moved',
    { id: parsed().data.ref, list: [parsed().data.ref, 1.5] },
    '{"id":9007199254740993,"list":[9007199254740993,1.5]}',
  ],
  ['another kind of value', [{ a: 1 }], '[{"a":1}]'],
])('%s: the rest keeps its text', (_, value, text) => {
  expect(writtenBody(order, value)).toBe(text)
})

it('members that a script has moved are moved', () => {
  expect(writtenBody('{"b":1.0,"a":[ 2.0 ]}', { a: [2], b: 1 })).toBe('{"a":[ 2.0 ],"b":1.0}')
})

it('new members have the white space of the others', () => {
  const indented = '{\n  "a": 1.0,\n  "data": {}\n}'
  expect(writtenBody(indented, { a: 1, data: { b: 2 } })).toBe(
    '{\n  "a": 1.0,\n  "data": {\n    "b": 2\n  }\n}',
  )
})

it('a text that a script made itself is not changed, but numbers that it rounds are named', () => {
  expect(roundedIn(order, JSON.stringify(parsed()))).toEqual([
    '9007199254740993 became 9007199254740992',
  ])
  expect(roundedIn(order, order)).toEqual([])
})
