import { expect, test } from 'vitest'
import { until } from '#test/support/until.ts'
import { keepAliveServer } from './keep-alive-server.ts'
import { ok, textOf, wireClient } from './wire-client.ts'

const keepAlive = true

test('a connection is reused, and phases that did not occur are not timed', async () => {
  await using server = await keepAliveServer((socket, count) => socket.write(ok(`number ${count}`)))
  await using to = wireClient()
  const first = await to.send(server.origin, {}, { keepAlive })
  expect(first).toMatchObject({
    reused: false,
    remoteAddress: `127.0.0.1:${server.port}`,
    tlsVerified: null,
    timings: {
      dnsMs: null,
      connectMs: expect.any(Number),
      tlsMs: null,
      firstByteMs: expect.any(Number),
      totalMs: expect.any(Number),
    },
  })
  const second = await to.send(server.origin, {}, { keepAlive })
  expect(second).toMatchObject({
    reused: true,
    remoteAddress: `127.0.0.1:${server.port}`,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number) },
  })
  expect(textOf(second)).toBe('number 2')
  expect(server.counts).toEqual([2])
})

test('as many connections as simultaneous requests; different kinds share none', async () => {
  await using server = await keepAliveServer((socket) => socket.write(ok('')))
  await using to = wireClient()
  const send = () => to.send(server.origin, {}, { keepAlive })
  await Promise.all([send(), send(), send()])
  await Promise.all([send(), send(), send()])
  expect(server.counts).toEqual([2, 2, 2])
  await to.send(server.origin, {}, { keepAlive, own: 'forward' })
  await to.send(server.origin, {}, { keepAlive, publicAllowed: true })
  await to.send(server.origin, {}, { keepAlive, verifyTls: false })
  expect(server.counts).toEqual([2, 2, 2, 1, 1, 1])
})

test('its own connection is closed after the response, even if the request does not ask for it', async () => {
  await using server = await keepAliveServer((socket) => socket.write(ok('')))
  await using to = wireClient()
  await to.send(server.origin)
  await until('its end', () => server.open.size === 0)
  await to.send(server.origin)
  expect(server.counts).toEqual([1, 1])
})

test('not used again when the response says so', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  await using server = await keepAliveServer((socket) => socket.write(answer))
  await using to = wireClient()
  await to.send(server.origin, {}, { keepAlive })
  await until('its end', () => server.open.size === 0)
  expect(await to.send(server.origin, {}, { keepAlive })).toMatchObject({ reused: false })
})

test('not reused when the request says so', async () => {
  await using server = await keepAliveServer((socket) => socket.write(ok('')))
  await using to = wireClient()
  await to.send(server.origin, { headers: [['connection', 'Close']] }, { keepAlive })
  await until('its end', () => server.open.size === 0)
})

test('closed after 2 s without use, or sooner when the server asks for it', async () => {
  await using server = await keepAliveServer((socket, count) =>
    socket.write(
      count === 1
        ? ok('')
        : 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 0\r\n\r\n',
    ),
  )
  await using to = wireClient()
  const send = () => to.send(server.origin, {}, { keepAlive })
  const began = performance.now()
  await Promise.all([send(), send()])
  await send()
  expect(new Set(server.counts)).toEqual(new Set([1, 2]))
  await until('one end', () => server.open.size <= 1)
  await until('both ends', () => server.open.size === 0)
  // Not earlier.
  expect(performance.now() - began).toBeGreaterThanOrEqual(2000)
})

test('a connection that the server closed while it was idle is not used', async () => {
  await using server = await keepAliveServer((socket) => socket.write(ok('')))
  await using to = wireClient()
  for (const end of ['end', 'resetAndDestroy', 'write'] as const) {
    await to.send(server.origin, {}, { keepAlive })
    const [socket] = server.open
    if (end === 'write') socket?.write(ok('nobody asked'))
    else socket?.[end]()
    await until('its end', () => server.open.size === 0)
    const again = await to.send(server.origin, {}, { keepAlive })
    expect(again).toMatchObject({ error: null, reused: false })
    server.open.values().next().value?.destroy()
    await until('its end', () => server.open.size === 0)
  }
})

test.each(['resetAndDestroy', 'end'] as const)(
  'a reused connection that fails without a response (%s) is not retried, and reports that it was reused',
  async (fail) => {
    await using server = await keepAliveServer((socket, count) => {
      if (count === 1) socket.write(ok(''))
      else socket[fail]()
    })
    await using to = wireClient()
    await to.send(server.origin, {}, { keepAlive })
    expect(await to.send(server.origin, {}, { keepAlive })).toMatchObject({
      response: null,
      reused: true,
      error: {
        code: 'reset',
        message: expect.stringMatching(
          /closed a reused connection .* check there before you send it again/,
        ),
      },
    })
    expect(server.counts).toEqual([2])
  },
)
