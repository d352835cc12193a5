import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '#test/support/free-port.ts'
import { natsServer, openNats } from '#test/support/nats/server.ts'
import { seeded } from '#test/support/random-json.ts'
import {
  jsonLines,
  runCli,
  spawnCli,
  spawnListening,
  type SpawnedCli,
} from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const rounds = 10
const senders = 8

async function succeeded(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args)
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

/** SHA-256 of every delivery, in order. */
async function listed(dataDir: string): Promise<string[]> {
  const list = ['delivery', 'list', '--json', '--limit', '1000000', '--data', dataDir]
  return jsonLines(Buffer.from(await succeeded(list))).map((line) => String(line['sha256']))
}

interface Killable {
  kill(): Promise<void>
  start(): Promise<void>
}

/** A process of the command line that is started again after it was killed. */
function restartable(start: () => Promise<SpawnedCli>): Killable & AsyncDisposable {
  let running: SpawnedCli | null = null
  const kill = async (): Promise<void> => {
    await running?.[Symbol.asyncDispose]()
    running = null
  }
  return { kill, start: async () => void (running = await start()), [Symbol.asyncDispose]: kill }
}

/** Sends until stopped, whether or not there is a receiver. Each body once. */
function startSending(url: string) {
  const answered = new Set<string>()
  let sent = 0
  let isStopped = false
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const body = JSON.stringify({ type: 'OPEN_TAB', targetUuid: `tab-${(sent += 1)}` })
      try {
        const response = await fetch(url, { method: 'POST', body })
        if (response.status === 200) answered.add(createHash('sha256').update(body).digest('hex'))
        await response.arrayBuffer()
      } catch {
        // The receiver or the server is away.
      }
      // Not as fast as they can: the disk is for the other tests, too.
      await pause(20)
    }
  }
  const done = Promise.all(Array.from({ length: senders }, run))
  return {
    answered,
    stop: async () => {
      isStopped = true
      await done
    },
  }
}

describe.skipIf(natsServer === null)('killed at random', () => {
  const folder = ownedFolder()
  afterAll(() => folder[Symbol.asyncDispose]())

  test('nothing that was acknowledged is lost in three desktops, in equal order', async () => {
    const relay = path.join(folder.path, 'relay')
    const at = `--host 127.0.0.1 --port ${await freePort()}`
    const init = `relay init ${at} --endpoint main --receiver edge-1`.split(' ')
    await succeeded([...init, '-o', relay])
    const config = readFileSync(path.join(relay, 'nats.conf'), 'utf8')
    await using nats = await openNats({ folder: relay, config, inside: ['env', '-C', relay] })
    await succeeded(['relay', 'check', '--relay', relay])

    const port = await freePort()
    const receive = ['receive', '--relay', path.join(relay, 'receiver-edge-1.json'), '--json']
    await using receiver = restartable(async () => {
      const running = spawnCli([...receive, '--port', String(port)])
      await until('the receiver', () => running.lines().length > 0)
      return running
    })
    const join = async (user: string) => {
      const dataDir = path.join(folder.path, user)
      const invitation = await succeeded(['relay', 'invite', user, '--relay', relay])
      await succeeded(['relay', 'add', invitation.trim(), '--data', dataDir])
      return { dataDir, ...restartable(() => spawnListening(dataDir)) }
    }
    await using ann = await join('ann')
    await using bob = await join('bob')
    const server: Killable = { kill: () => nats.stop('SIGKILL'), start: () => nats.start() }
    const killed = [receiver, ann, bob, server]
    for (const each of [receiver, ann, bob]) await each.start()

    const sending = startSending(`http://127.0.0.1:${port}/hooks/main`)
    const random = seeded(41)
    for (let round = 0; round < rounds; round += 1) {
      await pause(50 + random() * 600)
      const chosen = killed[Math.floor(random() * killed.length)]
      await chosen?.kill()
      await pause(random() * 300)
      await chosen?.start()
      const before = sending.answered.size
      await until('a response', () => sending.answered.size > before)
    }
    await sending.stop()

    await using cy = await join('cy')
    await cy.start()
    const { answered } = sending
    const desktops = [ann, bob, cy]
    for (const { dataDir } of desktops) {
      await until('all deliveries', async () => {
        const stored = new Set(await listed(dataDir))
        return [...answered].every((hash) => stored.has(hash))
      })
    }
    const lists: string[][] = []
    for (const { dataDir } of desktops) lists.push(await listed(dataDir))
    const [first = [], ...others] = lists
    expect(answered.size).toBeGreaterThan(rounds)
    // A request without a response may be stored as well, but nothing twice.
    expect(new Set(first).size).toBe(first.length)
    for (const other of others) expect(other).toEqual(first)
  })
})
