import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { defaultForward, type ForwardTarget } from '#contract/answering.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { AttemptsPage } from '#engine/sending/store/attempts.ts'
import { createCapture } from '#engine/capture/capture.ts'
import { defaultLimits, type EndpointRoute } from '#engine/capture/messages.ts'
import { OwnPorts, type SenderConfig } from '#engine/sending/messages.ts'
import { createSender, type Sender } from '#engine/sending/sender.ts'
import { openStore, type Store } from '#engine/store/store.ts'
import { rawClient, type Answer } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const built = (name: string): URL => new URL(`../../../out/main/${name}-thread.js`, import.meta.url)
const entries = {
  capture: built('capture'),
  writer: built('writer'),
  reader: built('reader'),
  sender: built('sender'),
  tunnel: built('tunnel'),
  exporter: built('export'),
  importer: built('import'),
  rehearsal: built('rehearsal'),
}

interface Threads extends AsyncDisposable {
  readonly store: Store
  readonly sender: Sender
  /** The public URL of the tunnel listener. */
  readonly origin: string
  readonly forward: ForwardTarget
  /** Tells the sender the public addresses of the listener. */
  knowing(publicAddresses: readonly string[]): Promise<void>
  deliver(): Promise<Answer>
  rows(): Promise<DeliverySummary[]>
  attempts(deliveryId: number): Promise<AttemptsPage>
}

function died(error: Error): never {
  throw error
}

/** Store, capture and sender, connected like in the engine; the tunnel is a name and a proxy in front of the tunnel listener. */
async function openThreads(mode: ForwardTarget['mode']): Promise<Threads> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(ownedFolder())
  const store = openStore(folder.path, 'now', entries, { event: () => undefined, died })
  stack.defer(() => store.close())
  const [endpoint] = store.initial.endpoints
  const path = `/hooks/${endpoint?.slug}`
  const proxy = stack.use(await openProxy())
  const origin = `http://pier9.localhost:${proxy.port}`
  const fields = { ...defaultForward, types: [], endpointId: endpoint?.id ?? 0, mode }
  const url = `${origin}${path}`
  const id = await store.writer.call('insertForward', { ...fields, url })
  const forward = { ...fields, url, id, temporary: false }
  const route: EndpointRoute = {
    id: endpoint?.id ?? 0,
    name: 'Sandbox',
    path,
    brand: 'Service',
    applicationId: '',
    customHeaders: [],
    secrets: [],
    responses: [],
    forwards: [forward],
  }
  const ownPorts = new OwnPorts()
  const passing = new MessageChannel()
  const { journal, progress } = store
  const capture = createCapture(
    entries.capture,
    {
      journalDir: journal.dir,
      journalEnd: journal.end,
      firstId: journal.nextId,
      shared: progress.buffer,
      config: { routes: [route], fallbackBrand: 'Service', limits: defaultLimits },
      ownPorts: ownPorts.buffer,
      probeKey: new Uint8Array(32),
      sender: passing.port1,
      uses: [],
    },
    { failing: () => undefined, used: () => undefined, died },
  )
  const port = await capture.api.call('listen', 0)
  proxy.leadTo(await capture.api.call('openTunnelListener'))
  const config: SenderConfig = {
    endpoints: [route],
    fallbackBrand: 'Service',
    forwards: [forward],
    targets: [],
    listener: `http://127.0.0.1:${port}`,
    publicAddresses: [],
  }
  const sender = createSender(
    entries.sender,
    {
      storePath: store.path,
      progress: progress.buffer,
      ownPorts: ownPorts.buffer,
      followFrom: journal.nextId - 1,
      writer: store.sendPort,
      capture: passing.port2,
      config,
    },
    { died, event: () => undefined },
  )
  stack.defer(() => sender.close())
  stack.defer(() => capture.close())
  const owned = stack.move()
  return {
    store,
    sender,
    origin,
    forward,
    knowing: (publicAddresses) => sender.configure({ ...config, publicAddresses }),
    deliver: async () => {
      await using client = await rawClient(port)
      await client.send(post(path, goodBody))
      return await client.answer()
    },
    rows: async () => {
      await store.writer.call('catchUp')
      return store.reader.call('since', { after: 0, limit: 1000 })
    },
    attempts: (deliveryId) => store.reader.call('attempts', { deliveryId, limit: 100 }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

interface Proxy extends AsyncDisposable {
  readonly port: number
  leadTo(port: number): void
}

/** Relays bytes like a tunnel. */
async function openProxy(): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let to = 0
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    const onward = connect(to, '127.0.0.1')
    keep(socket)
    keep(onward)
    socket.pipe(onward).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    port: address.port,
    leadTo: (port) => {
      to = port
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const sentence = (origin: string): string =>
  `${origin} is the public URL of this listener, so a forwarded request would be received and forwarded again. Forward to another URL.`

test('a forward to our own public URL loops until the sender knows the URL; then it fails without being sent', async () => {
  await using threads = await openThreads('after')
  const { forward, origin } = threads
  await threads.knowing([])
  expect((await threads.deliver()).status).toBe(200)
  // The loop to avoid: each forward was received as a delivery of another sender.
  const going = await until('the third round', async () => {
    const rows = await threads.rows()
    return rows.length > 3 ? rows : null
  })
  expect(going.map(({ sentBy }) => sentBy)).toEqual(going.map(() => null))
  expect(await threads.store.reader.call('get', going.at(-1)?.id ?? 0)).toMatchObject({
    via: 'tunnel',
  })

  await threads.knowing([`${origin}/`])
  const failed = await until('the end of it', async () => {
    const last = (await threads.rows()).at(-1)
    const { rows } = await threads.attempts(last?.id ?? 0)
    return rows[0]?.error ? rows : null
  })
  expect(failed).toMatchObject([
    {
      kind: 'forward',
      forwardId: forward.id,
      tryNumber: 1,
      status: null,
      error: { code: 'invalid_request', message: sentence(origin) },
    },
  ])
  const before = (await threads.rows()).length
  expect((await threads.deliver()).status).toBe(200)
  const last = await until('its attempt', async () => {
    const row = (await threads.rows()).at(-1)
    const { rows } = await threads.attempts(row?.id ?? 0)
    return row?.id === before + 1 && rows[0] ? rows[0] : null
  })
  expect(last.error?.message).toBe(sentence(origin))
  // Nothing was received in the meantime.
  expect(await threads.rows()).toHaveLength(before + 1)
  expect(await threads.sender.health()).toMatchObject([
    { forwardId: forward.id, waiting: 0, inFlight: 0 },
  ])
})

test('passed through to our own public address: 502 with the reason, and no second delivery', async () => {
  await using threads = await openThreads('return')
  const { origin } = threads
  await threads.knowing([`${origin}/`])
  const answer = await threads.deliver()
  expect([answer.status, answer.body]).toEqual([502, `${sentence(origin)}\n`])
  const attempts = await until('the attempt', async () => {
    const { rows } = await threads.attempts(1)
    return rows.length > 0 ? rows : null
  })
  expect(attempts).toMatchObject([{ kind: 'pass_through', error: { code: 'invalid_request' } }])
  expect(await threads.rows()).toHaveLength(1)
})

test('our own public URL is refused as a forward target, but a delivery can be resent there manually', async () => {
  await using threads = await openThreads('after')
  const { origin, sender, forward } = threads
  await threads.knowing([`${origin}/`])
  for (const url of [forward.url, `${origin}/`]) {
    await expect(sender.api.call('resolveToForward', url)).rejects.toMatchObject({
      code: 'bad_target',
      message: sentence(origin),
    })
  }
  expect(await sender.api.call('resolve', forward.url)).toMatchObject({
    origin,
    location: 'loopback',
  })
  await threads.deliver()
  await until('the delivery', async () => (await threads.rows()).length === 1)
  const attempt = await sender.api.call('resend', {
    id: 1,
    url: forward.url,
    sign: { how: 'keep' },
    edits: { headers: [], body: null },
    timeout: 5000,
    insecure: false,
    key: undefined,
  })
  expect(attempt).toMatchObject({ status: 200, error: null })
  await until('what was sent by hand', async () => (await threads.rows()).length === 2)
  const received = await threads.store.reader.call('get', 2)
  expect(received).toMatchObject({
    via: 'tunnel',
    sentBy: null,
    sha256: (await threads.rows())[0]?.sha256,
  })
})
