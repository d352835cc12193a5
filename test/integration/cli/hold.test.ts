import { expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { deliver, forwardTo } from '#test/support/forwarding.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { post, sign, testSecret } from '#test/support/requests.ts'
import { runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const order = '{"type":"ORDER_PLACED","data":{"total":42.50}}'

test('hold add, list, edit, drop, release and respond', async () => {
  await using folder = ownedFolder()
  await using tab = await openTabscope(folder.path, { secret: testSecret })
  const hold = async (command: string) => {
    const args = ['hold', ...command.split(' '), '--data', folder.path]
    const { code, stdout, stderr } = await runCli(args)
    expect({ command, code, stderr }).toMatchObject({ code: 0 })
    return { text: stdout.toString(), stderr }
  }
  const heldIds = (count: number): Promise<string[]> =>
    until(`${count} held`, async () => {
      const ids = (await hold('list -q')).text.split('\n').filter((line) => line !== '')
      return ids.length === count ? ids : null
    })
  expect((await hold('add --next 1')).stderr).toContain('No forward target is on')
  await hold('stop')

  await using handler = await loopbackService((_, response) => void response.end())
  await using _forward = await forwardTo(tab, handler.baseUrl)
  const added = await hold('add --filter ORDER_PLACED')
  expect(added).toEqual({
    text: 'Added hold rule 2: every delivery before forwarding, filter type:ORDER_PLACED\n',
    stderr: '',
  })
  for (let n = 0; n < 3; n += 1) await deliver(tab, post(tab.path, order))
  expect(await heldIds(3)).toEqual(['1', '2', '3'])
  expect((await hold('list')).text).toContain(handler.baseUrl)

  await hold('edit 1 --set data.total=0 --header X-Edited:yes')
  await until('the edited one', () => handler.arrived.length === 1)
  const edited = order.replace('42.50', '0')
  expect(handler.arrived[0]?.body.toString()).toBe(edited)
  expect(handler.arrived[0]?.headers).toMatchObject({
    'x-edited': 'yes',
    'x-service-signature': sign(edited),
  })
  // A later one that is not held.
  await deliver(tab, post(tab.path, '{"type":"OPEN_TAB"}'))
  expect((await hold('drop latest')).text).toBe('Dropped 1 delivery: 3\n')
  expect((await hold('release --all --json')).text).toBe('{"event":"released","ids":[2]}\n')
  await until('the released one and the one that was not held', () => handler.arrived.length === 3)
  await hold('stop')
  const none = await runCli(['hold', 'release', 'latest', '--data', folder.path])
  expect(none.stderr).toContain('Nothing is held.')

  await hold('add --at response --next 1 --limit 60s')
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, order))
  await heldIds(1)
  await hold('respond --all --status 503 --body busy')
  expect(await client.answer()).toMatchObject({ status: 503, body: 'busy' })

  // What is exported includes the edited request.
  const exported = await runCli(['export', '--no-redact', '--yes', '--data', folder.path])
  expect(exported.stdout.toString()).toContain(JSON.stringify(edited))
})
