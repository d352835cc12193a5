import { expect, test } from 'vitest'
import { Network } from '#engine/platform/http/network.ts'
import { HttpFailure, type HttpResponse, type HttpRequest } from '#engine/platform/http/http.ts'
import { sendRequest as sendBy } from '#engine/platform/http/request.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { until } from '#test/support/until.ts'

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: [],
  body: null,
  timeout: 10_000,
  maxBytes: 1024 * 1024,
  ...more,
})

const sendRequest = (request: HttpRequest) => sendBy(request, new Network())

const textOf = ({ body }: HttpResponse): string => Buffer.from(body).toString()

async function failureOf(request: HttpRequest): Promise<HttpFailure> {
  const outcome = await sendRequest(request).catch((error: unknown) => error)
  if (outcome instanceof HttpFailure) return outcome
  throw new Error('an answer, not a failure', { cause: outcome })
}

const ok = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('a request is sent unchanged, and its response is returned unchanged', async () => {
  await using server = await rawServer((socket) =>
    socket.end(
      'HTTP/1.1 299 Very Fine\r\nX-One: a\r\nx-one: b\r\nSet-Cookie: s=1\r\nContent-Length: 2\r\n\r\nhi',
    ),
  )
  const answer = await sendRequest(
    get(`${server.origin}/a/b%2Fc?q=%C3%A4&q=2#part`, {
      method: 'POST',
      headers: [
        ['x-ZED', '1'],
        ['Accept', 'a'],
        ['accept', 'b'],
      ],
      body: Buffer.from('ä'),
    }),
  )
  expect(server.received).toEqual([
    `POST /a/b%2Fc?q=%C3%A4&q=2 HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\nContent-Length: 2\r\nx-ZED: 1\r\nAccept: a\r\naccept: b\r\n\r\n${Buffer.from('ä').toString('latin1')}`,
  ])
  expect(answer).toMatchObject({
    status: 299,
    statusText: 'Very Fine',
    httpVersion: '1.1',
    headers: [
      ['X-One', 'a'],
      ['x-one', 'b'],
      ['Set-Cookie', 's=1'],
      ['Content-Length', '2'],
    ],
    bytes: 2,
    truncated: false,
  })
  expect(textOf(answer)).toBe('hi')
})

test('a missing body has a length only if the method requires it; a given Host replaces ours', async () => {
  await using server = await rawServer((socket) => socket.end(ok('')))
  await sendRequest(get(server.origin, { headers: [['Host', 'menu.example']] }))
  await sendRequest(get(server.origin, { method: 'POST' }))
  expect(server.received).toEqual([
    'GET / HTTP/1.1\r\nConnection: close\r\nHost: menu.example\r\n\r\n',
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  ])
})

test('each phase is timed; phases that did not occur are null', async () => {
  await using server = await rawServer((socket) => socket.end(ok('x')))
  const { timings } = await sendRequest(get(server.origin))
  expect(timings).toEqual({
    dnsMs: null,
    connectMs: expect.any(Number),
    tlsMs: null,
    firstByteMs: expect.any(Number),
    totalMs: expect.any(Number),
  })
  expect(timings.totalMs).toBeGreaterThanOrEqual(
    (timings.connectMs ?? 0) + (timings.firstByteMs ?? 0),
  )
  // Known without DNS.
  const named = await sendRequest(get(`http://localhost:${server.port}`))
  expect(named.timings.dnsMs).toBeNull()
})

test('localhost and all names below it resolve to this machine, whatever a name server returns', async () => {
  await using server = await rawServer((socket) => socket.end(ok('here')))
  for (const host of [
    'localhost',
    'menu-abcd.localhost',
    'a.b.localhost',
    'LOCALHOST',
    'menu.localhost.',
  ]) {
    const answer = await sendRequest(get(`http://${host}:${server.port}/`))
    expect(textOf(answer), host).toBe('here')
    expect(server.received.at(-1)).toContain(`\r\nHost: ${host.toLowerCase()}:${server.port}\r\n`)
  }
  expect((await failureOf(get(`http://mylocalhost.invalid:${server.port}`))).code).toBe(
    'unresolved',
  )
})

test('bytes over the limit are counted, but not kept', async () => {
  await using server = await rawServer((socket) => socket.end(ok('x'.repeat(3000))))
  const answer = await sendRequest(get(server.origin, { maxBytes: 1000 }))
  expect(answer).toMatchObject({ bytes: 3000, truncated: true })
  expect(answer.body.byteLength).toBe(1000)
})

test('an endless response is truncated', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const more = (): void => {
      while (socket.writable && socket.write('x'.repeat(4096))) continue
    }
    socket.on('drain', more)
    more()
  })
  const answer = await sendRequest(get(server.origin, { maxBytes: 10_000 }))
  expect(answer.truncated).toBe(true)
  expect(answer.bytes).toBeGreaterThan(40_000)
  expect(answer.body.byteLength).toBe(10_000)
})

test.each([
  [
    'its length is not reached',
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    'reset',
    'half',
  ],
  [
    'its chunks do not end',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    'reset',
    'half',
  ],
  [
    'its chunks are garbage',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n7\r\n of all\r\nzz\r\n',
    'malformed',
    'half of all',
  ],
])(
  'a broken response is a failure that keeps what was received: %s',
  async (_, bytes, code, kept) => {
    await using server = await rawServer((socket) => socket.end(bytes))
    const failure = await failureOf(get(`${server.origin}/?secret=in-the-query`))
    expect(failure.code).toBe(code)
    expect(failure.message).not.toContain('in-the-query')
    expect(failure.partial?.status).toBe(200)
    expect(failure.partial && textOf(failure.partial)).toBe(kept)
  },
)

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', 'malformed'],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
    'malformed',
  ],
  ['an endless header', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`, 'malformed'],
  ['nothing', '', 'reset'],
  ['half a head', 'HTTP/1.1 200 OK\r\nX-H', 'reset'],
])('a response that is %s is reported as such', async (_, bytes, code) => {
  await using server = await rawServer((socket) => socket.end(bytes))
  const failure = await failureOf(get(server.origin))
  expect([failure.code, failure.partial]).toEqual([code, null])
  expect(failure.message).toContain(`127.0.0.1:${server.port}`)
})

test('a connection that is reset is reported as such', async () => {
  await using server = await rawServer((socket) => socket.resetAndDestroy())
  const failure = await failureOf(get(server.origin))
  expect([failure.code, failure.message]).toEqual([
    'reset',
    `127.0.0.1:${server.port} closed the connection before it responded.`,
  ])
})

test('a port at which nothing listens is named', async () => {
  const server = await rawServer(() => undefined)
  await server.close()
  const failure = await failureOf(get(`${server.origin}/path?token=hidden`))
  expect([failure.code, failure.message]).toEqual([
    'refused',
    `Nothing listens at 127.0.0.1:${server.port}.`,
  ])
})

test('a name that does not resolve is named', async () => {
  const failure = await failureOf(get('http://no-such-name.invalid/'))
  expect(failure.code).toBe('unresolved')
  expect(failure.message).toContain('no-such-name.invalid')
})

test('one timeout covers the complete request, before and during the response', async () => {
  await using silent = await rawServer(() => undefined)
  const before = await failureOf(get(silent.origin, { timeout: 50 }))
  expect([before.code, before.message]).toEqual([
    'timeout',
    `127.0.0.1:${silent.port} did not respond within 50 ms.`,
  ])
  await using slow = await rawServer((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome'),
  )
  const within = await failureOf(get(slow.origin, { timeout: 200 }))
  expect(within.code).toBe('timeout')
  expect(within.partial && textOf(within.partial)).toBe('some')
})

test('a request can be canceled before it is sent and while it waits', async () => {
  await using server = await rawServer(() => undefined)
  const early = await failureOf(get(server.origin, { signal: AbortSignal.abort() }))
  expect(early.code).toBe('aborted')
  expect(server.received).toEqual([])
  const cancel = new AbortController()
  const waiting = failureOf(get(server.origin, { signal: cancel.signal }))
  await until('the request', () => server.received.length > 0)
  cancel.abort()
  expect((await waiting).code).toBe('aborted')
})

test.each<[string, Partial<HttpRequest>]>([
  ['ftp', { url: new URL('ftp://127.0.0.1/') }],
  ['user name', { url: new URL('http://user@127.0.0.1/') }],
  ['method', { method: 'GE T' }],
  ['tunnel', { method: 'CONNECT' }],
  ['valid header name', { headers: [['a b', 'c']] }],
  ['cannot be sent', { headers: [['X-Note', 'secret-value\r\nX-Other: 1']] }],
  ['cannot be sent', { headers: [['X-Note', 'secret-value 世']] }],
  ['length', { headers: [['Content-Length', '7']], method: 'POST', body: Buffer.from('x') }],
  ['Remove the header', { headers: [['Transfer-Encoding', 'chunked']] }],
])('an invalid request is rejected with a message: %s', async (word, more) => {
  await using server = await rawServer((socket) => socket.end(ok('')))
  const failure = await failureOf(get(server.origin, more))
  expect(failure.code).toBe('invalid_request')
  expect(failure.message).toContain(word)
  expect(failure.message).not.toContain('secret-value')
  expect(server.received).toEqual([])
})
