import { expect, test } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { until } from '#test/support/until.ts'
import { MiB, ok, textOf, wireClient } from './wire-client.ts'

test('nothing listens', async () => {
  const port = await freePort()
  await using to = wireClient()
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await to.send(`http://${host}:${port}/`)).toMatchObject({
      response: null,
      remoteAddress: null,
      error: {
        code: 'refused',
        message: `Nothing listens at ${host}:${port}. Start your handler, or change the target.`,
      },
    })
  }
})

test('a name that does not resolve', async () => {
  await using to = wireClient()
  expect(await to.send('http://name.invalid/')).toMatchObject({
    response: null,
    error: { code: 'unresolved', message: expect.stringContaining('name.invalid') },
  })
})

test('reset, or ended, before the response', async () => {
  await using resets = await rawServer((socket) => socket.resetAndDestroy())
  await using ends = await rawServer((socket) => socket.end())
  await using to = wireClient()
  for (const { origin, port } of [resets, ends]) {
    expect(await to.send(origin, {}, { keepAlive: true })).toMatchObject({
      response: null,
      remoteAddress: `127.0.0.1:${port}`,
      error: {
        code: 'reset',
        message: `127.0.0.1:${port} closed the connection before it responded.`,
      },
    })
  }
})

test.each([
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
])('closed in the middle of a response with %s: the received part is kept', async (_, half) => {
  await using server = await rawServer((socket) => socket.end(half))
  await using to = wireClient()
  const outcome = await to.send(server.origin)
  expect(outcome).toMatchObject({
    response: { status: 200, bytes: 4 },
    error: {
      code: 'reset',
      message: `127.0.0.1:${server.port} closed the connection in the middle of its response.`,
    },
  })
  expect(textOf(outcome)).toBe('half')
})

test('hangs: before the response, and in the middle of it', async () => {
  await using silent = await rawServer(() => undefined)
  await using half = await rawServer((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha'),
  )
  await using to = wireClient()
  expect(await to.send(silent.origin, {}, { timeout: 200 })).toMatchObject({
    response: null,
    error: { code: 'timeout', message: `127.0.0.1:${silent.port} did not respond within 200 ms.` },
    timings: { connectMs: expect.any(Number), firstByteMs: null },
  })
  expect(await to.send(half.origin, {}, { timeout: 1000 })).toMatchObject({
    response: { status: 200, bytes: 2 },
    error: {
      code: 'timeout',
      message: `The response of 127.0.0.1:${half.port} was not complete after 1 s.`,
    },
  })
})

test('requests that hang end at their own timeouts, regardless of their order', async () => {
  await using server = await rawServer(() => undefined)
  await using to = wireClient()
  const long = to.send(server.origin, {}, { timeout: 60_000 })
  for (const timeout of [100, 50])
    expect((await to.send(server.origin, {}, { timeout })).error?.code).toBe('timeout')
  await to.wire.close()
  expect((await long).error?.code).toBe('aborted')
})

test('endless headers', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    socket.write('X-Again: 0123456789\r\n'.repeat(20_000))
  })
  await using to = wireClient()
  expect((await to.send(server.origin)).error).toEqual({
    code: 'malformed',
    message: `The response headers of 127.0.0.1:${server.port} are larger than 256 KiB.`,
  })
})

test('of a 100 MiB response, 1 MiB is stored, 8 MiB are counted, and the connection is closed', async () => {
  const piece = Buffer.alloc(MiB, 'x')
  let written = 0
  let cut = false
  await using server = await rawServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${100 * MiB}\r\n\r\n`)
    socket.on('close', () => (cut = true))
    const more = (): void => {
      while (written < 100 && !socket.destroyed) {
        written++
        if (!socket.write(piece)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  })
  await using to = wireClient()
  const { response, error } = await to.send(server.origin, {}, { keepAlive: true })
  expect(error).toBeNull()
  expect(response?.body.byteLength).toBe(MiB)
  expect(response?.body.buffer.byteLength).toBe(MiB)
  expect(response?.bytes).toBeGreaterThan(8 * MiB)
  expect(response?.bytes).toBeLessThan(9 * MiB)
  await until('the cut', () => cut)
  expect(written).toBeLessThan(50)
})

test('a response that is received before the request is sent completely', async () => {
  await using server = await rawServer((socket) => {
    socket.pause()
    socket.write(ok('too large'))
  })
  await using to = wireClient()
  const outcome = await to.send(
    server.origin,
    {
      method: 'POST',
      headers: [['Content-Length', String(20 * MiB)]],
      body: new Uint8Array(20 * MiB),
    },
    { keepAlive: true },
  )
  expect(textOf(outcome)).toBe('too large')
})

test('aborted: before, while it waits for the response, and in the middle of it', async () => {
  let closed = 0
  await using server = await rawServer((socket, head) => {
    socket.on('close', () => closed++)
    if (head.startsWith('PUT')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha')
  })
  await using to = wireClient()
  const cancelled = { code: 'aborted', message: 'The request was cancelled.' }
  const before = await to.send(server.origin, {}, { signal: AbortSignal.abort() })
  expect(before).toMatchObject({ response: null, error: cancelled, remoteAddress: null })
  expect(server.received).toEqual([])

  const controller = new AbortController()
  const outcomes = Promise.all(
    ['GET', 'PUT'].map((method) =>
      to.send(server.origin, { method }, { signal: controller.signal }),
    ),
  )
  await until('both requests', () => server.received.join().split('HTTP/1.1').length === 3)
  controller.abort()
  expect((await outcomes).map(({ error }) => error)).toEqual([cancelled, cancelled])
  await until('both connections to be closed', () => closed === 2)
})
