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

type Expected = Partial<Omit<ReturnType<typeof read>, 'answer'>> & {
  answer?: object | null
}

type Case = readonly [
  what: string,
  text: string,
  expected: Expected,
  options?: Parameters<typeof read>[1],
]

const answers: readonly Case[] = [
  [
    'a length',
    'HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:2\r\nContent-Length: 5\r\n\r\nhel\r\n',
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
  [
    'a length that is not reached',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel',
    { whole: false },
    { ends: true },
  ],
  [
    'a length twice',
    'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nhi',
    { whole: true, answer: { body: 'hi' } },
  ],
  [
    'two lengths that differ',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi',
    { fault: 'HPE_INVALID_CONTENT_LENGTH', answer: null },
  ],
  [
    'a length that is none',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    { fault: 'HPE_INVALID_CONTENT_LENGTH' },
  ],
  [
    'chunks, extensions and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nabc\r\n0A \r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n',
    { whole: true, keep: Infinity, answer: { body: 'abc0123456789', bytes: 13 } },
  ],
  [
    'chunks without an end',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n',
    { whole: false, answer: { body: 'abc' } },
    { ends: true },
  ],
  [
    'a chunk of no size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n',
    { fault: 'HPE_INVALID_CHUNK_SIZE', answer: { body: 'abc' } },
  ],
  [
    'a chunk longer than it says',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n',
    { fault: 'HPE_STRICT' },
  ],
  [
    'a trailer that is none',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nno field\r\n\r\n',
    { fault: 'HPE_INVALID_HEADER_TOKEN' },
  ],
  [
    'chunks and a length: the chunks count, and the connection is not kept',
    'HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    { whole: true, keep: 0, answer: { body: 'a' } },
  ],
  [
    'until the end',
    'HTTP/1.1 200 OK\r\n\r\nall of it',
    { whole: true, keep: 0, answer: { body: 'all of it' } },
    { ends: true },
  ],
  ['until the end, which has not come', 'HTTP/1.1 200 OK\r\n\r\nall of it', { whole: false }],
  [
    'a coding that is not chunked',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nzip',
    { whole: true, answer: { body: 'zip' } },
    { ends: true },
  ],
  ['204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', { whole: true, keep: Infinity }],
  ['304', 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n', { whole: true }],
  [
    'HEAD',
    'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n',
    { whole: true, keep: Infinity },
    { method: 'HEAD' },
  ],
  [
    '101',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nwhatever',
    { whole: true, keep: 0, answer: { status: 101, body: '' } },
  ],
  [
    'interim answers',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n',
    { whole: true, interim: 2, keep: Infinity, answer: { status: 201, statusText: 'Created' } },
  ],
  [
    'garbage behind the answer',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n',
    { whole: true, keep: 0, answer: { body: 'hi' } },
  ],
  [
    'garbage behind chunks',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n!',
    { whole: true, keep: 0 },
  ],
  [
    'more than is kept',
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789',
    { whole: true, answer: { body: '0123', bytes: 10 } },
    { maxBytes: 4 },
  ],
  [
    'Connection: close',
    'HTTP/1.1 200 OK\r\nConnection: X, Close\r\nContent-Length: 0\r\n\r\n',
    { whole: true, keep: 0 },
  ],
  [
    'HTTP/1.0',
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    { whole: true, keep: 0, answer: { httpVersion: '1.0' } },
  ],
  [
    'Keep-Alive',
    'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=10\r\nContent-Length: 0\r\n\r\n',
    { keep: 4000 },
  ],
  [
    'Keep-Alive for no time',
    'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n',
    { keep: 0 },
  ],
  [
    'lines that end in LF',
    'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi',
    { whole: true, answer: { body: 'hi' } },
  ],
  [
    'no words behind the status',
    'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n',
    { answer: { statusText: '' } },
  ],
  [
    'Latin-1',
    'HTTP/1.1 200 \xc7a va\r\nX: caf\xe9\r\nContent-Length: 1\r\n\r\n\xff',
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
    'HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nContent-Length: 0\r\n\r\n',
    {
      answer: {
        headers: [
          ['X', 'a b'],
          ['Content-Length', '0'],
        ],
      },
    },
  ],
  [
    'a line that is no header',
    'HTTP/1.1 200 OK\r\nno header\r\n\r\n',
    { fault: 'HPE_INVALID_HEADER_TOKEN', answer: null },
  ],
  [
    'two carriage returns at the end of the last line',
    'HTTP/1.1 200 OK\r\nX: a\r\r\n\r\n',
    { fault: 'HPE_INVALID_HEADER_TOKEN' },
  ],
  [
    'a blank before the colon',
    'HTTP/1.1 200 OK\r\nX : a\r\n\r\n',
    { fault: 'HPE_INVALID_HEADER_TOKEN' },
  ],
  ['a NUL in a value', 'HTTP/1.1 200 OK\r\nX: \0\r\n\r\n', { fault: 'HPE_INVALID_HEADER_TOKEN' }],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', { fault: 'HPE_INVALID_CONSTANT', answer: null }],
  ['the beginning of another protocol', '220', { fault: 'HPE_INVALID_CONSTANT' }],
  ['a status that is none', 'HTTP/1.1 OK\r\nX: a', { fault: 'HPE_INVALID_CONSTANT' }],
  ['a version that is none', 'HTTP/1.7 200 OK\r\n', { fault: 'HPE_INVALID_VERSION' }],
  [
    'half a head',
    'HTTP/1.1 200 OK\r\nX: a\r\n',
    { fault: null, whole: false, answer: null },
    { ends: true },
  ],
]

describe.each(answers.map((one) => ({ one, what: one[0] })))('$what', ({ one }) => {
  const [, text, expected, options] = one
  const bytes = Buffer.from(text, 'latin1')

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
  for (const packets of [[endless], pieces, [ended]]) {
    expect(read(packets).fault).toBe('HPE_HEADER_OVERFLOW')
  }
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
