import { expect, test } from 'vitest'
import { rawServer } from '#test/support/raw-server.ts'
import { until } from '#test/support/until.ts'
import { ok, wireClient } from './wire-client.ts'

test('a request is sent byte for byte: order, case, duplicates, Latin-1, nothing added', async () => {
  await using server = await rawServer((socket) => socket.end(ok('')))
  await using to = wireClient()
  const outcome = await to.send(`${server.origin}/hook?a=%C3%A4&a=2#part`, {
    method: 'POST',
    headers: [
      ['x-ZED', '1'],
      ['content-LENGTH', '3'],
      ['HOST', 'menu.example'],
      ['Accept', 'b'],
      ['accept', 'a'],
      ['X-Empty', ''],
      ['X-Spaces', ' two  blanks '],
      ['X-Name', 'Café'],
    ],
    body: Buffer.from([0, 255, 10]),
  })
  expect(outcome).toMatchObject({ error: null, response: { status: 200 }, reused: false })
  expect(server.received).toEqual([
    'POST /hook?a=%C3%A4&a=2 HTTP/1.1\r\nx-ZED: 1\r\ncontent-LENGTH: 3\r\nHOST: menu.example\r\nAccept: b\r\naccept: a\r\nX-Empty: \r\nX-Spaces:  two  blanks \r\nX-Name: Caf\xe9\r\n\r\n\x00\xff\n',
  ])
})

test('the request target is sent unchanged', async () => {
  await using server = await rawServer((socket) => socket.end(ok('')))
  await using to = wireClient()
  for (const target of [`/a/../b?q='"{}|\xe4`, '*']) await to.send(server.origin, { target })
  expect(server.received).toEqual([
    `GET /a/../b?q='"{}|\xe4 HTTP/1.1\r\n\r\n`,
    'GET * HTTP/1.1\r\n\r\n',
  ])
})

test('a chunked body is sent as one chunk with its trailers; an empty one without chunks', async () => {
  await using server = await rawServer((socket) => socket.end(ok('')))
  await using to = wireClient()
  const headers: [string, string][] = [['transfer-encoding', 'Chunked']]
  await to.send(server.origin, {
    method: 'POST',
    headers,
    body: Buffer.from('0123456789abcdef!'),
    trailers: [
      ['X-Sum', '1'],
      ['x-sum', '2'],
    ],
  })
  await to.send(server.origin, { method: 'POST', headers })
  expect(server.received).toEqual([
    'POST / HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n11\r\n0123456789abcdef!\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n',
    'POST / HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n0\r\n\r\n',
  ])
})

test('a large body is sent completely', async () => {
  await using server = await rawServer((socket) => socket.on('data', () => undefined))
  await using to = wireClient()
  const body = Buffer.alloc(3_000_000, 'abc')
  const sending = to.send(server.origin, {
    method: 'POST',
    headers: [['Content-Length', '3000000']],
    body,
  })
  const head = 'POST / HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n'
  await until('all of it', () => server.received[0]?.length === head.length + body.byteLength)
  expect(server.received[0] === head + body.toString('latin1')).toBe(true)
  await to.wire.close()
  expect((await sending).error?.code).toBe('aborted')
})

test('a body with Expect is sent at once, and the interim response is skipped', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    socket.end(ok('got it'))
  })
  await using to = wireClient()
  const { response } = await to.send(server.origin, {
    method: 'POST',
    headers: [
      ['Expect', '100-continue'],
      ['Content-Length', '5'],
    ],
    body: Buffer.from('later'),
  })
  expect(Buffer.from(response?.body ?? []).toString()).toBe('got it')
  expect(server.received[0]).toContain('\r\n\r\nlater')
})

const host: [string, string] = ['Host', 'a']

test.each([
  ['a line break in a value', { headers: [['X-A', 'b\r\nX-C: d']] }, 'X-A'],
  ['a lone line feed', { headers: [['X-A', 'b\nc']] }, 'X-A'],
  ['a NUL', { headers: [['X-A', 'b\0c']] }, 'X-A'],
  ['a value beyond Latin-1', { headers: [['X-A', '€']] }, 'outside Latin-1'],
  ['a name with a blank', { headers: [['X A', 'b']] }, '"X A" is not a valid header name'],
  ['no name', { headers: [['', 'b']] }, 'A header has no name'],
  ['a name with a line break', { headers: [['X\r\nY', 'b']] }, 'is not a valid header name'],
  ['a method of two words', { method: 'GET /' }, 'The method is not a valid HTTP token'],
  ['a target of two words', { target: '/a HTTP/1.1' }, 'The request target is empty'],
  ['a target with a line break', { target: '/a\r\nX:b' }, 'The request target is empty'],
  ['a target beyond Latin-1', { target: '/€' }, 'The request target is empty'],
  ['an empty target', { target: '' }, 'The request target is empty'],
  ['CONNECT', { method: 'connect' }, 'CONNECT opens a tunnel through a proxy'],
  ['too short a length', { headers: [['Content-Length', '2']] }, 'which is 3 bytes'],
  ['a length that is no number', { headers: [['Content-Length', '3.0']] }, 'which is 3 bytes'],
  [
    'two lengths',
    {
      headers: [
        ['Content-Length', '3'],
        ['content-length', '3'],
      ],
    },
    'Content-Length is set twice',
  ],
  [
    'length and chunks',
    {
      headers: [
        ['Content-Length', '3'],
        ['Transfer-Encoding', 'chunked'],
      ],
    },
    'contradict each other',
  ],
  ['a coding without end', { headers: [['Transfer-Encoding', 'gzip']] }, 'end in "chunked"'],
  ['chunks twice', { headers: [['Transfer-Encoding', 'chunked, chunked']] }, 'end in "chunked"'],
  ['a body without a length', { headers: [host] }, 'Add Content-Length: 3.'],
  [
    'trailers behind a length',
    { headers: [['Content-Length', '3']], trailers: [['X-A', 'b']] },
    'Trailers require a chunked body',
  ],
  [
    'a trailer with a line break',
    { headers: [['Transfer-Encoding', 'chunked']], trailers: [['X-A', 'b\r\n']] },
    'X-A',
  ],
] satisfies [string, Parameters<ReturnType<typeof wireClient>['send']>[1], string][])(
  'refused before anything is written: %s',
  async (_, request, words) => {
    await using server = await rawServer((socket) => socket.end(ok('')))
    await using to = wireClient()
    const outcome = await to.send(server.origin, {
      method: 'POST',
      headers: [],
      body: Buffer.from('abc'),
      ...request,
    })
    expect(outcome).toMatchObject({
      response: null,
      remoteAddress: null,
      error: { code: 'invalid_request', message: expect.stringContaining(words) },
    })
    expect(server.received).toEqual([])
  },
)

test.each([
  ['ftp://127.0.0.1/', 'starts with "ftp:"'],
  ['file:///etc/hosts', 'starts with "file:"'],
  ['http://ada:secret-word@127.0.0.1/', 'a user name or password'],
])('refused before anything is connected: %s', async (url, words) => {
  await using to = wireClient()
  const { error } = await to.send(url)
  expect(error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(words) })
  expect(error?.message).not.toContain('secret-word')
})
