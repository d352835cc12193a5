import { expect, test } from 'vitest'
import { openCapture, passThrough, responseRule, withStatus } from '#test/support/capture-thread.ts'
import { ask, rawClient, type RawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const minutes = 120_000
/** Timeout for idle connections and slow heads in the tests of these limits, in milliseconds. */
const short = { headMs: 200, idleMs: 200 }

/** The limits for idle connections have passed: a connection to the listener that sent nothing was closed. */
async function limitsPassed(listenerPort: number): Promise<void> {
  await using silent = await rawClient(listenerPort)
  await silent.closed()
}

async function deliver(port: number, bytes: Uint8Array): Promise<number> {
  return (await ask(port, bytes)).status
}

test('deliveries at the tunnel listener are marked and processed normally, also on connections that were already open', async () => {
  await using tab = await openCapture()
  const { api } = tab.capture
  const [tunnelPort, again] = await Promise.all([
    api.call('openTunnelListener'),
    api.call('openTunnelListener'),
  ])
  expect(again).toBe(tunnelPort)
  expect(tunnelPort).not.toBe(tab.port)
  expect(await deliver(tunnelPort, post(tab.path, goodBody))).toBe(200)
  expect(await deliver(tab.port, post(tab.path, goodBody))).toBe(200)
  expect(await api.call('openTunnelListener')).toBe(tunnelPort)
  const [first, second] = tab.captured()
  expect([first?.via, second?.via]).toEqual(['tunnel', null])
  expect(first?.bytes).toBe(goodBody.byteLength)
})

test('ports of our own sender are ignored there, since a tunnel may use the same port', async () => {
  await using tab = await openCapture()
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  await using client = await rawClient(tunnelPort)
  tab.ownPorts.mark(client.socket.localPort ?? 0, 'forward')
  await client.send(post(tab.path, goodBody))
  await client.answer()
  expect(tab.captured()).toMatchObject([{ sentBy: null, via: 'tunnel' }])
})

test('idle connections stay open there, before their first request and between two, and nothing is written into them', async () => {
  await using tab = await openCapture(short)
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  await using silent = await rawClient(tunnelPort)
  await using used = await rawClient(tunnelPort)
  let bytes = 0
  silent.socket.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
  })
  await used.send(post(tab.path, goodBody))
  await used.answer()
  await limitsPassed(tab.port)
  await limitsPassed(tab.port)
  expect([silent.isClosed, used.isClosed, bytes]).toEqual([false, false, 0])
  await silent.send(post(tab.path, goodBody))
  await used.send(post(tab.path, goodBody))
  expect((await silent.answers(1)).map(({ status }) => status)).toEqual([200])
  const answers = await used.answers(2)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers.map(({ headers }) => headers.get('keep-alive'))).toEqual([undefined, undefined])
  await limitsPassed(tab.port)
  await silent.send(post(tab.path, goodBody))
  expect(await silent.answers(2)).toHaveLength(2)
  expect(tab.captured()).toHaveLength(4)
})

test('a request head that was started has its time limit, however long the connection was idle before', async () => {
  await using tab = await openCapture(short)
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  await using late = await rawClient(tunnelPort)
  await limitsPassed(tab.port)
  await limitsPassed(tab.port)
  await using early = await rawClient(tunnelPort)
  const half = 'POST /hooks/sandbox HTTP/1.1\r\nX-Ha'
  for (const client of [late, early]) await client.send(half)
  for (const client of [late, early]) {
    expect(await client.answer()).toMatchObject({ status: 408 })
    await client.closed()
  }
  const slow = {
    via: 'tunnel',
    reason: expect.stringContaining(
      `${half.length} bytes of an incomplete request head were received.`,
    ),
  }
  await until('both captured', () => tab.captured().length === 2)
  expect(tab.captured()).toMatchObject([slow, slow])
})

const breaks: readonly [what: string, bytes: (path: string) => Uint8Array | string][] = [
  ['half a head', (path) => `POST ${path} HTTP/1.1\r\nX-Ha`],
  [
    'half a body',
    (path) =>
      Buffer.concat([
        head(`POST ${path} HTTP/1.1`, ['Host: a', 'Content-Length: 400']),
        goodBody.subarray(0, 40),
      ]),
  ],
]
test.for(breaks)(
  '%s that comes after a long silence, then the end of the connection: recorded',
  async ([, bytes]) => {
    await using tab = await openCapture(short)
    const { api } = tab.capture
    const tunnelPort = await api.call('openTunnelListener')
    await using client = await rawClient(tunnelPort)
    await limitsPassed(tab.port)
    await limitsPassed(tab.port)
    await client.send(bytes(tab.path))
    // Read before the response to later requests.
    await deliver(tunnelPort, post(tab.path, goodBody))
    const last = await api.call('lastTunnelRequestAt')
    client.reset()
    await until('both captured', () => tab.captured().length === 2)
    const cut = { via: 'tunnel', status: null, arrival: 'cut_off' }
    expect(tab.captured()[1]).toMatchObject(cut)
    // A closed connection does not prove that the tunnel works.
    expect(await api.call('lastTunnelRequestAt')).toBe(last)
  },
)

test('the time of the last request through the tunnel listener is known, and nothing else counts', async () => {
  await using tab = await openCapture()
  const { api } = tab.capture
  const tunnelPort = await api.call('openTunnelListener')
  await deliver(tab.port, post(tab.path, goodBody))
  expect(await api.call('lastTunnelRequestAt')).toBe(0)
  const before = Date.now()
  await deliver(tunnelPort, post(tab.path, goodBody))
  const last = await api.call('lastTunnelRequestAt')
  expect(last).toBeGreaterThanOrEqual(before)
  expect(last).toBeLessThanOrEqual(Date.now())
  await api.call('closeTunnelListener')
  expect(await api.call('lastTunnelRequestAt')).toBe(last)
})

test('nothing but endpoints can be reached there: all else is a recorded 404', async () => {
  await using tab = await openCapture()
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  const lines = [
    'GET /',
    'GET /index.html',
    'GET /hooks',
    'GET /hooks/',
    'POST /hooks/none',
    'POST /hooks/sandbox/',
    'POST /hooks/sandbox/../../api',
    'POST /hooks/%73andbox',
    'POST //hooks/sandbox',
    'GET /api/snapshot',
    'GET /assets/index.js',
    `GET http://127.0.0.1:${tab.port}/`,
    'OPTIONS *',
    'TRACE /',
    'CONNECT 127.0.0.1:22',
  ]
  for (const line of lines) {
    expect(await deliver(tunnelPort, head(`${line} HTTP/1.1`, ['Host: a'])), line).toBe(404)
  }
  const recorded = tab.captured()
  expect(recorded.map(({ method, path }) => `${method} ${path}`)).toEqual(lines)
  for (const one of recorded) expect(one).toMatchObject({ via: 'tunnel', status: 404 })
})

test('a WebSocket is not opened there', async () => {
  await using tab = await openCapture()
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  const upgrade = ['Host: a', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a']
  expect(await deliver(tunnelPort, head('GET /ws HTTP/1.1', upgrade))).toBe(404)
  expect(tab.captured()).toMatchObject([{ via: 'tunnel', status: 404 }])
})

async function begin(client: RawClient, bytes: Buffer): Promise<Buffer> {
  await client.send(bytes.subarray(0, -10))
  return bytes.subarray(-10)
}

test('closed, it finishes requests in flight, closes idle connections, and accepts no more; the main listener keeps running', async () => {
  await using tab = await openCapture()
  const { api } = tab.capture
  await tab.setRules(
    [responseRule({ type: 'SLOW', delayMs: minutes, response: withStatus(202) })],
    [passThrough({ types: ['PASS'] })],
  )
  const ofType = (type: string) => post(tab.path, JSON.stringify({ type, data: {} }))
  const tunnelPort = await api.call('openTunnelListener')
  await using idle = await rawClient(tunnelPort)
  await using slow = await rawClient(tunnelPort)
  await slow.send(ofType('SLOW'))
  await using elsewhere = await rawClient(tab.port)
  await elsewhere.send(ofType('SLOW'))
  await until('both captured', () => tab.captured().length === 2)
  await using half = await rawClient(tunnelPort)
  const rest = await begin(half, post(tab.path, goodBody))
  // The thread has accepted all of these connections.
  await deliver(tunnelPort, post(tab.path, goodBody))
  expect(await api.call('tunnelConnectionsWaiting')).toBe(1)
  const closed = api.call('closeTunnelListener')
  expect((await slow.answer()).status).toBe(202)
  await half.send(rest)
  const answer = await half.answer()
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  await closed
  expect(await api.call('tunnelConnectionsWaiting')).toBe(0)
  await idle.closed()
  expect(await idle.answers(0)).toEqual([])
  await expect(rawClient(tunnelPort)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(await deliver(tab.port, post(tab.path, goodBody))).toBe(200)
  // Only requests through the tunnel listener are limited in time.
  expect(await elsewhere.answers(0)).toEqual([])
  // Closing it again has no effect. Reopening creates another listener.
  await api.call('closeTunnelListener')
  expect(await deliver(await api.call('openTunnelListener'), post(tab.path, goodBody))).toBe(200)
})

test('both listeners share one limit for bodies in memory', async () => {
  await using tab = await openCapture({ heldBytes: 100_000 })
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  const announce = (bytes: number): Buffer =>
    head(`POST ${tab.path} HTTP/1.1`, ['Host: a', `Content-Length: ${bytes}`])
  await using first = await rawClient(tab.port)
  await first.send(Buffer.concat([announce(20_010), Buffer.alloc(20_000)]))
  await deliver(tab.port, head('GET / HTTP/1.1', ['Host: a']))
  expect(
    (await ask(tunnelPort, Buffer.concat([announce(95_000), Buffer.alloc(90_000)]))).status,
  ).toBe(503)
  await first.send(Buffer.alloc(10))
  expect((await first.answer()).status).toBe(200)
})

test('when the listener moves to another port, the tunnel listener keeps its port and connections', async () => {
  await using tab = await openCapture()
  const { api } = tab.capture
  const tunnelPort = await api.call('openTunnelListener')
  await using client = await rawClient(tunnelPort)
  await client.send(post(tab.path, goodBody))
  await client.answers(1)
  const moved = await api.call('listen', 0)
  expect(moved).not.toBe(tab.port)
  await until('the old port to be let go', async () => {
    const refused = await rawClient(tab.port).catch(() => null)
    await refused?.[Symbol.asyncDispose]()
    return refused === null
  })
  await client.send(post(tab.path, goodBody))
  const answers = await client.answers(2)
  expect(answers.map(({ headers }) => headers.get('connection'))).toEqual([
    'keep-alive',
    'keep-alive',
  ])
  expect(await api.call('openTunnelListener')).toBe(tunnelPort)
})

test('the end of the thread closes it, and pending requests are captured', async () => {
  await using tab = await openCapture()
  const tunnelPort = await tab.capture.api.call('openTunnelListener')
  await using client = await rawClient(tunnelPort)
  const rest = await begin(client, post(tab.path, goodBody))
  await using idle = await rawClient(tunnelPort)
  // The thread has accepted both connections.
  await deliver(tunnelPort, post(tab.path, goodBody))
  const closed = tab.capture.close()
  await client.send(rest)
  expect((await client.answer()).status).toBe(200)
  await closed
  await idle.closed()
  expect(tab.captured()).toMatchObject([
    { via: 'tunnel', status: 200 },
    { via: 'tunnel', status: 200 },
  ])
})

test('it is closed even if it is closed while it is being opened', async () => {
  await using tab = await openCapture()
  const { api } = tab.capture
  const opening = api.call('openTunnelListener')
  await Promise.all([opening, api.call('closeTunnelListener')])
  const tunnelPort = await opening
  await expect(rawClient(tunnelPort)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
