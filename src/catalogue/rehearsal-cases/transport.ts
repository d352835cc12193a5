import { type Header } from '#contract/models.ts'
import { eventTypes } from '../catalogue.ts'
import { type Payload } from '../payload.ts'
import { bodyWith, casesOf, type Transmission, variant } from '../rehearsal/define.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const entryBytes = 64

function entry(length: number): string {
  return `"${'Pale Ale '.repeat(8).slice(0, length - 2)}"`
}

function bodyOf(event: Payload, bytes: number): string {
  const missing = bytes - bodyWith(event, { itemNames: '[]' }).length
  const count = Math.floor((missing - 2) / entryBytes)
  const last = missing - count * entryBytes
  return bodyWith(event, {
    itemNames: `[${`${entry(entryBytes - 1)},`.repeat(count)}${entry(last)}]`,
  })
}

const sizes = [
  { name: '128 KiB', bytes: 128 * kibibyte },
  { name: '256 KiB', bytes: 256 * kibibyte },
  { name: '1 MiB', bytes: mebibyte },
  { name: '10 MiB', bytes: 10 * mebibyte },
] as const

const unsignedBytes = 50 * 1024 * 1024

const transmission = { pieceBytes: 1024 * 1024, pauseMs: 5 }

const sequentialRequests = 20
const rejectedEvery = 4

const simultaneousRequests = 50

export default casesOf('transport', [
  {
    id: 'T1',
    title: 'A chunked body without a length',
    level: 'MUST',
    basis: 'RFC 9112',
    expected: 'Accept',
    why: 'Proxies and tunnels forward bodies in chunks. A handler that relies on Content-Length sees an empty body and loses every order.',
    fix: 'transport',
    variants: (builder) => [
      variant('chunked', [builder.deliver(builder.event(), { chunked: true })], 'accept', {
        meaning: (status) =>
          status === 401 || status === 403
            ? 'It read another body, probably an empty one: it does not read the chunks.'
            : 'It refuses chunks outright: it accepts the same delivery with a length.',
      }),
    ],
  },
  {
    id: 'T2',
    title: 'Slow writing in small pieces',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept',
    why: 'A network may split a request anywhere, even in the middle of a character. A handler that treats the first chunk as the whole body rejects orders at random.',
    fix: 'transport',
    variants: (builder) => {
      const inPieces = (name: string, transmission: Transmission, said: string) =>
        variant(name, [builder.deliver(builder.event('OPEN_TAB'), { transmission })], 'accept', {
          meaning: (status) =>
            status === 401 || status === 403
              ? 'It read another body, probably only its first piece.'
              : said,
        })
      const headSaid =
        'The request line and headers were refused, not the body: its server cannot read them in several packets. The built-in server of PHP (`php -S`) cannot.'
      const bodySaid = 'The body was refused: it cannot be read in several packets.'
      return [
        inPieces('headers a byte at a time', { pieceBytes: 1, pauseMs: 1, part: 'head' }, headSaid),
        inPieces('body a byte at a time', { pieceBytes: 1, pauseMs: 1, part: 'body' }, bodySaid),
        inPieces(
          'body in pieces of 16 bytes',
          { pieceBytes: 16, pauseMs: 5, part: 'body' },
          bodySaid,
        ),
      ]
    },
  },
  {
    id: 'T3',
    title: 'Large bodies',
    level: 'SHOULD',
    basis: null,
    expected: 'Accept up to 256 KiB; beyond that accept, or respond with 413',
    why: 'The API documentation gives no size limit. Body parsers have one, often 100 KiB, so the largest orders are lost.',
    fix: 'body-limit',
    growing: true,
    variants: (builder) =>
      sizes.map(({ name, bytes }) => {
        const event = builder.event()
        const steps = [builder.deliver(event, { body: bodyOf(event, bytes), signed: true })]
        return bytes < mebibyte
          ? variant(name, steps, 'accept')
          : variant(name, steps, 'accept-or-too-large', { level: 'INFO' })
      }),
  },
  {
    id: 'T4',
    title: '50 MiB without a signature',
    level: 'SHOULD',
    basis: null,
    expected:
      'Reject with 4xx or close the connection before the whole body is read, and keep running',
    why: 'A handler that reads bodies of any size can be made to run out of memory, and the orders that arrive meanwhile are lost.',
    fix: 'body-limit',
    hostile: true,
    load: true,
    variants: (builder) => {
      const event = builder.event()
      // White space after the JSON text, so that only its size is wrong.
      const body = new Uint8Array(unsignedBytes).fill(0x20)
      body.set(builder.deliver(event).body)
      return [
        {
          name: '50 MiB',
          // Paused, so that a handler that rejects the head responds before everything is sent.
          steps: [builder.deliver(event, { body, signature: null, transmission })],
          expect: 'refuse',
        },
      ]
    },
  },
  {
    id: 'T5',
    title: 'A body that is cut short',
    level: 'SHOULD',
    basis: 'RFC 9112',
    expected: 'No effect, and keep running',
    why: 'Half an order is not an order. A handler that processes a partial body stores wrong totals.',
    fix: 'transport',
    hostile: true,
    needsObserver: true,
    variants: (builder) => {
      const event = builder.event()
      const { body } = builder.deliver(event)
      return [
        variant(
          'half of the body',
          [builder.deliver(event, { transmission: { stopAfter: body.byteLength >> 1 } })],
          'none',
          { effects: { exactly: 0 } },
        ),
      ]
    },
  },
  {
    id: 'T6',
    title: '20 sequential requests on one connection',
    level: 'SHOULD',
    basis: null,
    expected: 'Each request gets its own response',
    why: 'A handler that responds before it has read the body leaves the rest of it on the connection, and the next order is read from its middle.',
    fix: 'transport',
    variants: (builder) => {
      const rejected = Array.from(
        { length: sequentialRequests },
        (_, index) => builder.hasSecret && index % rejectedEvery === rejectedEvery - 1,
      )
      return [
        variant(
          '20 in a row',
          rejected.map((forged) =>
            builder.deliver(builder.event(), {
              keepAlive: true,
              ...(forged ? { signature: builder.randomHex(64) } : {}),
            }),
          ),
          rejected.map((forged) => (forged ? 'reject-or-acknowledge' : 'accept')),
        ),
      ]
    },
  },
  {
    id: 'T7',
    title: '50 simultaneous requests',
    level: 'SHOULD',
    basis: null,
    expected: 'No server error',
    why: 'A full restaurant places many orders in one minute. A handler that runs out of database connections loses them.',
    fix: 'respond-fast',
    load: true,
    variants: (builder) => {
      const types = eventTypes.map(({ type }) => type)
      return [
        variant(
          'mixed types',
          [
            Array.from({ length: simultaneousRequests }, (_, index) =>
              builder.deliver(builder.event(types[index % types.length])),
            ),
          ],
          'no-server-error',
        ),
      ]
    },
  },
  {
    id: 'T8',
    title: 'Time and redirects of all responses',
    level: 'SHOULD',
    basis: null,
    expected: '95 % of the responses within 5 s, none after 15 s, and no redirect',
    why: 'Senders stop waiting after a few seconds and count the delivery as failed, even if the order was stored. A redirected POST often loses its body.',
    fix: 'respond-fast',
  },
  {
    id: 'T9',
    title: 'Other methods',
    level: 'SHOULD',
    basis: null,
    expected: 'Respond with 404 or 405, without an effect',
    why: 'Every delivery is a POST. A handler that also acts on GET places orders for link previews and crawlers that know its URL.',
    fix: 'method',
    hostile: true,
    variants: (builder) =>
      ['GET', 'PUT'].map((method) =>
        variant(method, [builder.deliver(builder.event(), { method })], 'not-allowed', {
          effects: { exactly: 0 },
        }),
      ),
  },
  {
    id: 'T10',
    title: 'Compression, Expect and charset',
    level: 'INFO',
    basis: null,
    expected: 'Accept or reject, without a server error',
    why: 'The API documentation describes none of these, but proxies add them. A handler that fails on one cannot run behind such a proxy.',
    fix: 'transport',
    variants: (builder) => {
      const compressed = builder.event()
      return [
        variant(
          'gzip',
          [
            builder.deliver(compressed, {
              body: builder.gzip(JSON.stringify(compressed)),
              signed: true,
              headers: (headers): Header[] => [...headers, ['Content-Encoding', 'gzip']],
            }),
          ],
          'no-server-error',
        ),
        variant(
          'Expect: 100-continue',
          [
            builder.deliver(builder.event(), {
              headers: (headers): Header[] => [...headers, ['Expect', '100-continue']],
            }),
          ],
          'no-server-error',
        ),
        variant(
          'charset parameter',
          [builder.deliver(builder.event(), { contentType: 'application/json; charset=utf-8' })],
          'no-server-error',
        ),
      ]
    },
  },
])
