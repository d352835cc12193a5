import path from 'node:path'
import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const targetsIn = async (folder: string) =>
  jsonLines((await runCli(['forward', 'list', '--json', `--data=${folder}`])).stdout)

test('backup writes one file while Tabscope runs, and restore opens it in another folder', async () => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'friday.backup')
  const data = path.join(folder.path, 'data')
  {
    await using tab = await openTabscope(data)
    await tab.receive(post(tab.path, goodBody), post(tab.path, goodBody))
    await runCli(['scenario', 'save', 'both', '1', '2', `--data=${data}`])
    await runCli(['forward', 'add', 'http://127.0.0.1:9', `--data=${data}`])
    const done = await runCli(['backup', file, '--json', `--data=${data}`])
    expect(jsonLines(done.stdout)).toMatchObject([{ event: 'backup', path: file }])
    const again = await runCli(['backup', file, `--data=${data}`])
    expect(again).toMatchObject({ code: 2 })
    expect(again.stderr).toContain('Choose another name')
    expect(await runCli(['backup', file, '--force', `--data=${data}`])).toMatchObject({ code: 0 })
  }
  const restored = path.join(folder.path, 'restored')
  const done = await runCli(['restore', file, '--json', `--data=${restored}`])
  const line = { event: 'restored', dataDir: restored, deliveries: 2, turnedOff: true }
  expect(jsonLines(done.stdout)).toEqual([line])
  expect(done.stderr).toContain('Turned off: 1 forward target.')
  expect(await targetsIn(restored)).toMatchObject([{ enabled: false }])
  const scenario = await runCli(['scenario', 'show', 'both', '--json', `--data=${restored}`])
  expect(jsonLines(scenario.stdout)).toMatchObject([
    { event: 'scenario', deliveries: 2 },
    { event: 'scenario_delivery', id: 1 },
    { event: 'scenario_delivery', id: 2 },
  ])
  const turnedOn = path.join(folder.path, 'turned-on')
  await runCli(['restore', file, '--yes', `--data=${turnedOn}`])
  expect(await targetsIn(turnedOn)).toMatchObject([{ enabled: true }])
  const twice = await runCli(['restore', file, `--data=${restored}`])
  expect(twice.code).toBe(2)
  expect(twice.stderr).toContain('There is already data')
})
