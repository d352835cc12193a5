import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDesktop, type Desktop } from '../support/electron-double/launch.ts'
import { jsonLines, runCli } from '../support/run-cli.ts'
import { freePort } from '#test/support/free-port.ts'
import { connected, root, tempDir } from './harness.ts'

let desktop: Desktop
beforeAll(async () => {
  desktop = await openDesktop()
})
afterAll(async () => desktop.close())

it('takes the commands of the command line while it runs, and seals what they bring with its own box', async () => {
  using data = tempDir()
  const args = ['--data', data.path, '--port', String(await freePort())]
  const app = desktop.start({ root, args })
  await connected(await app.window())
  const set = ['integration', 'set', '--name', 'From outside', '--json', '--data', data.path]
  const { code, stdout, stderr } = await runCli([...set, '--access-secret', 'a long enough secret'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(jsonLines(stdout)).toMatchObject([
    { name: 'From outside', accessSecret: { set: true, unavailable: false } },
  ])
  app.kill('SIGTERM')
  expect(await app.exited).toBe(0)
  // Sealed by the desktop app: without it the command line cannot open it, and says so.
  const show = ['integration', 'show', 'From outside', '--json', '--data', data.path]
  expect(jsonLines((await runCli(show)).stdout)).toMatchObject([
    { accessSecret: { set: true, unavailable: true } },
  ])
})
