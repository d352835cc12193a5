import { expect, it } from 'vitest'
import { isObject } from '#shared/json/object.ts'
import { lossesIn, writtenBody } from '#engine/sending/scripts/written-body.ts'
import { pick } from '#test/support/random-filter.ts'
import { randomJson, seeded } from '#test/support/random-json.ts'

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

it.each<[string, string, object, string]>([
  ['a decimal that is moved', '{"data":{"total":42.50}}', { sum: 42.5 }, '{"sum":42.50}'],
  ['but not as an integer', '{"n":1.0,"q":2}', { n: 1, q: 1 }, '{"n":1.0,"q":1}'],
  [
    'an object that is moved',
    '{ "n": 1, "n": 2 }',
    { order: { n: 2 } },
    '{ "order": { "n": 1, "n": 2 } }',
  ],
  [
    'a list at the top',
    '[{"a":1.50}, 2.50]\n',
    [{ a: 1.5, b: 1 }, 2.5],
    '[{"a":1.50,"b":1}, 2.50]\n',
  ],
  [
    'items that are filtered and changed',
    '[{"id":12345678901234567890,"n":"A"},{"id":12345678901234567891,"n":"B"}]',
    [{ id: 12345678901234567000, n: 'A', x: 1 }],
    '[{"id":12345678901234567890,"n":"A","x":1}]',
  ],
  [
    'items that are sorted and changed',
    '[{"id":12345678901234567890,"n":"A"},{"id":12345678901234567891,"n":"B"}]',
    [
      { id: 12345678901234567000, n: 'B', x: 1 },
      { id: 12345678901234567000, n: 'A' },
    ],
    '[{"id":12345678901234567891,"n":"B","x":1},{"id":12345678901234567890,"n":"A"}]',
  ],
  [
    'white space, and what is after the last member',
    '{"a":1, "b" : 2.0 ,"c":3}\n',
    { a: 1, b: 2, c: 4 },
    '{"a":1, "b" : 2.0 ,"c":4}\n',
  ],
  [
    'bytes that are no UTF-8',
    '\xef\xbb\xbf{"a":"\xe9","b":1}',
    { a: '\ufffd', b: 2 },
    '\xef\xbb\xbf{"a":"\xe9","b":2}',
  ],
  ['an infinite number', '{"a":1e400,"b":1}', { a: null, b: 2 }, '{"a":1e400,"b":2}'],
  ['text that is not JSON', 'hello', { a: 'é' }, '{"a":"\xc3\xa9"}'],
])('%s', (_, original, value, text) => {
  expect(writtenBody(original, value)).toBe(text)
})

it('what JavaScript reads in the text is what the script returned', () => {
  const random = seeded(7)
  const edits = [
    (value: unknown) => value,
    () => 42.5,
    () => ({ made: [1.5, 'x'] }),
    (value: unknown) => (Array.isArray(value) ? value.toReversed().slice(1) : [value]),
    (value: unknown) => (isObject(value) ? { added: 1, ...value } : 0),
  ]
  const edited = (value: unknown, depth = 0): unknown => {
    if (depth > 0 && random() < 0.3) return pick(random, edits)(value)
    if (Array.isArray(value)) return value.map((each) => edited(each, depth + 1))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, edited(v, depth + 1)]))
  }
  for (let nth = 0; nth < 500; nth += 1) {
    const value = { data: randomJson(random), list: [randomJson(random), randomJson(random)] }
    const original = Buffer.from(JSON.stringify(value, null, nth % 3)).toString('latin1')
    expect(writtenBody(original, value)).toBe(original)
    const changed = { data: edited(value.data), list: edited(value.list) }
    const text = Buffer.from(writtenBody(original, changed), 'latin1').toString()
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(changed)))
  }
})

it('numbers that are written otherwise and members that are no longer repeated are named', () => {
  expect(lossesIn(order, JSON.stringify(parsed()))).toEqual([
    '“42.50” became “42.5”',
    '“9007199254740993” became “9007199254740992”',
    'a repeated “note” is gone',
  ])
  expect(lossesIn(order, order)).toEqual([])
  expect(lossesIn(order, '{"total":1}')).toEqual([])
  const ids = '[12345678901234567890,12345678901234567891]'
  expect(lossesIn(ids, writtenBody(ids, [12345678901234567000]))).toHaveLength(2)
})
