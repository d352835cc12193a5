import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '#engine/app/connect.ts'
import { createDispatch } from '#engine/app/dispatch.ts'
import { Bus } from '#engine/platform/event-bus.ts'
import { openInterfaceServer, type InterfaceServer } from '#hosts/node/interface-server.ts'
import { Sandbox } from '#sandbox/sandbox.ts'
import { fakeHandlers, silentLog } from '#test/support/fake-handlers.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { interfaceClient, type InterfaceClient } from '#test/support/interface-client.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post, sha256 } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const hidden = 'a secret in the depth'
const shared = sharedTestEngine({
  ports: {
    sandbox: Object.assign(new Sandbox(), {
      send: async () => {
        throw new TypeError(`broken inside: ${hidden}`)
      },
    }),
  },
})
let server: InterfaceServer

beforeAll(async () => {
  server = await openInterfaceServer(shared().engine, '/nowhere', 0)
})
afterAll(() => server.close())
beforeEach(() => shared().engine.call('settings.update', { theme: 'system' }))

async function deliver(): Promise<void> {
  const {
    stats: { indexedId: before },
  } = await shared().engine.call('app.snapshot', {})
  const { promise: indexed, resolve } = Promise.withResolvers<void>()
  const stop = shared().engine.on('deliveries.indexed', ({ stats }) => {
    if (stats.indexedId > before) resolve()
  })
  await using sender = await rawClient(shared().port)
  await sender.send(post(shared().path, goodBody))
  expect((await sender.answer()).status).toBe(200)
  await indexed
  stop()
}

const pushes = (client: InterfaceClient) => client.frames.filter((frame) => frame.kind === 'push')

test('a client that sends hello is welcomed, can call, and gets pushes in order', async () => {
  const tab = shared()
  await using client = await interfaceClient(server.address)
  const welcome = await client.hello()
  expect(welcome).toMatchObject({ session: expect.stringMatching(/^[\da-f-]{36}$/), reload: true })

  const reply = await client.call('app.snapshot', {})
  expect(reply).toMatchObject({
    ok: true,
    output: {
      listener: { state: 'listening', port: tab.port },
      endpoints: [{ slug: 'sandbox', secret: { set: true } }],
    },
  })
  await deliver()
  const arrived = await until('the push', () =>
    pushes(client).find(({ name }) => name === 'deliveries.arrived'),
  )
  expect(arrived).toMatchObject({
    payload: { rows: [{ sha256: sha256(goodBody), verdict: 'valid' }] },
  })
  expect(pushes(client).map(({ seq }) => seq)).toEqual(
    pushes(client).map((_, i) => welcome.seq + 1 + i),
  )
})

test('a body is transferred as bytes', async () => {
  await deliver()
  const { id } = await shared().one()
  await using client = await interfaceClient(server.address)
  await client.hello()
  const reply = await client.call('deliveries.body', { id, offset: 2, length: 10 })
  expect(reply).toMatchObject({ ok: true, output: { size: goodBody.byteLength } })
  const output: unknown = reply.ok ? reply.output : null
  const bytes =
    typeof output === 'object' && output !== null && 'bytes' in output ? output.bytes : null
  if (!(bytes instanceof Uint8Array)) throw new Error('the body is no bytes')
  expect(Buffer.from(bytes).equals(goodBody.subarray(2, 12))).toBe(true)
})

test('a client that reconnects gets missed pushes once and in order', async () => {
  const { engine } = shared()
  let seen: { session: string; seq: number }
  {
    await using first = await interfaceClient(server.address)
    seen = await first.hello()
  }
  for (const theme of ['dark', 'light', 'dark'] as const) {
    await engine.call('settings.update', { theme })
  }
  await using again = await interfaceClient(server.address)
  expect(await again.hello(seen.session, seen.seq)).toMatchObject({
    session: seen.session,
    seq: seen.seq + 3,
    reload: false,
  })
  await engine.call('settings.update', { theme: 'light' })
  await until('four pushes', () => pushes(again).length >= 4)
  expect(pushes(again)).toMatchObject(
    ['dark', 'light', 'dark', 'light'].map((theme, i) => ({
      seq: seen.seq + 1 + i,
      name: 'settings.changed',
      payload: { theme },
    })),
  )
})

test('an internal error is returned as a message and a log ID, without a stack', async () => {
  await using client = await interfaceClient(server.address)
  const { endpointId, log } = shared()
  const reply = await client.call('sandbox.send', { endpointId, types: ['OPEN_TAB'] })
  expect(reply).toMatchObject({ ok: false, error: { code: 'internal', retry: 'later' } })
  const error = reply.ok ? null : reply.error
  expect(error?.logId).toMatch(/^log-\d+$/)
  expect(error?.message).toContain(error?.logId)
  expect(JSON.stringify(reply)).not.toContain(hidden)
  expect(JSON.stringify(reply)).not.toMatch(/TypeError|\.ts|at /)
  expect(log[Number(error?.logId?.slice(4)) - 1]).toContain(hidden)
})

test('a client that reads too slowly is sent a bounded amount, and reloads when it reads again', async () => {
  const bus = new Bus()
  const dispatch = createDispatch(fakeHandlers({}), silentLog())
  const { engine } = shared()
  /** Bytes that wait for the client, as the server reports them. */
  let waiting: (() => number) | undefined
  const slowServer = await openInterfaceServer(
    {
      ...engine,
      connect(send, backlog) {
        waiting = backlog
        return connect(bus, dispatch, '1.2.3', { send, backlog })
      },
    },
    '/nowhere',
    0,
  )
  onTestFinished(() => slowServer.close())
  await using client = await interfaceClient(slowServer.address)
  await client.hello()
  client.socket.pause()
  // 256 MiB in total, more than any buffer can hold.
  const lastError = 'x'.repeat(1024 * 1024)
  const push = (): void =>
    bus.push('sandbox.changed', { running: true, rate: 1, sent: 0, failed: 1, lastError })
  for (let at = 0; at < 256; at += 1) push()
  await until('a backlog', () => (waiting?.() ?? 0) > 4 * 1024 * 1024)
  expect(client.socket.readyState).toBe(client.socket.OPEN)
  client.socket.resume()
  const welcomed = await until('the second welcome', () =>
    client.frames.findLast((frame) => frame.kind === 'welcome' && frame.seq === 256),
  )
  expect(welcomed).toMatchObject({ reload: true })
  expect(pushes(client).length).toBeLessThan(32)
  push()
  await until('a push after it', () => pushes(client).some(({ seq }) => seq === 257))
})
