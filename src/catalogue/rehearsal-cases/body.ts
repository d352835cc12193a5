import { bodyWith, casesOf, verification } from '../rehearsal/define.ts'

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
  readonly name: string
  readonly write: (value: unknown) => string
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
      numbers.map((total) => {
        const event = builder.event()
        return {
          name: total,
          steps: [builder.deliver(event, { body: bodyWith(event, { total }), signed: true })],
          expect: 'accept',
        }
      }),
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
      characters.map(({ name, text }) => {
        const event = builder.event()
        const body = bodyWith(event, { orderName: text })
        return { name, steps: [builder.deliver(event, { body, signed: true })], expect: 'accept' }
      }),
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
      escapes.map(({ name, text }) => {
        const event = builder.event()
        const body = bodyWith(event, { orderName: text })
        return { name, steps: [builder.deliver(event, { body, signed: true })], expect: 'accept' }
      }),
  },
  {
    id: 'B4',
    title: 'White space',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'A handler that trims or re-serializes the body rejects every order of a sender that formats its JSON differently.',
    fix: 'verify-raw-body',
    variants: (builder) =>
      layouts.map(({ name, write }) => {
        const event = builder.event()
        return {
          name,
          steps: [builder.deliver(event, { body: write(event), signed: true })],
          expect: 'accept',
        }
      }),
  },
  {
    id: 'B5',
    title: 'Order of keys',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Accept',
    why: 'JavaScript moves keys that look like integers to the front, and other languages sort all keys. A re-serialized body has another signature, and the order is lost.',
    fix: 'verify-raw-body',
    variants: (builder) => {
      const reversed = builder.event()
      const integers = builder.event()
      return [
        {
          name: 'reversed keys',
          steps: [
            builder.deliver(reversed, {
              body: JSON.stringify(Object.fromEntries(Object.entries(reversed).toReversed())),
              signed: true,
            }),
          ],
          expect: 'accept',
        },
        {
          name: 'keys that look like integers',
          steps: [
            builder.deliver(integers, {
              body: bodyWith(integers, { '10': '"ten"', '2': '"two"', '1': '"one"' }),
              signed: true,
            }),
          ],
          expect: 'accept',
        },
      ]
    },
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
      const duplicate = builder.event()
      const marked = builder.event()
      const invalid = builder.event()
      const bytes = Uint8Array.from(builder.deliver(invalid).body)
      // In a string, where 0xff is never valid (RFC 3629).
      bytes[bytes.indexOf('"A-'.charCodeAt(1), JSON.stringify(invalid).indexOf('"orderName"'))] =
        0xff
      return [
        {
          name: 'duplicate keys',
          steps: [
            builder.deliver(duplicate, {
              body: bodyWith(duplicate, { total: '15.50,"total":0.50' }),
              signed: true,
            }),
          ],
          expect: 'no-server-error',
        },
        {
          name: 'byte order mark',
          steps: [
            builder.deliver(marked, { body: `\ufeff${JSON.stringify(marked)}`, signed: true }),
          ],
          expect: 'no-server-error',
        },
        {
          name: 'invalid UTF-8',
          steps: [builder.deliver(invalid, { body: bytes, signed: true })],
          expect: 'no-server-error',
        },
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
      const signed = (name: string, change: (text: string) => string) => {
        const event = builder.event()
        const body = change(JSON.stringify(event))
        return {
          name,
          steps: [builder.deliver(event, { body, signed: true })],
          expect: 'reject' as const,
        }
      }
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
      const inData = builder.event()
      const atTop = builder.event()
      const members = Object.entries(polluting).map(([key, value]) => `"${key}":${value}`)
      return [
        {
          name: 'in data',
          steps: [builder.deliver(inData, { body: bodyWith(inData, polluting), signed: true })],
          expect: 'no-server-error',
        },
        {
          name: 'at the top',
          steps: [
            builder.deliver(atTop, {
              body: JSON.stringify(atTop).replace('{', `{${members.join(',')},`),
              signed: true,
            }),
          ],
          expect: 'no-server-error',
        },
      ]
    },
  },
])
