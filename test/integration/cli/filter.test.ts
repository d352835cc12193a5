import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { post, testSecret } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const folder = ownedFolder()
// Registered first, so that it runs last.
afterAll(() => folder[Symbol.asyncDispose]())
const held = engineOnFolder(() => folder.path, { secret: testSecret })

beforeAll(async () => {
  const { path } = held()
  await held().receive(
    ...Array.from({ length: 12 }, (_, n) => {
      const type = n % 3 === 0 ? 'ORDER_PLACED' : 'OPEN_TAB'
      return post(path, `{"type":"${type}","targetUuid":"tab-${n}","data":{"total":${n}}}`)
    }),
  )
})

const list = (...args: string[]) => runCli(['delivery', 'list', '--data', folder.path, ...args])

test('delivery list --filter prints the matching ones, and --limit counts those', async () => {
  const filter = ['--filter', 'verdict:valid (type:ORDER_PLACED or "tab 1")']
  const all = await list(...filter, '--json')
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(jsonLines(all.stdout).map(({ id }) => id)).toEqual([10, 7, 4, 2, 1])
  const some = await list(...filter, '--limit', '2', '--json')
  expect(some.stderr).toBe('2 of 5 deliveries. Use --limit N for more.\n')
  expect(jsonLines(some.stdout).map(({ id }) => id)).toEqual([10, 7])
})

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
