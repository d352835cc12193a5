import { describe, expect, test } from 'vitest'
import { systemCodeOf } from '#shared/text/errors.ts'
import { ResponseReader } from '#engine/sending/wire/response-reader.ts'
import { seeded } from '#test/support/random-json.ts'

/** The result of a response received in these packets, after which the connection closed or not. */
function read(packets: readonly Buffer[], { method = 'GET', ends = false, maxBytes = 1000 } = {}) {
  let interim = 0
  const reader = new ResponseReader(method, maxBytes, () => interim++)
  let fault: string | null = null
  try {
    for (const packet of packets) reader.take(packet)
  } catch (error) {
    fault = systemCodeOf(error)
    if (fault === '') throw error
  }
  if (ends && !fault) reader.ended()
  const answer = reader.response()
  return {
    fault,
    interim,
    whole: reader.whole,
    keep: reader.keep(),
    answer: answer && { ...answer, body: Buffer.from(answer.body).toString('latin1') },
  }
}

/** In two packets cut at each byte, byte by byte, and in random ones. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  for (let at = 1; at < bytes.byteLength; at++) yield [bytes.subarray(0, at), bytes.subarray(at)]
  yield Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  const random = seeded(bytes.byteLength)
  for (let round = 0; round < 20; round++) {
    const packets: Buffer[] = []
    for (let at = 0; at < bytes.byteLength;) {
      const end = at + 1 + Math.floor(random() * 20)
      packets.push(bytes.subarray(at, end))
      at = end
    }
    yield packets
  }
}

type Expected = Partial<Omit<ReturnType<typeof read>, 'answer'>> & { answer?: object | null }

type Case = readonly [
  what: string,
  text: string,
  expected: Expected,
  options?: Parameters<typeof read>[1],
]

const chunks = '|Transfer-Encoding: chunked||'
const ends = { ends: true }
/** The whole response has this body. */
const whole = (body: string, more: Expected = {}): Expected => ({
  whole: true,
  answer: { body },
  ...more,
})
const noField = { fault: 'HPE_INVALID_HEADER_TOKEN' }
const noLength = { fault: 'HPE_INVALID_CONTENT_LENGTH' }
const noStatus = { fault: 'HPE_INVALID_CONSTANT' }

/** In the texts, `|` is the end of a line; before a text that begins with one stands `HTTP/1.1 200 OK`. */
const answers: readonly Case[] = [
  [
    'a length',
    '|X-A: 1|x-a:2|Content-Length: 5||hel|',
    {
      whole: true,
      keep: Infinity,
      answer: {
        status: 200,
        statusText: 'OK',
        httpVersion: '1.1',
        headers: [
          ['X-A', '1'],
          ['x-a', '2'],
          ['Content-Length', '5'],
        ],
        body: 'hel\r\n',
        bytes: 5,
      },
    },
  ],
  ['a length that is not reached', '|Content-Length: 5||hel', { whole: false }, ends],
  ['a length twice', '|Content-Length: 2, 2|Content-Length: 2||hi', whole('hi')],
  [
    'two lengths that differ',
    '|Content-Length: 2|Content-Length: 3||hi',
    { ...noLength, answer: null },
  ],
  ['a length that is none', '|Content-Length: -1||', noLength],
  [
    'chunks, extensions and trailers',
    `${chunks}3;a="b"|abc|0A |0123456789|0|X-Sum: 1||`,
    { whole: true, keep: Infinity, answer: { body: 'abc0123456789', bytes: 13 } },
  ],
  ['chunks without an end', `${chunks}3|abc|`, whole('abc', { whole: false }), ends],
  [
    'a chunk of no size',
    `${chunks}3|abc|zz|`,
    { fault: 'HPE_INVALID_CHUNK_SIZE', answer: { body: 'abc' } },
  ],
  ['a chunk longer than it says', `${chunks}3|abcd|0||`, { fault: 'HPE_STRICT' }],
  ['a trailer that is none', `${chunks}0|no field||`, noField],
  [
    'chunks and a length: the chunks count, and the connection is not kept',
    `|Content-Length: 99${chunks}1|a|0||`,
    whole('a', { keep: 0 }),
  ],
  ['until the end', '||all of it', whole('all of it', { keep: 0 }), ends],
  ['until the end, which has not come', '||all of it', { whole: false }],
  ['a coding that is not chunked', '|Transfer-Encoding: gzip||zip', whole('zip'), ends],
  ['204', 'HTTP/1.1 204 No Content|Content-Length: 5||', { whole: true, keep: Infinity }],
  ['304', `HTTP/1.1 304 Not Modified${chunks}`, { whole: true }],
  ['HEAD', '|Content-Length: 500||', { whole: true, keep: Infinity }, { method: 'HEAD' }],
  [
    '101',
    'HTTP/1.1 101 Switching Protocols|Upgrade: x||whatever',
    { whole: true, keep: 0, answer: { status: 101, body: '' } },
  ],
  [
    'interim answers',
    'HTTP/1.1 100 Continue||HTTP/1.1 103 Early Hints|Link: </a>||HTTP/1.1 201 Created|Content-Length: 0||',
    { whole: true, interim: 2, keep: Infinity, answer: { status: 201, statusText: 'Created' } },
  ],
  ['garbage behind the answer', '|Content-Length: 2||hiHTTP/1.1 200 OK|', whole('hi', { keep: 0 })],
  ['garbage behind chunks', `${chunks}0||!`, { whole: true, keep: 0 }],
  [
    'more than is kept',
    '|Content-Length: 10||0123456789',
    { whole: true, answer: { body: '0123', bytes: 10 } },
    { maxBytes: 4 },
  ],
  ['Connection: close', '|Connection: X, Close|Content-Length: 0||', { whole: true, keep: 0 }],
  [
    'HTTP/1.0',
    'HTTP/1.0 200 OK|Content-Length: 0||',
    { whole: true, keep: 0, answer: { httpVersion: '1.0' } },
  ],
  ['Keep-Alive', '|Keep-Alive: timeout=5, max=10|Content-Length: 0||', { keep: 4000 }],
  ['Keep-Alive for no time', '|Keep-Alive: timeout=0|Content-Length: 0||', { keep: 0 }],
  ['lines that end in LF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi', whole('hi')],
  [
    'no words behind the status',
    'HTTP/1.1 200|Content-Length: 0||',
    { answer: { statusText: '' } },
  ],
  [
    'Latin-1',
    'HTTP/1.1 200 \xc7a va|X: caf\xe9|Content-Length: 1||\xff',
    {
      answer: {
        statusText: '\xc7a va',
        body: '\xff',
        headers: [
          ['X', 'caf\xe9'],
          ['Content-Length', '1'],
        ],
      },
    },
  ],
  [
    'a value over two lines',
    '|X: a|  b|Content-Length: 0||',
    {
      answer: {
        headers: [
          ['X', 'a b'],
          ['Content-Length', '0'],
        ],
      },
    },
  ],
  ['a line that is no header', '|no header||', { ...noField, answer: null }],
  ['two carriage returns at the end of the last line', '|X: a\r||', noField],
  ['a blank before the colon', '|X : a||', noField],
  ['a NUL in a value', '|X: \0||', noField],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6|', { ...noStatus, answer: null }],
  ['the beginning of another protocol', '220', noStatus],
  ['a status that is none', 'HTTP/1.1 OK|X: a', noStatus],
  ['a version that is none', 'HTTP/1.7 200 OK|', { fault: 'HPE_INVALID_VERSION' }],
  ['half a head', '|X: a|', { fault: null, whole: false, answer: null }, ends],
]

const bytesOf = (text: string): Buffer =>
  Buffer.from(text.replace(/^\|/, 'HTTP/1.1 200 OK|').replaceAll('|', '\r\n'), 'latin1')

describe.each(answers.map((one) => ({ one, what: one[0] })))('$what', ({ one }) => {
  const [, text, expected, options] = one
  const bytes = bytesOf(text)

  test('is read', () => {
    expect(read([bytes], options)).toMatchObject(expected)
  })

  test('is read the same however it is cut into packets', () => {
    const whole = read([bytes], options)
    for (const packets of cuts(bytes)) {
      expect(read(packets, options), packets.map(({ byteLength }) => byteLength).join()).toEqual(
        whole,
      )
    }
  })
})

test.each([
  ['a head', 'HTTP/1.1 200 OK\r\n', 'X: a\r\n'],
  ['a line', 'HTTP/1.1 200 OK\r\nX: ', 'a'],
  ['a status line', 'HTTP/1.1 200 ', 'a'],
  ['trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', 'X: a\r\n'],
  ['a trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ', 'a'],
])('%s of more than 256 KiB is refused, with an end and without', (_, before, again) => {
  const endless = Buffer.from(before + again.repeat((262_144 / again.length) * 1.4))
  const pieces = Array.from({ length: Math.ceil(endless.byteLength / 1000) }, (_, at) =>
    endless.subarray(at * 1000, at * 1000 + 1000),
  )
  const ended = Buffer.concat([endless, Buffer.from('\r\n\r\n')])
  for (const packets of [[endless], pieces, [ended]])
    expect(read(packets).fault).toBe('HPE_HEADER_OVERFLOW')
})

test('a head of just under 256 KiB is read', () => {
  const head = `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(262_000)}\r\nContent-Length: 0\r\n\r\n`
  expect(read([Buffer.from(head)])).toMatchObject({ whole: true, fault: null })
})

test('spaces inside a value are read in linear time', () => {
  const value = `a${' '.repeat(260_000)}b`
  const head = `HTTP/1.1 200 OK\r\nX: \t${value} \r\nContent-Length: 0\r\n\r\n`
  expect(read([Buffer.from(head)]).answer?.headers[0]).toEqual(['X', value])
})

test('a body received byte by byte uses memory of its own size', () => {
  const reader = new ResponseReader('GET', 100_000, () => undefined)
  reader.take(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))
  const one = Buffer.from('a')
  for (let at = 0; at < 50_000; at++) reader.take(one)
  const body = reader.response()?.body
  expect(body?.byteLength).toBe(50_000)
  expect(body?.buffer.byteLength).toBe(50_000)
})
