import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readHolder } from '#engine/platform/store/data-folder.ts'
import { startFlood } from '#test/support/flood.ts'
import { full } from '#test/support/full.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { head, sha256 } from '#test/support/requests.ts'
import { jsonLines, runCli, spawnListening, startListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'until the end'

async function listed(dataDir: string): Promise<Record<string, unknown>[]> {
  const args = ['delivery', 'list', '--json', '--limit', '1000000', '--data', dataDir]
  return jsonLines((await runCli(args)).stdout)
}

const stops = [
  ['SIGTERM', 'listen'],
  ['SIGINT', 'listen'],
  ['SIGTERM', 'serve'],
] as const

test.for(full ? stops : stops.slice(0, 1))(
  '%s in a flood at %s: every request on an open connection gets its response and is stored',
  async ([signal, command]) => {
    await using folder = ownedFolder()
    const options = command === 'serve' ? ['serve', '--no-open'] : ['listen']
    await using tab = await spawnListening(folder.path, [...options, '--secret', secret])
    const flood = startFlood({
      port: tab.port,
      path: tab.path,
      connections: 32,
      secret,
      name: signal,
      limit: 20_000,
    })
    await until('the flood', () => flood.answered.size > 500)
    tab.child.kill(signal)
    const { code, stdout, stderr } = await tab.ended
    expect(code, stderr).toBe(0)
    flood.stop()
    await flood.done
    expect(flood.broken).toEqual([])
    expect(flood.refused).toEqual([])

    const kept = (await listed(folder.path)).map((line) => line['sha256'])
    expect(new Set(kept).size).toBe(kept.length)
    expect(new Set(kept)).toEqual(flood.answered)
    if (command === 'listen') {
      // Each was printed before the end, once, in order.
      expect(
        jsonLines(stdout)
          .slice(1)
          .map((line) => line['sha256']),
      ).toEqual(kept.toReversed())
    }
  },
)

test('an incomplete body is recorded at shutdown, and does not delay it', async () => {
  await using folder = ownedFolder()
  await using tab = await startListening(folder.path)
  await using slow = await rawClient(tab.port)
  await slow.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 100']))
  await slow.send('{"half":')
  await using idle = await rawClient(tab.port)
  tab.kill('SIGTERM')
  const { code, stdout } = await tab.ended
  expect(code).toBe(0)
  await idle.closed()
  const rows = await listed(folder.path)
  expect(rows).toMatchObject([
    { findings: [{ code: 'request.cut_off' }], bytes: 8, sha256: sha256('{"half":'), status: null },
  ])
  expect(jsonLines(stdout).slice(1)).toEqual(rows)
})

test.runIf(full)('a body that completes soon after the signal gets its response', async () => {
  await using folder = ownedFolder()
  await using tab = await startListening(folder.path)
  await using slow = await rawClient(tab.port)
  await slow.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 10']))
  await slow.send('{"hal')
  tab.kill('SIGTERM')
  await until('no more connections to be taken', async () => {
    await using probe = await rawClient(tab.port).catch(() => null)
    return probe === null
  })
  await slow.send('f":1}')
  const answer = await slow.answer()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('connection')).toBe('close')
  expect((await tab.ended).code).toBe(0)
  expect(await listed(folder.path)).toMatchObject([{ status: 200, bytes: 10 }])
})

test.runIf(full)('a second signal ends the process immediately', async () => {
  await using folder = ownedFolder()
  await using tab = await spawnListening(folder.path)
  await using slow = await rawClient(tab.port)
  await slow.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 10']))
  await slow.send('{')
  tab.child.kill('SIGINT')
  await until('no more connections to be taken', async () => {
    await using probe = await rawClient(tab.port).catch(() => null)
    return probe === null
  })
  // Immediately, it would be treated as a repetition of the first signal, which npm forwards.
  tab.child.kill('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(tab.child.exitCode).toBe(null)
  tab.child.kill('SIGINT')
  expect((await tab.ended).code).toBe(1)
})

test.runIf(full && process.platform !== 'win32')('it ends with the npm that runs it', async () => {
  await using folder = ownedFolder()
  const root = path.resolve(import.meta.dirname, '../..')
  const options = ['--port', '0', '--data', folder.path, '--json']
  const npm = spawn('npm', ['run', '-s', 'tabscope', '--', 'listen', ...options], { cwd: root })
  await new Promise((resolve) => npm.stdout.once('data', resolve))
  const pid = readHolder(folder.path)?.pid ?? 0
  npm.kill('SIGTERM')
  await until('the listener to end as well', () => !isAlive(pid))
  // Closed, not killed: it has removed its announcement from the folder.
  expect(readHolder(folder.path)).toBe(null)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
