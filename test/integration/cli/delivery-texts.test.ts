import { beforeAll, expect, test } from 'vitest'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { runCli } from '#test/support/run-cli.ts'

const { folder, tab: held } = sharedTabscope()

beforeAll(async () => {
  const { path } = held()
  await held().receive(
    post(path, goodBody),
    post(path, JSON.stringify({ type: '\u001B[31mRED' })),
    head('GET /elsewhere HTTP/1.1', ['Host: a']),
  )
})

const run = (...args: string[]) => runCli([...args, '--data', folder])

test('what is tagged is a line with the tags', async () => {
  const { stdout } = await run('delivery', 'annotate', '2', '--tag', 'to fix', '--tag', ' seen ')
  expect(stdout.toString()).toContain(String.raw`\u001b[31mRED`)
  expect(stdout.toString()).toContain('(pinned) #to fix #seen\n')
})

const list = (...args: string[]) => run('delivery', 'list', ...args)

test('an invalid filter is shown with a mark under the error, and exit code 2', async () => {
  const { code, stdout, stderr } = await list('--filter', 'type:A status:>=4x0')
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' })
  expect(stderr.split('\n')).toEqual([
    'type:A status:>=4x0',
    '                ^^^',
    '"4x0" is not a whole number, as in status:>=400, or none.',
    '',
  ])
  const hostile = await list('--filter', 'a\u001b[31m foo:bar')
  expect(hostile.stderr.split('\n').slice(0, 2)).toEqual([
    String.raw`a\u001b[31m foo:bar`,
    `${' '.repeat(12)}^^^`,
  ])
})
