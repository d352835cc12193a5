import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli, spawnCli, startCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const order = '{"type":"ORDER_PLACED"}'

test('tail prints what listen prints: the newest deliveries, then new ones with their forwards', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path)
  await using handler = await loopbackService((_, response) => void response.writeHead(401).end())
  await tab.receive(post(tab.path, order), post(tab.path, goodBody))
  const [{ id: endpointId } = { id: 0 }] = (await tab.engine.call('app.snapshot', {})).endpoints
  await tab.engine.call('forwards.add', { endpointId, url: `${handler.baseUrl}/hooks` })
  await using tailing = startCli(['tail', '-n', '1', '--data', folder.path])
  await until('the stored delivery', () => tailing.stdout().includes('OPEN_TAB'))
  expect(tailing.stderr()).toMatch(/^ +ID {2}RECEIVED .+ FINDINGS\n$/)
  await tab.receive(post(tab.path, order))
  await until('its forward', () => tailing.stdout().includes('→'))
  const { host } = new URL(handler.baseUrl)
  expect(tailing.stdout().split('\n')).toEqual([
    expect.stringMatching(/^ +2 .+ \? unchecked +OPEN_TAB /),
    expect.stringMatching(/^ +3 .+ \? unchecked +ORDER_PLACED /),
    expect.stringMatching(new RegExp(`^ {5}3 {2}→ ${host} {2}401 {2}\\d+ ms$`)),
    '',
  ])
  await tab.close()
  const { code, stderr } = await tailing.ended
  expect(code).toBe(0)
  expect(stderr).toMatch(/\nTabscope has stopped\.\n$/)
})

test('tail without a running Tabscope fails, and names how to start it', async () => {
  await using folder = ownedFolder()
  const { code, stdout, stderr } = await runCli(['tail', '--json', '--data', folder.path])
  expect(code).toBe(1)
  expect(jsonLines(stdout)).toMatchObject([{ event: 'failed', code: 'listener_down' }])
  expect(stderr).toBe(`Tabscope is not running on ${folder.path}. To start it: tabscope listen\n`)
})

test.skipIf(process.platform === 'win32')('Ctrl+C ends tail with 0, as listen', async () => {
  await using folder = ownedFolder()
  await using _ = await openTabscope(folder.path)
  await using tailing = spawnCli(['tail', '--data', folder.path])
  await until('its first line', () => tailing.stderr() !== '')
  tailing.kill('SIGINT')
  const { code } = await tailing.ended
  expect(code).toBe(0)
})
