import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { ask } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

test('respond changes a running Tabscope', async () => {
  await using folder = ownedFolder()
  const run = async (...args: string[]) => {
    const result = await runCli([...args, '--data', folder.path, '--json'])
    return { code: result.code, lines: jsonLines(result.stdout) }
  }
  await using listening = await openTabscope(folder.path)
  const statusOf = async (body: string | Uint8Array): Promise<number> =>
    (await ask(listening.port, post(listening.path, body))).status
  expect(
    await run('respond', '--status', '503', '--type', 'OPEN_TAB', '--first', '2', '--body', 'busy'),
  ).toMatchObject({
    code: 0,
    lines: [{ event: 'rule', type: 'OPEN_TAB', enabled: true, matchCount: 0 }],
  })
  expect([
    await statusOf(goodBody),
    await statusOf('{"type":"CLOSE_TAB"}'),
    await statusOf(goodBody),
    await statusOf(goodBody),
  ]).toEqual([503, 200, 503, 200])
  await run('respond', '--drop')
  await expect(statusOf('{"type":"CLOSE_TAB"}')).rejects.toThrow('ended after 0')
  expect((await run('respond', 'off')).lines.map(({ enabled }) => enabled)).toEqual([false, false])
  expect(await statusOf('{"type":"CLOSE_TAB"}')).toBe(200)
})

test.runIf(full)('respond keeps the IDs of the other rules, and removes a single one', async () => {
  await using folder = ownedFolder()
  const run = (...args: string[]) => runCli(['respond', ...args, '--data', folder.path, '--json'])
  const rules = async () =>
    jsonLines((await run('list')).stdout).map(({ id, type }) => ({ id, type }))
  for (const args of [['--type', 'OPEN_TAB'], ['--type', 'CLOSE_TAB'], []])
    expect((await run('--status', '500', ...args)).code).toBe(0)
  const [close, open, every] = await rules()
  expect([close?.type, open?.type, every?.type]).toEqual(['CLOSE_TAB', 'OPEN_TAB', null])
  await run('--status', '503', '--type', 'CLOSE_TAB')
  expect((await rules()).slice(1)).toEqual([open, every])
  const removed = await run('remove', String(open?.id))
  expect(jsonLines(removed.stdout)).toEqual([{ event: 'removed', kind: 'rule', id: open?.id }])
  expect((await rules()).map(({ type }) => type)).toEqual(['CLOSE_TAB', null])
  const { code, stderr } = await run('remove', String(open?.id))
  expect(code).toBe(3)
  expect(stderr).toMatch(/^Response rule \d+ does not exist\. Available: \d+, \d+\.\n$/)
})

test.runIf(full)(
  'a repeated forward add changes the target instead of adding another',
  async () => {
    await using folder = ownedFolder()
    const run = async (...args: string[]) =>
      jsonLines((await runCli(['forward', ...args, '--data', folder.path, '--json'])).stdout)
    const url = 'http://127.0.0.1:9/'
    const [first] = await run('add', url, '--types', 'OPEN_TAB,CLOSE_TAB')
    await run('off', String(first?.['id']))
    const [again] = await run('add', url, '--types', 'CLOSE_TAB,OPEN_TAB', '--retries', '2')
    expect(again).toMatchObject({ id: first?.['id'], enabled: true, retries: 2 })
    await run('add', url)
    expect((await run('list')).map(({ types }) => types)).toEqual([['CLOSE_TAB', 'OPEN_TAB'], []])
  },
)

test('a delivery is sent once to a URL that is both a stored target and that of --forward-to', async () => {
  await using folder = ownedFolder()
  await using service = await loopbackService((_, response) => void response.writeHead(204).end())
  const url = `${service.baseUrl}/hooks`
  await runCli(['forward', 'add', url, '--types', 'OPEN_TAB', '--data', folder.path])
  {
    await using listening = await startListening(folder.path, ['listen', '--forward-to', url])
    await ask(listening.port, post(listening.path, goodBody))
    await until('the forward', () => listening.lines().find(({ event }) => event === 'forward'))
  }
  expect(service.arrived).toHaveLength(1)
})
