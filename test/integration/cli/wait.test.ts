import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestEngine } from '#test/support/engine.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, spawnCli, startCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const deliver = (tab: TestEngine, ...bodies: (string | Uint8Array)[]) =>
  tab.receive(...bodies.map((body) => post(tab.path, body)))

const order = '{"type":"ORDER_PLACED"}'

test('wait exits with 0 once enough deliveries match, and prints only these', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path)
  await deliver(tab, order)
  const words = ['--filter=type:ORDER_PLACED or type:NONE', '--count=2', '--timeout=60s']
  await using waiting = startCli(['wait', ...words, '--json', `--data=${folder.path}`])
  // Deliveries from before the command do not count, such as the first one.
  await until('the first match', async () => {
    await deliver(tab, order, goodBody)
    return waiting.lines().length > 0
  })
  await deliver(tab, goodBody, order)
  const { code, stdout, stderr } = await waiting.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const printed = jsonLines(stdout)
  expect(printed).toHaveLength(2)
  for (const delivery of printed) {
    expect(delivery).toMatchObject({ event: 'delivery', type: 'ORDER_PLACED' })
    expect(delivery['id']).toBeGreaterThan(1)
  }
})

test('wait finds a delivery that matches only after a change', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path)
  const words = ['--since=1h', '--filter=tag:seen', '--json']
  await using waiting = startCli(['wait', ...words, `--data=${folder.path}`])
  await deliver(tab, order, goodBody)
  await tab.engine.call('deliveries.annotate', { id: 1, addTags: ['seen'] })
  const { code, stdout } = await waiting.ended
  expect({ code, ids: jsonLines(stdout).map(({ id }) => id) }).toEqual({ code: 0, ids: [1] })
})

test('wait does not lock the folder: it can be started before listen', async () => {
  await using folder = ownedFolder()
  await using waiting = startCli(['wait', '--json', '--data', folder.path])
  await until('its message', () => waiting.stderr() !== '')
  expect(waiting.stderr()).toBe(`Waiting for Tabscope to start on ${folder.path}.\n`)
  await using tab = await openTabscope(folder.path)
  await deliver(tab, order)
  const { code, stdout } = await waiting.ended
  expect({ code, ids: jsonLines(stdout).map(({ id }) => id) }).toEqual({ code: 0, ids: [1] })
})

test.skipIf(process.platform === 'win32')('Ctrl+C ends wait with 130', async () => {
  await using folder = ownedFolder()
  await using waiting = spawnCli(['wait', '--json', '--data', folder.path])
  await until('its message', () => waiting.stderr() !== '')
  waiting.kill('SIGINT')
  const { code, stdout } = await waiting.ended
  expect(code).toBe(130)
  expect(jsonLines(stdout)).toMatchObject([{ event: 'failed', code: 'interrupted' }])
  expect(existsSync(`${folder.path}/tabscope.db`)).toBe(false)
})
