import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { describe, expect, test } from 'vitest'
import { wantedStreams } from '#engine/receiving/relay/admin/check.ts'
import { noEndpoint, streamOf } from '#engine/receiving/relay/format.ts'
import { startFlood } from '#test/support/flood.ts'
import { natsServer, openNats } from '#test/support/nats/server.ts'
import {
  openRelay,
  receiverFile,
  spawnReceiver,
  storedMessages,
  storedRecords,
} from '#test/support/nats/receiving.ts'
import { canMount, privateDisk } from '#test/support/private-disk.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { post } from '#test/support/requests.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const target = '/hooks/sandbox'
const canTrace =
  process.platform === 'linux' &&
  spawnSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'ignore' }).status === 0

const megabyte = 1024 * 1024

describe.skipIf(natsServer === null)('with nats-server', () => {
  test.skipIf(!canTrace)('every acknowledgement comes after a sync of the disk', async () => {
    await using relay = await openRelay()
    await using receiver = await spawnReceiver(receiverFile({ servers: [relay.nats.url] }))
    const file = path.join(tempFolder(), 'trace')
    const args = ['-f', '-p', String(relay.nats.child().pid), '-e', 'trace=fsync,fdatasync']
    const tracer = spawn('strace', [...args, '-o', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    await once(tracer.stderr, 'data')
    const flood = startFlood({
      port: receiver.port,
      path: target,
      connections: 16,
      secret: 'x',
      name: 'traced',
      limit: 2000,
    })
    await flood.done
    tracer.kill('SIGINT')
    await once(tracer, 'exit')
    expect(flood.refused).toEqual([])
    expect(flood.answered.size).toBe(2000)
    const messages = await storedMessages(relay.connection)
    const synced = readFileSync(file, 'utf8').match(/\b(?:fsync|fdatasync)\(/g) ?? []
    expect(messages.length).toBeGreaterThan(10)
    expect(synced.length).toBeGreaterThanOrEqual(messages.length)
  })

  test('a server that hangs is a 503 after 5 s, and receives again when it goes on', async () => {
    await using relay = await openRelay()
    await using receiver = await spawnReceiver(receiverFile({ servers: [relay.nats.url] }))
    await using client = await rawClient(receiver.port)
    const { pid } = relay.nats.child()
    if (pid === undefined) throw new Error('not started')
    process.kill(pid, 'SIGSTOP')
    try {
      await client.send(post(target, 'first'))
      expect((await client.answer()).status).toBe(503)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    let sent = 1
    await until('a response of 200', async () => {
      await client.send(post(target, `next ${sent}`))
      sent += 1
      return (await client.answers(sent)).at(-1)?.status === 200
    })
  })

  describe.skipIf(!canMount)('on a volume of 64 MB', () => {
    test('a full relay is a 503 within 1 s, and receives within 5 s after space returns', async () => {
      await using rig = await openOnVolume(24)
      await using sends = await openSender(rig.receiver.port)
      await untilRefused(sends)
      const manager = await jetstreamManager(rig.connection)
      const { state } = await manager.streams.info(streamOf('sandbox'))
      expect(state.messages).toBe(sends.stored)
      expect(sends.stored).toBeGreaterThan(50)
      await manager.streams.purge(streamOf('sandbox'))
      await works(sends)
    })

    test('so is a volume that others fill', async () => {
      await using rig = await openOnVolume(62)
      await using sends = await openSender(rig.receiver.port)
      expect((await sends.next()).status).toBe(200)
      rig.disk.fill()
      await untilRefused(sends)
      const reasons = rig.receiver.lines().map(({ failing }) => failing)
      expect(reasons.filter((reason) => reason !== undefined)).toEqual([
        'The relay is full. Allow it more space, or keep deliveries for a shorter time.',
      ])
      rig.disk.free()
      await works(sends)
      expect(await storedRecords(rig.connection)).toHaveLength(sends.stored)
    })
  })
})

/** A relay whose server sees a volume of 64 MB and uses up to `megabytes` of it, and a receiver. */
async function openOnVolume(megabytes: number) {
  const disk = await privateDisk(64)
  const nats = await openNats({
    inside: disk.inside,
    config: `
listen: "127.0.0.1:$PORT"
http: "127.0.0.1:$MONITOR"
jetstream { store_dir: "${disk.path}", sync_interval: always, max_file_store: ${megabytes}MB }
`,
  })
  const connection = await nats.connect()
  const manager = await jetstreamManager(connection)
  const maxBytes = megabytes * megabyte
  const limits = { keepDays: 7, maxBytes, replicas: 1, endpoints: ['sandbox', noEndpoint] }
  for (const stream of wantedStreams(limits)) await manager.streams.add(stream)
  const receiver = await spawnReceiver(receiverFile({ servers: [nats.url] }))
  return {
    disk,
    connection,
    receiver,
    [Symbol.asyncDispose]: async () => {
      await receiver[Symbol.asyncDispose]()
      await connection.close()
      await nats[Symbol.asyncDispose]()
      await disk[Symbol.asyncDispose]()
    },
  }
}

/** Sends deliveries one after the other, and counts those that were answered with 200. */
async function openSender(port: number) {
  const client = await rawClient(port)
  const body = Buffer.alloc(400_000, 'x')
  let sent = 0
  const sends = {
    stored: 0,
    next: async (): Promise<{ status: number; ms: number }> => {
      const begun = performance.now()
      await client.send(post(target, body))
      sent += 1
      const status = (await client.answers(sent)).at(-1)?.status ?? 0
      if (status === 200) sends.stored += 1
      return { status, ms: performance.now() - begun }
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
  return sends
}

type Sender = Awaited<ReturnType<typeof openSender>>

async function untilRefused({ next }: Sender): Promise<void> {
  let last = await next()
  while (last.status === 200) last = await next()
  for (let n = 0; n < 20; n += 1) {
    expect(last.status).toBe(503)
    expect(last.ms).toBeLessThan(1000)
    last = await next()
  }
}
async function works({ next }: Sender): Promise<void> {
  const begun = performance.now()
  await until('a response of 200', async () => (await next()).status === 200)
  expect(performance.now() - begun).toBeLessThan(5000)
}
