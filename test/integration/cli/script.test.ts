import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'

const order = JSON.stringify({ type: 'ORDER_PLACED', data: { spotName: 'T4', total: 3 } })
const source = `// Äpfel
export default (delivery, { log }) => {
  log('at', delivery.body.data.spotName)
  return { headers: { 'X-At': 'T4' }, body: { ...delivery.body, data: { total: 4 } } }
}
`
const { folder, tab } = sharedTabscope()
let file = ''

beforeAll(async () => {
  await tab().receive(post(tab().path, order))
  file = path.join(folder, 'table.ts')
  await writeFile(file, source)
})
async function cli(...args: readonly string[]) {
  const { code, stdout, stderr } = await runCli([...args, '--data', folder])
  return { code, text: stdout.toString(), stderr, lines: () => jsonLines(stdout) }
}

test('a file is run on a delivery: the difference, the log, and errors at their place', async () => {
  const run = await cli('script', 'run', file, 'latest')
  expect(run.text).toContain('+ X-At: T4')
  expect(run.text).toContain('- data.spotName: "T4"')
  expect(run.text).toContain('~ data.total: 3 → 4')
  expect(run.text).toContain('at T4')
  expect(run.code).toBe(0)
  const json = await cli('script', 'run', file, '1', '--json')
  expect(json.lines()).toMatchObject([
    {
      event: 'script_run',
      deliveryId: 1,
      result: { kind: 'request', headers: [['X-At', 'T4']], sign: 'auto' },
      changes: { headers: [{ name: 'X-At', change: 'added' }], body: { equal: false } },
      log: ['at T4'],
    },
  ])
  const broken = path.join(folder, 'broken.ts')
  await writeFile(broken, 'export default (delivery) => {\n  missing()\n}\n')
  const failed = await cli('script', 'run', broken, 'latest')
  expect(failed.text).toMatch(/^Line 2, column 3: .*missing/)
  expect(failed.code).toBe(1)
  await writeFile(broken, 'export default (delivery) => {\n  const a = = 1\n}\n')
  expect((await cli('script', 'save', 'broken', broken)).stderr).toContain('Line 2: ')
})

test('a script is saved, shown as it is, replaced only on request, and not deleted while it is used', async () => {
  await using handler = await loopbackService((_, response) => void response.writeHead(200).end())
  expect((await cli('script', 'save', 'table', file)).code).toBe(0)
  expect((await cli('script', 'show', 'table')).text).toBe(source)
  const respond = ['respond', 'add', '--script', 'table']
  expect((await cli(...respond, '--on-script-failure', 'hold', '--json')).lines()).toMatchObject([
    { response: { kind: 'script', script: 'table', onFailure: 'hold' } },
  ])
  expect((await cli('forward', 'add', handler.baseUrl, '--script', 'none')).stderr).toContain(
    'Available: table',
  )
  const forward = await cli('forward', 'add', handler.baseUrl, '--script', 'table', '--json')
  expect(forward.lines()).toMatchObject([{ script: 'table', onScriptFailure: 'continue' }])
  const uses = 'response rule 1, forward target 1'
  expect((await cli('script', 'list')).text).toContain(uses)
  expect(await cli('script', 'save', 'table', file)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`used by ${uses}. Confirm with --replace.`),
  })
  expect((await cli('script', 'save', 'table', file, '--replace')).code).toBe(0)
  expect((await cli('script', 'delete', 'table', '--yes')).stderr).toContain(`used by ${uses}`)
  await cli('respond', 'remove', '1')
  await cli('forward', 'remove', '1')

  const resent = ['resend', '1', '--to', handler.baseUrl, '--script', 'table']
  expect((await cli(...resent)).code).toBe(0)
  expect(handler.arrived.at(-1)?.headers['x-at']).toBe('T4')
  expect((await cli('script', 'delete', 'table', '--yes')).code).toBe(0)
  expect((await cli('script', 'run', 'table', 'latest')).stderr).toContain(
    'Script "table" does not exist',
  )
})

test('a script that failed is named with its delivery where it is used, also when nothing runs', async () => {
  await using handler = await loopbackService((_, response) => void response.writeHead(200).end())
  await writeFile(file, 'export default (delivery) => {\n  return delivery.body.none.a\n}\n')
  expect((await cli('script', 'save', 'broken', file)).code).toBe(0)
  const target = ['forward', 'add', handler.baseUrl, '--script', 'broken']
  expect((await cli(...target)).code).toBe(0)
  await tab().receive(post(tab().path, order))
  const id = await until('the attempt', async () => {
    const { rows } = await tab().engine.call('attempts.list', {})
    return rows.find(({ scriptFailed }) => scriptFailed)?.deliveryId
  })
  const said = new RegExp(`1 delivery, last ${id}: Line 2, column \\d+: `)
  const seen = async (): Promise<void> => {
    expect((await cli('script', 'list')).text).toMatch(said)
    expect((await cli('forward', 'list')).text).toMatch(said)
    expect((await cli('attempt', 'list')).text).toContain('the script failed')
    const listed = (await cli('script', 'list', '--json')).lines()
    expect(listed).toMatchObject([{ name: 'broken', failed: { count: 1, deliveryId: id } }])
  }
  await seen()
  await tab().close()
  await seen()
})
