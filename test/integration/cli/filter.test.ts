import { afterAll, beforeAll, expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { head, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

const folder = ownedFolder()
const secret = 'a secret of the filter tests'
let tab: Listening

const bodies = Array.from(
  { length: 60 },
  (_, n) =>
    `{"type":"${n % 3 === 0 ? 'ORDER_PLACED' : 'OPEN_TAB'}","targetUuid":"tab-${n}","locationName":"Pier 9","data":{"total":${n}}}`,
)

beforeAll(async () => {
  tab = await startListening(folder.path, ['listen', '--secret', secret])
  await using client = await rawClient(tab.port)
  for (const [n, body] of bodies.entries()) {
    const signature = n % 10 === 0 ? 'wrong' : sign(body, secret)
    await client.send(
      Buffer.concat([
        head(`POST ${tab.path} HTTP/1.1`, [
          'Host: a',
          `Content-Length: ${body.length}`,
          `X-Service-Signature: ${signature}`,
        ]),
        Buffer.from(body),
      ]),
    )
    await client.answers(n + 1)
  }
})

afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const list = (...args: string[]) => runCli(['deliveries', 'list', '--data', folder.path, ...args])

async function ids(...args: string[]): Promise<unknown[]> {
  const { code, stdout, stderr } = await list('--json', ...args)
  expect(code).toBe(0)
  // Truncation is reported on stderr, not in the output.
  expect(stderr).toMatch(
    /^(\d+ of \d+ deliveries\. Use --limit N for more\.\n|No delivery matches\.\n)?$/,
  )
  return jsonLines(stdout).map(({ id }) => id)
}

const invalid = [51, 41, 31, 21, 11, 1]
const cases: [filter: string, expected: number[]][] = [
  ['verdict:invalid', invalid],
  ['verdict:invalid type:ORDER_PLACED', [31, 1]],
  ['data.total:>57 or target:tab-3', [60, 59, 4]],
  ['"tab 7"', [8]],
  ['location:"Pier 9" -verdict:valid since:1d', invalid],
  ['before:1d', []],
]

test.each(cases)('deliveries list --filter %s while Tabscope runs', async (filter, expected) => {
  expect(await ids('--filter', filter)).toEqual(expected)
})

test('--limit counts matching deliveries', async () => {
  expect(await ids('--filter', 'verdict:invalid', '--limit', '2')).toEqual([51, 41])
  const { stderr } = await list('--filter', 'verdict:invalid', '--limit', '2')
  expect(stderr).toBe('2 of 6 deliveries. Use --limit N for more.\n')
  expect((await list('--filter', 'verdict:invalid')).stderr).toBe('')
  expect(await ids('--filter=-type:OPEN_TAB', '--limit', '3')).toEqual([58, 55, 52])
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

test('a filter works on the data of a Tabscope that was killed', async () => {
  tab.child.kill('SIGKILL')
  await tab.ended
  for (const [filter, expected] of cases) expect(await ids('--filter', filter)).toEqual(expected)
})
