import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { full } from '#test/support/full.ts'
import { goodBody } from '#test/support/requests.ts'
import {
  jsonLines,
  runCli,
  runSpawnedCli,
  spawnCli,
  startListening,
} from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

test('serve prints the addresses of interface, listener and endpoint, and serves both', async () => {
  await using folder = ownedFolder()
  await using tab = await startListening(folder.path, ['serve', '--no-open', '--ui-port', '0'])
  const { ui, ...rest } = tab.ready
  expect(ui).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  expect(rest).toEqual({
    event: 'ready',
    listener: `http://127.0.0.1:${tab.port}`,
    endpoint: `http://127.0.0.1:${tab.port}/hooks/sandbox`,
    dataDir: folder.path,
  })
  expect(Object.keys(tab.lines()[0] ?? {})).toEqual([
    'event',
    'ui',
    'listener',
    'endpoint',
    'dataDir',
    'damagedFiles',
  ])
  const page = await fetch(ui ?? '')
  expect(page.status).toBe(200)
  expect(await page.text()).toMatch(/^<!doctype html>/i)
  expect((await fetch(tab.ready.endpoint, { method: 'POST', body: goodBody })).status).toBe(200)
  tab.kill('SIGTERM')
  const { code, stdout } = await tab.ended
  expect(code).toBe(0)
  expect(jsonLines(stdout)).toHaveLength(1)
})

test.for([
  ['listen', '--port'],
  ['serve', '--port'],
  ['serve', '--ui-port'],
] as const)(
  '%s %s on a port in use: exit code 1, and a message that names it',
  async ([command, option]) => {
    await using folder = ownedFolder()
    await using taken = await listenOnLoopback(createServer())
    const { port } = taken
    const args = [command, option, String(port), '--data', folder.path, '--json']
    const others = command === 'serve' ? ['--no-open'] : []
    const given = option === '--ui-port' ? [...others, '--port', '0'] : others
    const { code, stdout, stderr } = await runCli([...args, ...given])
    const free = Number(/Port (\d+) is free/.exec(stderr)?.[1])
    expect(free).toBeGreaterThan(port)
    const words = [...args, ...given].map((word) => {
      if (word === String(port)) return String(free)
      return word === folder.path ? `'${word}'` : word
    })
    expect(stderr).toMatch(new RegExp(`^Port ${port} is in use by .+\\. Port \\d+ is free\\. `))
    expect(stderr.slice(stderr.indexOf('To use it:'))).toBe(
      `To use it: tabscope ${words.join(' ')}\n`,
    )
    expect(code).toBe(1)
    expect(jsonLines(stdout)).toMatchObject([{ event: 'failed', code: 'port_in_use' }])
    if (process.platform === 'linux') expect(stderr).toContain(`(process ${process.pid})`)
  },
)

test.for([
  ['serve', 'SIGTERM'],
  ['listen', 'SIGHUP'],
] as const)('%s --ephemeral removes its data folder after %s', async ([command, signal]) => {
  await using temporary = ownedFolder()
  const args = [
    command,
    '--ephemeral',
    '--port',
    '0',
    ...(command === 'serve' ? ['--no-open'] : []),
  ]
  await using tab = spawnCli(args, { env: { TMPDIR: temporary.path, TEMP: temporary.path } })
  const folder = await until(
    'the data folder',
    () => /^Data folder: (.+) \(deleted when Tabscope stops\)$/m.exec(tab.stderr())?.[1],
  )
  expect(path.dirname(folder)).toBe(temporary.path)
  expect(await readdir(folder)).toContain('tabscope.db')
  const [, address = ''] = /Receiving webhooks at (\S+)/.exec(tab.stderr()) ?? []
  expect((await fetch(address, { method: 'POST', body: goodBody })).status).toBe(200)
  tab.child.kill(signal)
  expect((await tab.ended).code).toBe(0)
  expect(await readdir(temporary.path)).toEqual([])
})

test.runIf(full)('a run with --ephemeral that cannot start leaves no folder', async () => {
  await using temporary = ownedFolder()
  await using taken = await listenOnLoopback(createServer())
  const { port } = taken
  const args = ['listen', '--ephemeral', '--port', String(port), '--json']
  const { code } = await runSpawnedCli(args, {
    env: { TMPDIR: temporary.path, TEMP: temporary.path },
  })
  expect(code).toBe(1)
  expect(await readdir(temporary.path)).toEqual([])
})
