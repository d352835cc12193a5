import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const folder = ownedFolder()
// Registered first, so that it runs last.
afterAll(() => folder[Symbol.asyncDispose]())
const held = engineOnFolder(() => folder.path)

beforeAll(async () => {
  const { path } = held()
  await held().receive(
    post(path, goodBody),
    post(path, JSON.stringify({ type: '\u001B[31mRED' })),
    head('GET /elsewhere HTTP/1.1', ['Host: a']),
  )
})

const run = (...args: string[]) => runCli([...args, '--data', folder.path])

test('what is tagged is a line with the tags', async () => {
  const { stdout } = await run('delivery', 'annotate', '2', '--tag', 'to fix', '--tag', ' seen ')
  expect(stdout.toString()).toContain(String.raw`\u001b[31mRED`)
  expect(stdout.toString()).toContain('(pinned) #to fix #seen\n')
})

test('conformance counts by type and by time', async () => {
  const types = jsonLines((await run('conformance', '--since', 'yesterday', '--json')).stdout)
  expect(types).toMatchObject([
    { event: 'conformance', type: '\u001B[31mRED', count: 1 },
    { event: 'conformance', type: 'OPEN_TAB', count: 1 },
    {
      type: null,
      count: 1,
      firstId: 3,
      findings: expect.arrayContaining([
        expect.objectContaining({ code: 'request.no_endpoint', count: 1, firstId: 3, lastId: 3 }),
      ]),
    },
  ])
  const none = await run('conformance', '--before', '2020-01-01')
  expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining('No deliveries') })
  const text = (await run('conformance', '--utc')).stdout.toString()
  expect(text).toMatch(/^no type +1 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +3 {2}/m)
  expect(text).toMatch(/^no type +1 {2}warning +request\.no_endpoint +request /m)
  expect(text).toContain(String.raw`\u001b[31mRED`)
})

const list = (...args: string[]) => run('delivery', 'list', ...args)

test('delivery list --filter prints the matching ones, and --limit counts those', async () => {
  const filter = ['--filter', 'method:GET or type:OPEN_TAB', '--json']
  const all = await list(...filter)
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(jsonLines(all.stdout).map(({ id }) => id)).toEqual([3, 1])
  const some = await list(...filter, '--limit', '1')
  expect(some.stderr).toBe('1 of 2 deliveries. Use --limit N for more.\n')
  expect(jsonLines(some.stdout).map(({ id }) => id)).toEqual([3])
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
