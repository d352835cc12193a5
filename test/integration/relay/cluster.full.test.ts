import type { ChildProcess } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { portWithMonitor, startNats, stopNats } from '#test/support/nats/administered.ts'
import { natsServer } from '#test/support/nats/server.ts'
import { spawnReceiver } from '#test/support/nats/receiving.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

/** In milliseconds: the servers sync each vote to a disk that other tests keep busy. */
const slow = 120_000

// Addresses of 127.0.0.0/8 stand for the three computers.
const hosts = ['127.0.0.2', '127.0.0.3', '127.0.0.4']

it.runIf(natsServer !== null && process.platform === 'linux')(
  'three servers of one relay keep three copies, and work with two, also for a desktop',
  async () => {
    await using owned = ownedFolder()
    const folder = path.join(owned.path, 'relay')
    const named = hosts.flatMap((host) => ['--host', host])
    const port = String(await portWithMonitor())
    const init = ['relay', 'init', ...named, '--port', port]
    const size = ['--max-size', '1GiB']
    expect((await runCli([...init, ...size, '--endpoint', 'bar', '-o', folder])).code).toBe(0)
    const invited = await runCli(['relay', 'invite', 'ann', '--relay', folder])
    await using servers = new AsyncDisposableStack()
    let last: ChildProcess | null = null
    for (const host of hosts) {
      const copy = path.join(owned.path, host)
      cpSync(folder, copy, { recursive: true })
      const file = path.join(copy, 'nats.conf')
      // On one computer, each has an address of its own.
      const text = readFileSync(file, 'utf8')
        .replace(/^port:/m, `host: "${host}"\nport:`)
        .replace(/^http: "127.0.0.1/m, `http: "${host}`)
        .replace('cluster {', `cluster {\n  host: "${host}"`)
      writeFileSync(file, text)
      const server = await startNats(copy, { RELAY_SERVER: host })
      servers.defer(() => stopNats(server))
      last = server
    }
    const check = async () => {
      const { stdout } = await runCli(['relay', 'check', '--json', '--relay', folder])
      return jsonLines(stdout)[0] ?? {}
    }
    const works = async () => {
      const line = await check()
      return line['event'] === 'relay_check' && problemsOf(line).length === 0 ? line : null
    }
    // Until they have a leader, the server has no JetStream.
    const checked = await until('the streams', works, slow)
    expect(checked['streams']).toMatchObject([
      { name: 'HOOKS_bar', replicas: 3 },
      { name: 'HOOKS__', replicas: 3 },
      { name: 'BODIES', replicas: 3 },
    ])
    await using receiver = await spawnReceiver(path.join(folder, 'receiver-edge-1.json'))
    const deliver = (n: number): Promise<true> =>
      until(
        'the response',
        async () => {
          const body = JSON.stringify({ targetId: `t${n}` })
          const url = `http://127.0.0.1:${receiver.port}/hooks/bar`
          return (await fetch(url, { method: 'POST', body })).ok || null
        },
        slow,
      )
    await using tab = await openTestEngine()
    await deliver(1)
    await tab.engine.call('relay.add', { invitation: invited.stdout.toString() })
    await deliver(2)
    expect((await tab.kept(2)).map(({ target }) => target)).toEqual(['t1', 't2'])
    if (last) await stopNats(last)
    await until('the others', works, slow)
    await deliver(3)
    expect((await tab.kept(3)).map(({ target }) => target)).toEqual(['t1', 't2', 't3'])
  },
)

function problemsOf(line: Record<string, unknown>): unknown[] {
  const { problems } = line
  return Array.isArray(problems) ? problems : ['none']
}
