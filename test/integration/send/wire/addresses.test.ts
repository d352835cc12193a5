import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { until } from '#test/support/until.ts'
import { keepAliveServer } from './keep-alive-server.ts'
import { ok, wireClient } from './wire-client.ts'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')

test('localhost and the names below it are this machine', async () => {
  await using server = await keepAliveServer((socket) => socket.write(ok('')))
  await using to = wireClient()
  for (const host of ['localhost', 'menu.localhost', 'LOCALHOST.']) {
    expect(await to.send(`http://${host}:${server.port}/`)).toMatchObject({
      error: null,
      remoteAddress: `127.0.0.1:${server.port}`,
      timings: { dnsMs: null },
    })
  }
})

test.skipIf(!hasIpv6)('where IPv4 is refused, IPv6 is tried', async () => {
  await using server = await keepAliveServer((socket) => socket.write(ok('')), '::1')
  await using to = wireClient()
  for (const host of ['localhost', '[::1]']) {
    expect(await to.send(`http://${host}:${server.port}/`)).toMatchObject({
      error: null,
      remoteAddress: `[::1]:${server.port}`,
    })
  }
})

test.each(['http://8.8.8.8/', 'https://[2001:db8::1]/', 'http://[::ffff:8.8.8.8]:3000/'])(
  'a public address is not connected to unless it is confirmed: %s',
  async (url) => {
    await using to = wireClient()
    expect(await to.send(url)).toMatchObject({
      response: null,
      remoteAddress: null,
      timings: { connectMs: null },
      error: {
        code: 'unconfirmed',
        message: expect.stringContaining('Confirm the target, then send again.'),
      },
    })
    const { error } = await to.send(url, {}, { publicAllowed: true, timeout: 1 })
    expect(error?.code).not.toBe('unconfirmed')
  },
)

test('the Tabscope listener knows its sender before the first byte, and no other does', async () => {
  const seen: unknown[] = []
  const { ownPorts, send, wire } = wireClient(() => origin)
  await using server = await keepAliveServer((socket) => {
    seen.push(ownPorts.of(socket.remotePort))
    socket.write(ok(''))
  })
  await using other = await keepAliveServer((socket) => {
    seen.push(ownPorts.of(socket.remotePort))
    socket.write(ok(''))
  })
  const { origin, port } = server
  await send(origin, {}, { own: 'forward' })
  await send(`http://localhost:${port}/`)
  await send(origin, {}, { own: 'forward', keepAlive: true })
  await send(origin, {}, { own: 'send', keepAlive: true })
  await send(origin, {}, { own: 'forward', keepAlive: true })
  await send(other.origin, {}, { own: 'forward' })
  expect(seen).toEqual(['forward', 'send', 'forward', 'send', 'forward', null])

  const ports = [...server.open].map(({ remotePort }) => remotePort)
  expect(ports.map((port) => ownPorts.of(port))).toEqual(['forward', 'send'])
  await wire.close()
  await until('the marks to be gone', () => ports.every((port) => ownPorts.of(port) === null))
})

test('a mark outlives an aborted connection, whose request may still be read', async () => {
  const { ownPorts, send, wire } = wireClient(() => origin)
  await using server = await keepAliveServer(() => undefined)
  const { origin } = server
  const sending = send(origin, {}, { own: 'forward', timeout: 200 })
  const port = await until('the connection', () => [...server.open][0]?.remotePort)
  expect((await sending).error?.code).toBe('timeout')
  await until('its end', () => server.open.size === 0)
  expect(ownPorts.of(port)).toBe('forward')
  await wire.close()
})
