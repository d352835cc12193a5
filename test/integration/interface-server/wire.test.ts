import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openInterfaceServer, type InterfaceServer } from '#hosts/node/serve/interface-server.ts'
import { Sandbox } from '#sandbox/sandbox.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { interfaceClient, type InterfaceClient } from '#test/support/interface-client.ts'
import { ask } from '#test/support/raw-client.ts'
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
  expect((await ask(shared().port, post(shared().path, goodBody))).status).toBe(200)
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
