// Measures `tabscope receive` against an empty server in the same run, alternating: each request is on the disk of a real nats-server, which syncs every
// message, before its response.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { jetstreamManager } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import { z } from 'zod'
import { freePort } from '../support/free-port.ts'
import { receiverFile } from '../support/nats/receiving.ts'
import { createStreams, natsServer, openNats, type Nats } from '../support/nats/server.ts'
import { load, median, print, printLoad, root, secret, startServer } from './processes.ts'

const rounds = Number(process.env.ROUNDS ?? 5)
const flood = { path: '/hooks/sandbox', secret, connections: 48, seconds: 4, rate: null } as const

const Ready = z.object({ event: z.literal('ready'), listener: z.string() })

async function startReceiver(url: string): Promise<AsyncDisposable & { readonly port: number }> {
  const cli = path.join(root, 'out/main/cli.js')
  const file = receiverFile({ servers: [url] })
  const args = ['receive', '--relay', file, '--port', '0', '--json']
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = await new Promise<z.infer<typeof Ready>>((resolve, reject) => {
    // After a warning that the server could not be asked whether it syncs.
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { data } = Ready.safeParse(JSON.parse(line))
      if (data) resolve(data)
    })
    child.once('exit', reject)
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    port: Number(new URL(ready.listener).port),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** What the server takes if each delivery is a message, without HTTP: 48 at a time. */
async function singleMessages(nats: Nats, seconds: number): Promise<number> {
  await using connection = await nats.connect()
  const end = performance.now() + seconds * 1000
  let count = 0
  const publish = async (sender: number): Promise<void> => {
    for (let n = 0; performance.now() < end; n += 1) {
      const fields = headers()
      fields.set('Nats-Msg-Id', `${sender}-${n}`)
      await connection.request('hooks.single', body, { timeout: 10_000, headers: fields })
      count += 1
    }
  }
  await Promise.all(Array.from({ length: flood.connections }, (_, sender) => publish(sender)))
  return count / seconds
}

/** About a record of the flood. */
const body = Buffer.alloc(1200, 'x')

async function measure(folder: string): Promise<void> {
  await using nats = await openNats({ folder })
  await using connection = await nats.connect()
  await createStreams(connection)
  const manager = await jetstreamManager(connection)
  const ratios: number[] = []
  const single: number[] = []
  print(`relay: signed ORDER_PLACED deliveries, ${flood.connections} connections, closed loop`)
  for (let round = 1; round <= rounds; round += 1) {
    await using empty = await startServer('empty', await freePort())
    await load({ ...flood, port: empty.port, seconds: 1 })
    const least = await load({ ...flood, port: empty.port })
    printLoad('empty', least)
    await using receiver = await startReceiver(nats.url)
    const warmUp = await load({ ...flood, port: receiver.port, seconds: 1 })
    const { state: before } = await manager.streams.info('HOOKS')
    const result = await load({ ...flood, port: receiver.port })
    const { state: after } = await manager.streams.info('HOOKS')
    if (result.refused + warmUp.refused > 0) throw new Error(`${result.refused} were refused`)
    printLoad('receive', result)
    const messages = after.last_seq - before.last_seq
    print(`    ${(result.answered / messages).toFixed(1)} deliveries in each message`)
    ratios.push(result.perSecond / least.perSecond)
    single.push((await singleMessages(nats, 2)) / least.perSecond)
    await manager.streams.purge('HOOKS')
  }
  print(`  of an empty node:http server: ${median(ratios).toFixed(2)}`)
  print(`  one message for each delivery, without HTTP: ${median(single).toFixed(2)} of it`)

  const paced = { ...flood, rate: 500, seconds: 10 }
  print('answer times at 500/s')
  await using empty = await startServer('empty', await freePort())
  printLoad('empty', await load({ ...paced, port: empty.port }))
  await using receiver = await startReceiver(nats.url)
  printLoad('receive', await load({ ...paced, port: receiver.port }))
}

if (natsServer === null) print('relay: skipped, since nats-server was not found')
else {
  // On the disk of the project, because /tmp may be in memory.
  const parent = path.join(root, 'node_modules/.cache/bench')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(path.join(parent, 'nats-'))
  try {
    await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
