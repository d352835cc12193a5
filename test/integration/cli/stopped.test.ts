import { expect, test } from 'vitest'
import { spawnCli, spawnListening } from '#test/support/run-cli.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const noStops = process.platform === 'win32'

test.skipIf(noStops)('commands name a stopped Tabscope while they wait for it', async () => {
  const folder = tempFolder()
  await using tab = await spawnListening(folder)
  const sentence = `Tabscope (process ${tab.child.pid}) does not answer. If it was stopped, continue it: kill -CONT ${tab.child.pid}. Still waiting for it.\n`
  tab.child.kill('SIGSTOP')
  await using endpoints = spawnCli(['endpoint', 'list', '--data', folder], { stdin: '' })
  await using settings = spawnCli(['settings', 'set', 'theme', 'dark', '--data', folder], {
    stdin: '',
  })
  await using list = spawnCli(['delivery', 'list', '--data', folder], { stdin: '' })
  const running = [endpoints, settings, list]
  await until('the notices', () => running.every(({ stderr }) => stderr() === sentence))
  tab.child.kill('SIGCONT')
  for (const { ended } of running) {
    const { code, stderr } = await ended
    expect(code).toBe(0)
    expect(stderr.startsWith(sentence)).toBe(true)
  }
})
