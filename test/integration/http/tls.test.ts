import { createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { Network } from '#engine/platform/http/network.ts'
import { sendRequest } from '#engine/platform/http/request.ts'
import { listenOnLoopback } from '#test/support/listen.ts'
import { secureServer, tlsFixture } from '#test/support/secure-server.ts'

const trusted = getCACertificates('default')
afterEach(() => setDefaultCACertificates(trusted))

const plainServer = () =>
  listenOnLoopback(
    createServer((socket) => {
      socket.on('error', () => undefined)
      socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')
    }),
  )

const send = (url: string) =>
  sendRequest(
    { method: 'GET', url: new URL(url), headers: [], body: null, timeout: 10_000, maxBytes: 1000 },
    new Network(),
  )

test('a response over TLS, with the time of the handshake', async () => {
  await using server = await secureServer('')
  setDefaultCACertificates([...trusted, tlsFixture('cert')])
  for (const host of ['127.0.0.1', 'localhost']) {
    const answer = await send(`https://${host}:${server.port}/`)
    expect(Buffer.from(answer.body).toString()).toBe('safe')
    expect(answer.timings.tlsMs).toEqual(expect.any(Number))
  }
})

test.each([
  ['self-signed', '', 'its certificate is self-signed', false],
  ['expired', 'expired-', 'its certificate has expired', true],
  ['for another host', 'elsewhere-', 'its certificate is for another host', true],
])('a certificate that is %s is reported with a message', async (_, prefix, reason, trust) => {
  await using server = await secureServer(prefix)
  if (trust) setDefaultCACertificates([...trusted, tlsFixture(`${prefix}cert`)])
  await expect(send(`https://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
    code: 'tls',
    message: expect.stringContaining(
      `No secure connection to 127.0.0.1:${server.port}: ${reason}.`,
    ),
  })
})

test('an https URL with a port that uses plain HTTP', async () => {
  await using server = await plainServer()
  await expect(send(`https://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
    code: 'tls',
    message: expect.stringContaining('Check whether the URL should start with http'),
  })
})
