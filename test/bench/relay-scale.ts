// Measures a relay with much in it: 10 million messages of 1,000 endpoints, 50 desktops, and a desktop that is 1,000,000 deliveries behind, whose rate is
// compared with that of capture in the same run. Takes about ten minutes and 8 GB of disk.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { ConsumerMessages } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { openConsumer, readStream } from '#engine/relay/session.ts'
import { invitationOf, publish, recordOf, type TestRecord } from '../support/nats/records.ts'
import { createStreams, natsServer, openNats, type Nats } from '../support/nats/server.ts'
import { orders } from './payloads.ts'
import {
  load,
  mib,
  print,
  processorTime,
  quantile,
  resident,
  root,
  secret,
  startTabscope,
} from './processes.ts'

const messages = Number(process.env.MESSAGES ?? 10_000_000)
const behind = Number(process.env.BEHIND ?? 1_000_000)
const endpoints = 1000
const desktops = 50
const inMessage = 100
const maxBytes = 8 * 1024 ** 3

const access = (nats: Nats) =>
  ({ user: 'ann', servers: [nats.url], seed: null, ca: null, endpoints: ['*'] }) as const

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const begun = performance.now()
  const result = await work()
  return [performance.now() - begun, result]
}

/** Small ones, which the server need not sync: the number counts here. */
async function fill(connection: NatsConnection, senders: number): Promise<void> {
  const payload = Buffer.alloc(100, 'x')
  const atOnce = 500
  const send = async (sender: number): Promise<void> => {
    for (let n = sender * atOnce; n < messages; n += senders * atOnce) {
      for (let at = 1; at < atOnce; at += 1) {
        connection.publish(`hooks.e${(n + at) % endpoints}`, payload)
      }
      await connection.request(`hooks.e${n % endpoints}`, payload, { timeout: 60_000 })
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)))
}

/** Resolves to the time until the first message, or until it is known that there is none. */
async function firstMessage(
  connection: NatsConnection,
  nats: Nats,
  subject: string,
  from: number,
): Promise<string> {
  const [ms, { pending, messages }] = await timed(async () => {
    const opened = await openConsumer(connection, access(nats), subject, from - 1)
    if (opened.pending > 0) await opened.messages[Symbol.asyncIterator]().next()
    return opened
  })
  await messages.close()
  return `${ms.toFixed(0)} ms (${pending} wait)`
}

async function keep(nats: Nats): Promise<void> {
  await using connection = await nats.connect()
  print(`${messages} messages of ${endpoints} endpoints`)
  const pid = (): number => nats.child().pid ?? 0
  print(`  server: ${mib(resident(pid()))} before`)
  const [ms] = await timed(() => fill(connection, 4))
  const { lastSeq } = await readStream(connection, access(nats))
  if (lastSeq !== messages) throw new Error(`${lastSeq} are stored`)
  print(`  stored in ${(ms / 1000).toFixed(0)} s; server: ${mib(resident(pid()))}`)
  await connection.close()
  await nats.stop()
  const [startMs] = await timed(() => nats.start())
  print(`  started again in ${(startMs / 1000).toFixed(1)} s; server: ${mib(resident(pid()))}`)
  await using again = await nats.connect()
  const [infoMs] = await timed(() => readStream(again, access(nats)))
  print(`  state of the stream: ${infoMs.toFixed(1)} ms`)
  for (const [what, subject, from] of [
    ['a new desktop', 'hooks.*', 1],
    ['one that read half', 'hooks.*', messages / 2],
    ['one that read everything', 'hooks.*', messages + 1],
    ['a new one with one endpoint', 'hooks.e500', 1],
  ] as const) {
    print(`  first message of ${what}: ${await firstMessage(again, nats, subject, from)}`)
  }
  print(`  server: ${mib(resident(pid()))}`)
}

/** Opens `desktops` consumers, each with its own connection. */
async function followers(
  nats: Nats,
  from: number,
  received: (data: Uint8Array) => void,
): Promise<AsyncDisposable> {
  const opened: [NatsConnection, ConsumerMessages][] = []
  for (let n = 0; n < desktops; n += 1) {
    const connection = await nats.connect()
    const { messages: read } = await openConsumer(connection, access(nats), 'hooks.*', from - 1)
    void (async () => {
      for await (const { data } of read) received(data)
    })()
    opened.push([connection, read])
  }
  return {
    [Symbol.asyncDispose]: async () => {
      for (const [connection, read] of opened) {
        void read.close()
        await connection.close()
      }
    },
  }
}

async function follow(nats: Nats): Promise<void> {
  await using connection = await nats.connect()
  const pid = nats.child().pid ?? 0
  print(`${desktops} desktops`)
  const { lastSeq } = await readStream(connection, access(nats))
  const latencies: number[] = []
  {
    await using _ = await followers(nats, lastSeq + 1, (data) => {
      latencies.push(performance.now() - Number(Buffer.from(data).toString('latin1')))
    })
    const before = processorTime(pid) ?? 0
    const [rate, seconds] = [100, 10]
    for (let n = 0; n < rate * seconds; n += 1) {
      const due = pause(1000 / rate)
      await connection.request('hooks.e1', String(performance.now()).padEnd(900))
      await due
    }
    await pause(1000)
    const used = (processorTime(pid) ?? 0) - before
    if (latencies.length !== rate * seconds * desktops) throw new Error(`${latencies.length}`)
    print(
      `  about ${rate} messages/s to each: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p99 ${quantile(latencies, 0.99).toFixed(1)} ms after they were sent; server: ${Math.round((100 * used) / (seconds + 1))} % of a processor, ${mib(resident(pid))}`,
    )
  }
  const each = Math.min(20_000, messages)
  let count = 0
  const begun = performance.now()
  await using _ = await followers(nats, lastSeq - each + 1, () => (count += 1))
  while (count < each * desktops) await pause(20)
  const perSecond = count / ((performance.now() - begun) / 1000)
  print(
    `  each ${each} messages behind at the same time: ${Math.round(perSecond)}/s together; server: ${mib(resident(pid))}`,
  )
}

const order = orders('/hooks/sandbox', secret)

/** What the load sends to capture. */
function record(n: number): TestRecord {
  const [head = '', body = ''] = order(n).request.split('\r\n\r\n')
  const rawHeaders = head
    .split('\r\n')
    .slice(1)
    .flatMap((line) => line.split(': '))
  return recordOf('sandbox', body, { rawHeaders })
}

async function catchUp(folder: string): Promise<void> {
  await using nats = await openNats({ folder })
  await using connection = await nats.connect()
  await createStreams(connection, maxBytes)
  print(`a desktop ${behind} deliveries behind`)
  for (let n = 0; n < behind; n += inMessage) {
    await publish(
      connection,
      'sandbox',
      Array.from({ length: inMessage }, (_, at) => record(n + at)),
    )
  }
  const captured: number[] = []
  const capture = async (): Promise<void> => {
    await using server = await startTabscope()
    const options = { path: '/hooks/sandbox', secret, connections: 32, rate: null } as const
    await load({ ...options, port: server.port, seconds: 1 })
    captured.push((await load({ ...options, port: server.port, seconds: 5 })).perSecond)
  }
  await capture()
  let read = 0
  {
    await using server = await startTabscope()
    const before = resident(server.pid) ?? 0
    const begun = performance.now()
    const cli = [path.join(root, 'out/main/cli.js'), 'relay', 'add', '--data', server.dataDir]
    const invitation = invitationOf(nats.url)
    const added = spawnSync(process.execPath, [...cli, invitation], { encoding: 'utf8' })
    if (added.status !== 0) throw new Error(added.stderr)
    using db = opened(path.join(server.dataDir, 'tabscope.db'))
    const waits: number[] = []
    let most = 0
    while (db.position() < behind / inMessage) {
      const [ms] = await timed(async () => (await fetch(server.ui)).text())
      waits.push(ms)
      most = Math.max(most, resident(server.pid) ?? 0)
      await pause(50)
    }
    read = behind / ((performance.now() - begun) / 1000)
    print(
      `  ${Math.round(read)}/s, ${mib(most - before)} more; the interface responds in p50 ${quantile(waits, 0.5).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms`,
    )
  }
  await capture()
  const rate = quantile(captured, 0.5)
  print(
    `  capture: ${Math.round(rate)}/s; the backlog is read at ${(read / rate).toFixed(2)} of it`,
  )
}

function opened(file: string): Disposable & { position(): number } {
  const db = new Database(file, { readonly: true })
  const position = db.prepare<[], number>('SELECT max(position) FROM relay_position').pluck()
  return { position: () => position.get() ?? 0, [Symbol.dispose]: () => void db.close() }
}

if (natsServer === null) print('relay-scale: skipped, since nats-server was not found')
else {
  // On the disk of the project, because /tmp may be in memory.
  const parent = path.join(root, 'node_modules/.cache/bench')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(path.join(parent, 'nats-'))
  try {
    {
      await using nats = await openNats({
        folder: path.join(folder, 'many'),
        config:
          'listen: "127.0.0.1:$PORT"\nhttp: "127.0.0.1:$MONITOR"\njetstream { store_dir: "$FOLDER/jetstream" }\n',
      })
      {
        await using connection = await nats.connect()
        await createStreams(connection, maxBytes)
      }
      await keep(nats)
      await follow(nats)
    }
    await catchUp(path.join(folder, 'behind'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
