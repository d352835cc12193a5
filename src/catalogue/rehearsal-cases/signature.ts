import { headerName } from '../headers.ts'
import {
  type RequestBuilder,
  type StatusExpectation,
  type Variant,
  bodyWith,
  casesOf,
  unknownEventType,
  verification,
  variant,
} from '../rehearsal/define.ts'

const forms: readonly {
  name: string
  of: (builder: RequestBuilder, text: string) => string
}[] = [
  { name: 'base64', of: (builder, text) => builder.sign(text, { encoding: 'base64' }) },
  { name: 'the prefix "sha256="', of: (builder, text) => `sha256=${builder.sign(text)}` },
  { name: 'HMAC-SHA1', of: (builder, text) => builder.sign(text, { algorithm: 'hmac-sha1' }) },
  {
    name: 'SHA-256 without a key',
    of: (builder, text) => builder.sign(text, { algorithm: 'sha256' }),
  },
]

function signedBy(
  builder: RequestBuilder,
  name: string,
  sign: (text: string) => string,
  expect: StatusExpectation = 'reject',
): Variant {
  const event = builder.event()
  const signature = sign(JSON.stringify(event))
  return variant(name, [builder.deliver(event, { signature })], expect)
}

export default casesOf('signature', [
  {
    id: 'S1',
    title: 'A changed body',
    level: 'MUST',
    ...verification.compare,
    expected: 'Reject with 4xx',
    why: 'Anyone who can change a digit in transit can change the total of an order.',
    fix: 'verify-raw-body',
    hostile: true,
    needsSecret: true,
    variants: (builder) => {
      const changed = (name: string, change: (text: string) => string) => {
        const event = builder.event()
        return variant(
          name,
          [builder.deliver(event, { body: change(JSON.stringify(event)) })],
          'reject',
        )
      }
      return [
        changed('one byte flipped', (text) => text.replace('"total":15.5', '"total":95.5')),
        changed('a space appended', (text) => `${text} `),
      ]
    },
  },
  {
    id: 'S2',
    title: 'No signature',
    level: 'MUST',
    ...verification.compare,
    expected: 'Reject with 4xx',
    why: 'A handler that verifies only if there is a signature lets anyone place an order without one. One that crashes can be stopped by any request.',
    fix: 'require-secret',
    hostile: true,
    needsSecret: true,
    variants: (builder) => [
      variant('absent', [builder.deliver(builder.event(), { signature: null })], 'reject'),
      variant('empty', [builder.deliver(builder.event(), { signature: '' })], 'reject'),
    ],
  },
  {
    id: 'S3',
    title: 'Signed with another secret',
    level: 'MUST',
    ...verification.compute,
    expected: 'Reject with 4xx',
    why: 'If the secret is not checked, anyone can sign orders with the secret of another webhook or of a test system.',
    fix: 'require-secret',
    hostile: true,
    needsSecret: true,
    variants: (builder) => {
      const signedWith = (name: string, key: string) =>
        signedBy(builder, name, (text) => builder.sign(text, { key }))
      return [
        signedWith('another secret', builder.randomHex(32)),
        ...(builder.accessSecret === null
          ? []
          : [signedWith('the access secret', builder.accessSecret)]),
      ]
    },
  },
  {
    id: 'S4',
    title: 'Signed with an empty or unconfigured key',
    level: 'MUST',
    ...verification.compute,
    expected: 'Reject with 4xx',
    why: 'A handler whose secret is not configured computes with an empty key or the text "undefined". Anyone can compute that signature and forge an order.',
    fix: 'require-secret',
    hostile: true,
    needsSecret: true,
    variants: (builder) =>
      ['', 'undefined', 'null', 'None'].map((key) => {
        const name = key === '' ? 'an empty key' : `the key "${key}"`
        return signedBy(builder, name, (text) => builder.sign(text, { key }))
      }),
  },
  {
    id: 'S5',
    title: 'Malformed signatures',
    level: 'MUST',
    ...verification.compare,
    expected: 'Reject with 4xx, and keep running',
    why: 'Constant-time comparisons throw when the lengths differ. Any request can then crash the handler, and the orders that follow are lost.',
    fix: 'compare-signature',
    hostile: true,
    needsSecret: true,
    variants: (builder) => {
      const malformed = (name: string, change: (valid: string) => string) => ({
        ...signedBy(builder, name, (text) => change(builder.sign(text))),
        serverError: 'warn' as const,
      })
      return [
        malformed('the first 8 characters', (valid) => valid.slice(0, 8)),
        malformed('the first 63 characters', (valid) => valid.slice(0, 63)),
        malformed('65 characters', () => builder.randomHex(65)),
        malformed('64 characters that are not hexadecimal', () => 'z'.repeat(64)),
        // The length of a signature, once in characters and once in bytes.
        malformed('64 characters outside ASCII', () => '\u00e9'.repeat(64)),
        malformed('32 characters outside ASCII', () => '\u00c3\u00a9'.repeat(32)),
      ]
    },
  },
  {
    id: 'S6',
    title: 'The valid signature followed by other characters',
    level: 'MUST',
    ...verification.compare,
    expected: 'Reject with 4xx',
    why: 'Hex decoders stop silently at the first invalid character. A comparison that ignores part of the signature is one step away from accepting a forged order.',
    fix: 'compare-signature',
    hostile: true,
    needsSecret: true,
    variants: (builder) =>
      [
        { name: 'letters', garbage: 'zz' },
        { name: 'another signature', garbage: `, ${builder.randomHex(64)}` },
      ].map(({ name, garbage }) =>
        signedBy(builder, `followed by ${name}`, (text) => `${builder.sign(text)}${garbage}`),
      ),
  },
  {
    id: 'S7',
    title: 'The signature in upper case',
    level: 'INFO',
    basis: null,
    expected: 'Accept or reject, without a server error',
    why: 'The API documentation does not say whether the digits are lower case. Either choice is safe, but any request can trigger a server error.',
    fix: 'compare-signature',
    needsSecret: true,
    variants: (builder) => [
      signedBy(
        builder,
        'upper case',
        (text) => builder.sign(text).toUpperCase(),
        'no-server-error',
      ),
    ],
  },
  {
    id: 'S8',
    title: 'Other algorithms and encodings',
    level: 'MUST',
    ...verification.compute,
    expected: 'Reject with 4xx',
    why: 'Anyone can compute a hash without a key, and a handler that accepts several algorithms is as weak as the weakest of them.',
    fix: 'verify-raw-body',
    hostile: true,
    needsSecret: true,
    variants: (builder) =>
      forms.map(({ name, of }) => signedBy(builder, name, (text) => of(builder, text))),
  },
  {
    id: 'S9',
    title: 'The signature of the re-serialized body',
    level: 'MUST',
    ...verification.rawBody,
    expected: 'Reject with 4xx',
    why: 'A handler that re-serializes the parsed body verifies different bytes than it received. It rejects genuine orders whose numbers or white space are written differently.',
    fix: 'verify-raw-body',
    hostile: true,
    needsSecret: true,
    variants: (builder) => {
      const reserialized = (name: string, text: string) => {
        const parsed: unknown = JSON.parse(text)
        const event = Object(parsed)
        return variant(
          name,
          [builder.deliver(event, { body: text, signature: builder.sign(JSON.stringify(parsed)) })],
          'reject',
        )
      }
      return [
        reserialized('spaces', JSON.stringify(builder.event(), null, 2)),
        reserialized('numbers', bodyWith(builder.event(), { total: '15.50' })),
        reserialized('escapes', bodyWith(builder.event(), { orderName: String.raw`"caf\u00e9"` })),
      ]
    },
  },
  {
    id: 'S10',
    title: 'Two signature headers',
    level: 'INFO',
    basis: null,
    expected: 'Accept or reject, without a server error',
    why: 'Frameworks join repeated headers, or pass a list instead of text. Any request can then crash a handler that does not expect a list.',
    fix: 'compare-signature',
    hostile: true,
    needsSecret: true,
    variants: (builder) => {
      const name = headerName(builder.brand, 'signature')
      const forged = builder.randomHex(64)
      return [
        { order: 'the valid one first', place: 1 },
        { order: 'the valid one last', place: 0 },
      ].map(({ order, place }) =>
        variant(
          order,
          [
            builder.deliver(builder.event(), {
              headers: (headers) => {
                const valid = headers.findIndex(([each]) => each === name)
                return headers.toSpliced(valid + place, 0, [name, forged])
              },
            }),
          ],
          'no-server-error',
        ),
      )
    },
  },
  {
    id: 'S11',
    title: 'The signature in the wrong place',
    level: 'MUST',
    basis: 'Delivery headers',
    quote:
      'Present only if a secret is configured: hex-encoded SHA-256 HMAC of the request body keyed with the secret.',
    expected: 'Reject with 4xx',
    why: 'Signatures in a URL end up in logs and histories. Anyone who reads one there can repeat the order.',
    fix: 'require-secret',
    hostile: true,
    needsSecret: true,
    variants: (builder) => {
      const name = headerName(builder.brand, 'signature')
      const inQuery = builder.event()
      const querySignature = builder.sign(JSON.stringify(inQuery))
      const inBody = builder.event()
      const bodySignature = builder.sign(JSON.stringify(inBody))
      const inHeader = builder.event()
      const headerSignature = builder.sign(JSON.stringify(inHeader))
      return [
        variant(
          'in the query',
          [
            builder.deliver(inQuery, {
              signature: null,
              query: `${name.toLowerCase()}=${querySignature}&signature=${querySignature}`,
            }),
          ],
          'reject',
        ),
        variant(
          'in the body',
          [
            builder.deliver(inBody, {
              signature: null,
              body: JSON.stringify({ ...inBody, [name]: bodySignature, signature: bodySignature }),
            }),
          ],
          'reject',
        ),
        variant(
          'in another header',
          [
            builder.deliver(inHeader, {
              signature: null,
              headers: (headers) => [
                ...headers,
                ['X-Signature', headerSignature],
                ['X-Hub-Signature-256', `sha256=${headerSignature}`],
                ['Authorization', `Bearer ${headerSignature}`],
              ],
            }),
          ],
          'reject',
        ),
      ]
    },
  },
  {
    id: 'S12',
    title: 'Signed with the previous secret',
    level: 'INFO',
    basis: null,
    expected: 'Accept or reject, as you have declared for the rotation of the secret',
    why: 'While a secret is rotated, events with both signatures arrive. A handler that knows only one loses orders; one that accepts the old one forever makes the rotation useless.',
    fix: 'require-secret',
    needsSecret: true,
    variants: (builder) => {
      const { previousSecret: key } = builder
      if (key === null) return []
      const sign = (text: string) => builder.sign(text, { key })
      return [signedBy(builder, 'previous secret', sign, 'no-server-error')]
    },
    skipped: 'No previous secret is known.',
  },
  {
    id: 'S13',
    title: 'An event type header that contradicts the signed body',
    level: 'SHOULD',
    basis: 'Delivery headers',
    quote:
      'Present only if a secret is configured: hex-encoded SHA-256 HMAC of the request body keyed with the secret.',
    expected: 'Follow the body, or reject',
    why: 'Only the body is signed. Anyone who repeats a genuine event with another header can turn a closed tab into a placed order.',
    fix: 'dispatch-on-body',
    hostile: true,
    needsSecret: true,
    needsObserver: true,
    variants: (builder) => [
      variant(
        'unknown type in the body, ORDER_PLACED in the header',
        [builder.deliver(builder.event(unknownEventType), { eventType: 'ORDER_PLACED' })],
        'no-server-error',
        { effects: { exactly: 0 } },
      ),
      variant(
        'ORDER_PLACED in the body, GUEST_UNSUBSCRIBED in the header',
        [builder.deliver(builder.event('ORDER_PLACED'), { eventType: 'GUEST_UNSUBSCRIBED' })],
        'no-server-error',
      ),
    ],
  },
  {
    id: 'S14',
    title: 'Secrets in responses',
    level: 'MUST',
    ...verification.compare,
    expected: 'No response contains the secret, the expected signature or a stack trace',
    why: 'A response that contains the expected signature signs any order for anyone who asks. A stack trace reveals paths and versions to attackers.',
    fix: 'hide-errors',
  },
])
