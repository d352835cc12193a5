import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deliverySubject,
  maxMessageBytes,
  noEndpoint,
  type RecordHead,
} from '#engine/receiving/relay/format.ts'
import { readReceiverFile } from '#engine/receiving/relay/files.ts'
import { openAdministered } from '#test/support/nats/administered.ts'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { startFlood } from '#test/support/flood.ts'
import { full } from '#test/support/full.ts'
import { createStreams, natsServer, openNats } from '#test/support/nats/server.ts'
import {
  bodyOf,
  openRelay,
  pairs,
  receiverFile,
  startReceiver,
  storedMessages,
  storedRecords,
  textFile,
  type OpenRelay,
} from '#test/support/nats/receiving.ts'
import { rawClient, type Answer } from '#test/support/raw-client.ts'
import { goodBody, head, post, sha256 } from '#test/support/requests.ts'
import { jsonLines, runCli, type RunningCli } from '#test/support/run-cli.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { invitationOf } from '#test/support/nats/records.ts'
import { until } from '#test/support/until.ts'
import { newUser } from './support.ts'

const slug = 'sandbox'
const target = `/hooks/${slug}`

/** How a sender ends: it waits for responses, ends its side, or resets the connection once the receiver has read something. */
type End = { readonly answers: number } | 'finish' | 'reset'

const chunked = (line: string, chunks: string, extra: readonly string[] = []): Buffer =>
  Buffer.concat([
    head(line, ['Host: relay', 'Transfer-Encoding: chunked', ...extra]),
    Buffer.from(chunks, 'latin1'),
  ])

/** What the listener makes of them is shown with local capture, whose listener a receiver has. */
const requests: readonly (readonly [name: string, bytes: Buffer, end?: End])[] = [
  ['a signed delivery', post(target, goodBody)],
  ['a body that is not UTF-8', post(target, Uint8Array.of(0, 255, 254, 13, 10))],
  ['an empty body', post(target, '')],
  ['GET', head(`GET ${target}?challenge=1 HTTP/1.1`, ['Host: relay'])],
  ['HTTP/1.0', head(`POST ${target} HTTP/1.0`, ['Content-Length: 0'])],
  [
    'headers in any case, twice, empty, and in Latin-1',
    post(target, '{}', ['x-A: 1', 'X-a: 2', 'X-Empty:', 'X-Caf\u00e9: \u00ff']),
  ],
  [
    'chunks with trailers',
    chunked(`POST ${target} HTTP/1.1`, '3\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n'),
  ],
  ['an unknown path', post('/hooks/nobody', goodBody)],
  ['nearly the path', post('/Hooks/Sandbox/', goodBody)],
  ['CONNECT', head('CONNECT relay:443 HTTP/1.1', ['Host: relay:443'])],
  ['two requests at once', Buffer.concat([post(target, '1'), post(target, '2')]), { answers: 2 }],
  ['no HTTP', Buffer.from('hello, is anybody there?\r\n\r\n')],
  ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
  ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  [
    'the PROXY protocol',
    Buffer.from(`PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET ${target} HTTP/1.1\r\n\r\n`),
  ],
  ['a wrong chunk', chunked(`POST ${target} HTTP/1.1`, '3\r\nabc\r\nxyz\r\n')],
  [
    'a body that is too large, sent',
    Buffer.concat([
      head(`POST ${target} HTTP/1.1`, ['Host: relay', 'Content-Length: 30000000']),
      Buffer.alloc(65_536, 'x'),
    ]),
  ],
  ['half a head', Buffer.from(`POST ${target} HTTP/1.1\r\nHost: re`), 'finish'],
  [
    'a body that ends with a reset',
    Buffer.concat([
      head(`POST ${target} HTTP/1.1`, ['Host: relay', 'Content-Length: 9']),
      goodBody.subarray(0, 4),
    ]),
    'reset',
  ],
]

const recordsOf = requests.map(([, , end]) => (typeof end === 'object' ? end.answers : 1))

/** Of a record and of the delivery. */
const compared = [
  'method',
  'path',
  'httpVersion',
  'remoteAddress',
  'arrival',
  'reason',
  'bytes',
  'status',
] as const

const common = (one: Pick<RecordHead, (typeof compared)[number]>) =>
  compared.map((name) => one[name])

/** Without headers, which have the time. */
function comparable(answers: Answer[][]): unknown {
  return answers.map((each) => each.map(({ status, body }) => ({ status, body })))
}

async function sendAll(port: number, stored: () => Promise<number>): Promise<Answer[][]> {
  const all: Answer[][] = []
  let expected = 0
  for (const [index, [, bytes, end]] of requests.entries()) {
    await using client = await rawClient(port)
    await client.send(bytes)
    if (end === 'finish') client.finish()
    if (end === 'reset') {
      // The listener has read what was written before, since it answers a later request.
      await using other = await rawClient(port)
      await other.send(head('GET /seen HTTP/1.1', ['Host: relay']))
      await other.answers(1)
      expected += 1
      client.reset()
    }
    if (end !== 'reset') all.push(await client.answers(recordsOf[index] ?? 1))
    expected += recordsOf[index] ?? 0
    await until(`the records of request ${index}`, async () => (await stored()) >= expected)
  }
  return all
}

/** Until the system has stopped it, it may still acknowledge. */
async function pause(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP')
  if (process.platform !== 'linux') return
  await until('the stop', () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').includes(') T '))
}

describe.skipIf(natsServer === null)('with nats-server', () => {
  describe('a receiver', () => {
    let relay: OpenRelay
    let receiver: Awaited<ReturnType<typeof startReceiver>>
    beforeAll(async () => {
      relay = await openRelay()
      const endpoints = [{ slug }, { slug: 'other' }]
      receiver = await startReceiver(receiverFile({ servers: [relay.nats.url], endpoints }))
    })
    afterAll(async () => {
      await receiver[Symbol.asyncDispose]()
      await relay[Symbol.asyncDispose]()
    })
    const empty = async (): Promise<void> => {
      const manager = await jetstreamManager(relay.connection)
      for await (const name of manager.streams.names('hooks.>')) await manager.streams.purge(name)
    }

    test('responds to every kind of request, and stores it, as local capture does', async () => {
      await empty()
      await using tab: TestEngine = await openTestEngine()
      expect(tab.path).toBe(target)
      const captured = await sendAll(tab.port, async () => {
        await tab.engine.catchUp()
        return (await tab.engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })).total
      })
      const received = await sendAll(
        receiver.port,
        async () => (await storedRecords(relay.connection)).length,
      )
      expect(comparable(received)).toEqual(comparable(captured))

      const deliveries = await tab.kept(recordsOf.reduce((sum, count) => sum + count, 1))
      const messages = await storedMessages(relay.connection)
      const records = messages.flatMap(({ records: some, subject }) =>
        some.map((record) => ({ ...record, subject })),
      )
      expect(
        records.map(({ head: one, body, subject }) => [
          ...common(one),
          pairs(one.rawHeaders),
          pairs(one.rawTrailers),
          sha256(body),
          subject,
        ]),
      ).toEqual(
        deliveries.map((one) => [
          ...common(one),
          one.headers,
          one.trailers,
          one.sha256,
          deliverySubject(one.endpointId === null ? noEndpoint : slug, 'edge-1'),
        ]),
      )
      const near = records.map((record) => record.head.nearPath)
      expect(new Set(near)).toEqual(new Set([null, target]))
      const protocols = records.map((record) => record.head.protocol)
      expect(new Set(protocols)).toEqual(new Set([null, 'tls', 'http2', 'proxy_protocol']))
      const ids = records.map((record) => record.head.id)
      expect(new Set(ids).size).toBe(ids.length)
    })

    test.for(full ? [maxMessageBytes, 25 * 1024 * 1024] : [maxMessageBytes])(
      'a body of %i bytes is stored in parts, with its digest',
      async (size) => {
        await empty()
        const body = Buffer.alloc(size)
        for (let at = 0; at + 4 <= size; at += 4096) body.writeUInt32BE(at, at)
        await using client = await rawClient(receiver.port)
        await client.send(post(target, body))
        expect((await client.answer()).status).toBe(200)
        const records = await storedRecords(relay.connection)
        expect(records).toHaveLength(1)
        const [record] = records
        if (!record) return
        const parts = Math.ceil(size / maxMessageBytes)
        expect(record.head).toMatchObject({
          bytes: size,
          bodyBytes: 0,
          parts: { count: parts, bytes: size, sha256: sha256(body) },
        })
        const stored = await bodyOf(relay.connection, slug, 'edge-1', record)
        expect(sha256(stored)).toBe(sha256(body))
      },
    )
  })

  test('a request waits for a short restart of the server, and is stored once', async () => {
    await using relay = await openRelay()
    const { nats } = relay
    await using receiver = await startReceiver(receiverFile({ servers: [nats.url] }))
    await using client = await rawClient(receiver.port)
    // Stopped, not ended: what is sent to it now is lost with it.
    nats.child().kill('SIGSTOP')
    await client.send(post(target, 'waits'))
    await until('the request', () => client.socket.bytesWritten > 0)
    await nats.stop('SIGKILL')
    await nats.start()
    expect((await client.answer()).status).toBe(200)
    await using connection = await nats.connect()
    expect(await storedRecords(connection)).toHaveLength(1)
  })

  test('it starts without the server and without streams, and receives once they are there', async () => {
    await using nats = await openNats()
    await nats.stop()
    await using receiver = await startReceiver(receiverFile({ servers: [nats.url] }))
    expect(receiver.ready.connected).toBe(false)
    expect(failures(receiver)).toEqual([
      `The relay at ${nats.url} is not reachable (ECONNREFUSED). Check the network, and whether its server runs.`,
    ])
    await nats.start()
    await until('the missing stream', () =>
      failures(receiver).at(-1)?.includes('Run: tabscope relay check'),
    )
    await using connection = await nats.connect()
    await createStreams(connection)
    await until('the streams', () => failures(receiver).at(-1) === null)
    await using client = await rawClient(receiver.port)
    await client.send(post(target, goodBody))
    expect((await client.answer()).status).toBe(200)
    expect(await storedRecords(connection)).toHaveLength(1)
  })

  test('SIGTERM ends it when all accepted requests are answered, and SIGINT with 130', async () => {
    await using relay = await openRelay()
    const file = receiverFile({ servers: [relay.nats.url] })
    const first = await startReceiver(file)
    const flood = startFlood({
      port: first.port,
      path: target,
      connections: 16,
      secret: 'x',
      name: 'drain',
      limit: 100_000,
    })
    await until('the flood', () => flood.answered.size > 200)
    first.kill('SIGTERM')
    const { code, stdout } = await first.ended
    expect(code).toBe(0)
    flood.stop()
    await flood.done
    const accepted = flood.answered.size
    const metrics = { event: 'receiver', accepted, refused: 0, inFlight: 0 }
    expect(jsonLines(stdout).at(-1)).toMatchObject(metrics)
    expect(flood.broken).toEqual([])
    expect(flood.refused).toEqual([])
    const bodies = (await storedRecords(relay.connection)).map(({ body }) => sha256(body))
    expect(bodies).toHaveLength(accepted)
    expect(new Set(bodies)).toEqual(flood.answered)

    const second = await startReceiver(file)
    second.kill('SIGINT')
    expect((await second.ended).code).toBe(130)
  })

  test('requests that the relay does not acknowledge are answered when it stops', async () => {
    await using relay = await openRelay()
    await using receiver = await startReceiver(receiverFile({ servers: [relay.nats.url] }))
    await using client = await rawClient(receiver.port)
    await pause(relay.nats.child())
    try {
      await client.send(post(target, goodBody, ['Expect: 100-continue']))
      // It has read the request.
      expect((await client.answer()).status).toBe(100)
      receiver.kill('SIGTERM')
      expect((await client.answers(2))[1]?.status).toBe(503)
      expect((await receiver.ended).code).toBe(0)
    } finally {
      relay.nats.child().kill('SIGCONT')
    }
  })

  test('the file decides on the name, the endpoints and their responses', async () => {
    await using relay = await openRelay()
    const file = receiverFile({
      servers: [relay.nats.url],
      monitor: relay.nats.monitor,
      endpoints: [
        { slug, status: 204 },
        { slug: 'gone', status: 404 },
      ],
    })
    await using receiver = await startReceiver(file)
    await using client = await rawClient(receiver.port)
    await client.send(Buffer.concat([post(target, goodBody), post('/hooks/gone', goodBody)]))
    const answers = await client.answers(2)
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [204, ''],
      [404, ''],
    ])
    const messages = await storedMessages(relay.connection)
    const stored = messages.map(({ subject, records }) => [subject, records[0]?.head.status])
    expect(Object.fromEntries(stored)).toEqual({
      [`hooks.${slug}.edge-1`]: 204,
      'hooks.gone.edge-1': 404,
    })
  })

  test('warns if it cannot ask for the sync', async () => {
    await using relay = await openRelay()
    const file = receiverFile({ servers: [relay.nats.url], monitor: 'http://127.0.0.1:9' })
    await using receiver = await startReceiver(file)
    const message = expect.stringMatching(/syncs each message .* unknown.*relay check$/)
    expect(await warnings(receiver)).toEqual([{ event: 'warning', message }])
  })

  describe('refuses', () => {
    test('a server that does not sync, unless it is allowed', async () => {
      await using relay = await openRelay({
        config: config('jetstream { store_dir: "$FOLDER/jetstream", sync_interval: "30s" }'),
      })
      const { url, monitor } = relay.nats
      const file = receiverFile({ servers: [url], monitor })
      const refused = await runReceiver(['--relay', file])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('syncs it every 30 s')
      expect(refused.stderr).toContain('Set sync_interval: always')
      expect(refused.stderr).toContain('--allow-unsynced')
      await using receiver = await startReceiver(file, '--allow-unsynced')
      expect(await warnings(receiver)).toHaveLength(1)
    })

    test('a stream of another application with its subjects', async () => {
      await using nats = await openNats()
      await using connection = await nats.connect()
      const manager = await jetstreamManager(connection)
      await manager.streams.add({ name: 'THEIRS', subjects: ['hooks.>'] })
      const refused = await runReceiver(['--relay', receiverFile({ servers: [nats.url] })])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(
        'belongs to the stream THEIRS of the server instead of HOOKS_sandbox',
      )
    })

    test('a key that the server does not know, and one of another receiver', async () => {
      await using relay = await openAdministered()
      expect((await relay.relay('check')).code).toBe(0)
      const good = readReceiverFile(
        'receiver',
        readFileSync(path.join(relay.folder, 'receiver-edge-1.json'), 'utf8'),
      )
      const { seed } = newUser()
      const refused = await runReceiver(['--relay', receiverFile({ ...good, seed })])
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('refused the key of the receiver edge-1')
      expect(refused.stderr + refused.stdout.toString()).not.toContain(seed)

      const other = { slug: 'other', status: 200 }
      const wrong = [
        { ...good, endpoints: [...good.endpoints, other] },
        { ...good, receiver: 'edge-2' },
      ]
      for (const [at, what] of ['of other as edge-1', 'of bar as edge-2'].entries()) {
        await using failing = await startReceiver(receiverFile({ ...wrong[at] }))
        await until('the reason', () => failures(failing).at(-1)?.includes(what))
      }

      await using receiver = await startReceiver(receiverFile(good))
      await using client = await rawClient(receiver.port)
      const large = Buffer.alloc(maxMessageBytes + 1)
      await client.send(Buffer.concat([post('/hooks/bar', large), post('/nowhere', large)]))
      expect((await client.answers(2)).map(({ status }) => status)).toEqual([200, 404])
    })
  })
})

function config(lines: string): string {
  return `
listen: "127.0.0.1:$PORT"
http: "127.0.0.1:$MONITOR"
${lines}
`
}

describe('bad input', () => {
  const invitation = invitationOf('tls://relay.example.com:4222', { seed: 'SUAAAA' })
  test.for<[name: string, args: () => string[], sentence: string]>([
    ['no option', () => [], "'--relay <file>'"],
    ['no file', () => ['--relay', 'none.json'], 'File none.json does not exist. Check the path.'],
    ['a folder', () => ['--relay', tempFolder()], 'is a folder. Specify a file.'],
    ['no JSON', () => ['--relay', textFile('{"tabscope":')], 'is not a receiver file'],
    ['an invitation', () => ['--relay', textFile(invitation)], 'tabscope relay add'],
    [
      'a missing value',
      () => ['--relay', receiverFile({ servers: undefined })],
      'is not a receiver file of this version: see servers.',
    ],
    [
      'a response rule',
      () => [
        '--relay',
        receiverFile({ endpoints: [{ slug, status: 200, responses: [{ kind: 'drop' }] }] }),
      ],
      'endpoints.0 in',
    ],
    [
      'a subject',
      () => ['--relay', receiverFile({ endpoints: [{ slug: '>' }] })],
      'see endpoints.0.slug',
    ],
    [
      'an address',
      () => ['--relay', receiverFile({ servers: ['http://127.0.0.1:1'] })],
      'such as tls://relay.example.com:4222',
    ],
    [
      'a password',
      () => ['--relay', receiverFile({ servers: ['nats://ann:hunter2@127.0.0.1:1'] })],
      'The address of the relay has a user or a password.',
    ],
    ['another host', () => ['--relay', receiverFile({}), '--host', '192.0.2.1'], '--host 0.0.0.0'],
  ])('%s', async ([, args, sentence]) => {
    const { code, stderr, stdout } = await runReceiver(args())
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr + stdout.toString()).not.toMatch(/hunter2|SUAAAA/)
  })

  test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    const name = receiverFile({})
    chmodSync(name, 0)
    const { code, stderr } = await runReceiver(['--relay', name])
    expect(code).toBe(2)
    expect(stderr).toContain('No permission to read')
  })

  test('a port that is in use', async () => {
    await using taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { code, stderr } = await runReceiver(['--relay', receiverFile({})], port)
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} is in use`)
    expect(stderr).toContain('tabscope receive')
  })
})

function runReceiver(args: readonly string[], port = 0): ReturnType<typeof runCli> {
  return runCli(['receive', '--port', String(port), '--json', ...args])
}

/** They follow the ready line. */
function warnings(receiver: RunningCli): Promise<unknown[]> {
  return until('a warning', () => {
    const found = receiver.lines().filter(({ event }) => event === 'warning')
    return found.length > 0 && found
  })
}

/** What it said about storing, in order. */
function failures(receiver: RunningCli): (string | null)[] {
  return receiver
    .lines()
    .filter(({ event }) => event === 'storage')
    .map(({ failing }) => (typeof failing === 'string' ? failing : null))
}
