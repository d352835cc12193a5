import { createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { textOf, wireClient } from './wire-client.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { secureServer, tlsFixture } from '#test/support/secure-server.ts'

const trusted = getCACertificates('default')
afterEach(() => setDefaultCACertificates(trusted))

const headers: [string, string][] = [['Host', 'localhost']]

test('a certificate that is trusted, for a name and for an address', async () => {
  await using server = await secureServer()
  setDefaultCACertificates([...trusted, tlsFixture('cert')])
  await using to = wireClient()
  for (const host of ['localhost', '127.0.0.1']) {
    const outcome = await to.send(`https://${host}:${server.port}/`, { headers })
    expect(outcome).toMatchObject({
      error: null,
      tlsVerified: true,
      timings: { connectMs: expect.any(Number), tlsMs: expect.any(Number) },
    })
    expect(textOf(outcome)).toBe('safe')
  }
  expect(server.names).toEqual(['localhost', false])
})

test.each([
  ['self-signed', '', 'its certificate is self-signed', false],
  ['expired', 'expired-', 'its certificate has expired', true],
  ['for another host', 'elsewhere-', 'its certificate is for another host', true],
])(
  'a certificate that is %s is rejected, and accepted without verification',
  async (_, prefix, reason, trust) => {
    await using server = await secureServer(prefix)
    if (trust) setDefaultCACertificates([...trusted, tlsFixture(`${prefix}cert`)])
    await using to = wireClient()
    const url = `https://127.0.0.1:${server.port}/`
    expect(await to.send(url)).toMatchObject({
      response: null,
      tlsVerified: null,
      error: {
        code: 'tls',
        message: expect.stringContaining(
          `No secure connection to 127.0.0.1:${server.port}: ${reason}.`,
        ),
      },
    })
    expect(await to.send(url, { headers }, { verifyTls: false })).toMatchObject({
      response: { status: 200 },
      error: null,
      tlsVerified: false,
    })
  },
)

test('a connection that was opened unverified is never used for verified requests', async () => {
  await using server = await secureServer()
  await using to = wireClient()
  const url = `https://localhost:${server.port}/`
  const kept = { keepAlive: true, verifyTls: false }
  expect((await to.send(url, { headers }, kept)).reused).toBe(false)
  expect(await to.send(url, { headers }, kept)).toMatchObject({ reused: true, tlsVerified: false })
  expect((await to.send(url, { headers }, { keepAlive: true })).error?.code).toBe('tls')
})

test('an https address at a port that does not speak TLS, is silent, or closes', async () => {
  const behaviours: ((socket: Socket) => void)[] = [
    (socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    () => undefined,
    (socket) => socket.end(),
  ]
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    behaviours.shift()?.(socket)
  })
  await using listening = await listenOnLoopback(server)
  await using to = wireClient()
  const url = `https://127.0.0.1:${listening.port}/`
  const send = () => to.send(url, { headers }, { timeout: 500, verifyTls: false })
  const seen = { remoteAddress: `127.0.0.1:${listening.port}`, tlsVerified: null, response: null }
  expect(await send()).toMatchObject({
    ...seen,
    error: {
      code: 'tls',
      message: expect.stringContaining('Check whether the URL should start with http'),
    },
  })
  expect(await send()).toMatchObject({ ...seen, error: { code: 'timeout' } })
  expect(await send()).toMatchObject({ ...seen, error: { code: 'reset' } })
})
