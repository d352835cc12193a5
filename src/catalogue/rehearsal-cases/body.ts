import type { Payload } from '../payload.ts'
import {
  type RequestBuilder,
  type StatusExpectation,
  type Variant,
  bodyWith,
  casesOf,
  verification,
  variant,
} from '../rehearsal/define.ts'

const numbers = ['12.50', '12.0', '1.25e1', '9007199254740993'] as const

const characters = [
  { name: 'é', text: '"Café"' },
  { name: 'an emoji', text: '"Stout \u{1F37A}"' },
  { name: 'U+2028', text: '"first line\u2028second line"' },
] as const

const escapes = [
  { name: String.raw`\u00e9`, text: String.raw`"Caf\u00e9"` },
  { name: 'an escaped surrogate pair', text: String.raw`"Stout \ud83c\udf7a"` },
  { name: String.raw`\/`, text: String.raw`"1\/2 pint"` },
  { name: '<&>', text: '"<Fish & Chips>"' },
] as const

const layouts: readonly {
  name: string
  write: (value: unknown) => string
}[] = [
  { name: 'leading and trailing spaces', write: (value) => `  ${JSON.stringify(value)}  ` },
  { name: 'indented', write: (value) => JSON.stringify(value, null, 2) },
  { name: 'CRLF', write: (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\r\n') },
  { name: 'final line break', write: (value) => `${JSON.stringify(value)}\n` },
]

const levels = 20_000

const polluting = {
  ['__proto__']: '{"isAdmin":true,"toString":null}',
  constructor: '{"prototype":{"isAdmin":true,"toString":null}}',
}

function written(
  builder: RequestBuilder,
  name: string,
  write: (event: Payload) => string | Uint8Array,
  expect: StatusExpectation = 'accept',
): Variant {
  const event = builder.event()
  return variant(name, [builder.deliver(event, { body: write(event), signed: true })], expect)
}

export default casesOf('body', [
  {
    id: 'B1',
    title: 'Number forms',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'A number that is parsed and written again loses a zero, its exponent or its last digits. The signature then never matches, and the order is lost.',
    fix: 'verify-raw-body',
    variants: (builder) =>
      numbers.map((total) => written(builder, total, (event) => bodyWith(event, { total }))),
  },
  {
    id: 'B2',
    title: 'Characters outside ASCII',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'A body that is decoded in another encoding, or escaped again, has another signature. Orders of guests whose names have an accent are lost.',
    fix: 'verify-raw-body',
    variants: (builder) =>
      characters.map(({ name, text }) =>
        written(builder, name, (event) => bodyWith(event, { orderName: text })),
      ),
  },
  {
    id: 'B3',
    title: 'Escapes in strings',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'Serializers disagree on what they escape: Go writes < as an escape, PHP every slash. A re-serialized body has another signature, and the order is lost.',
    fix: 'verify-raw-body',
    variants: (builder) =>
      escapes.map(({ name, text }) =>
        written(builder, name, (event) => bodyWith(event, { orderName: text })),
      ),
  },
  {
    id: 'B4',
    title: 'White space',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'A handler that trims or re-serializes the body rejects every order of a sender that formats its JSON differently.',
    fix: 'verify-raw-body',
    variants: (builder) => layouts.map(({ name, write }) => written(builder, name, write)),
  },
  {
    id: 'B5',
    title: 'Order of keys',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'JavaScript moves keys that look like integers to the front, and other languages sort all keys. A re-serialized body has another signature, and the order is lost.',
    fix: 'verify-raw-body',
    variants: (builder) => [
      written(builder, 'reversed keys', (event) =>
        JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())),
      ),
      written(builder, 'keys that look like integers', (event) =>
        bodyWith(event, { '10': '"ten"', '2': '"two"', '1': '"one"' }),
      ),
    ],
  },
  {
    id: 'B6',
    title: 'Duplicate keys, byte order mark, invalid UTF-8',
    level: 'INFO',
    basis: 'RFC 8259',
    expected: 'Accept or reject, without a server error',
    why: 'Parsers disagree on these bodies. Two parts of a system that read different totals from the same order cannot be reconciled later.',
    fix: 'parse-safely',
    hostile: true,
    variants: (builder) => {
      const invalid = (event: Payload) => {
        const bytes = Uint8Array.from(builder.deliver(event).body)
        // In a string, where 0xff is never valid (RFC 3629).
        bytes[bytes.indexOf('"A-'.charCodeAt(1), JSON.stringify(event).indexOf('"orderName"'))] =
          0xff
        return bytes
      }
      return [
        written(
          builder,
          'duplicate keys',
          (event) => bodyWith(event, { total: '15.50,"total":0.50' }),
          'no-server-error',
        ),
        written(
          builder,
          'byte order mark',
          (event) => `\ufeff${JSON.stringify(event)}`,
          'no-server-error',
        ),
        written(builder, 'invalid UTF-8', invalid, 'no-server-error'),
      ]
    },
  },
  {
    id: 'B7',
    title: 'Signed bodies that are not an event',
    level: 'SHOULD',
    basis: null,
    expected: 'Reject with 4xx, and keep running',
    why: 'A valid signature does not make a body well formed. A handler that fails on one is retried or disabled by its sender, and orders are lost.',
    fix: 'parse-safely',
    hostile: true,
    variants: (builder) => {
      const signed = (name: string, change: (text: string) => string) =>
        written(builder, name, (event) => change(JSON.stringify(event)), 'reject')
      return [
        signed('null', () => 'null'),
        signed('an empty list', () => '[]'),
        signed('truncated JSON', (text) => text.slice(0, text.length >> 1)),
        signed('20,000 levels', () => '['.repeat(levels) + ']'.repeat(levels)),
      ]
    },
  },
  {
    id: 'B8',
    title: 'Keys named __proto__ and constructor',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept or reject without a server error, and keep running',
    why: 'Code that copies keys without a check changes every object of the process. The next order may then be processed with rights that its sender does not have.',
    fix: 'parse-safely',
    hostile: true,
    variants: (builder) => {
      const members = Object.entries(polluting).map(([key, value]) => `"${key}":${value}`)
      const inData = (event: Payload) => bodyWith(event, polluting)
      const atTop = (event: Payload) => JSON.stringify(event).replace('{', `{${members.join(',')},`)
      return [
        written(builder, 'in data', inData, 'no-server-error'),
        written(builder, 'at the top', atTop, 'no-server-error'),
      ]
    },
  },
])
