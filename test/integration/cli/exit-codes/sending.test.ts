import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startListening, type Listening } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'

let folder: OwnedFolder
let listening: Listening
let service: LoopbackService

const run = (args: readonly string[]) =>
  runCli([...args, '--data', folder.path, '--json'], { stdin: goodBody })

beforeAll(async () => {
  folder = ownedFolder()
  listening = await startListening(folder.path)
  service = await loopbackService(({ url }, response) => {
    response.writeHead(url === '/500' ? 500 : 200).end()
  })
  await using client = await rawClient(listening.port)
  for (let count = 0; count < 2; count += 1) {
    await client.send(post(listening.path, goodBody))
    await client.answer()
  }
  // Job 1 is paused with one delivery waiting.
  await run(['resend', '1', '2', '--to', `${service.baseUrl}/500`, '--stop-on-failure'])
})
afterAll(async () => {
  await listening[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const right = sign(goodBody, 'a')
const wrong = sign(goodBody, 'b')

/** The arguments, the exit code, and the code of the `failed` line, if any. OK and FAILS stand for URLs. */
const cases: readonly (readonly [string, number, string?])[] = [
  ['resend latest --to OK', 0],
  ['resend 1 2 --to OK', 0],
  ['resend --filter type:OPEN_TAB --to OK --dry-run', 0],
  ['resend 1 --to FAILS', 1],
  ['resend 1 2 --to FAILS', 1],
  ['resend 1 --to ftp://a', 1, 'bad_target'],
  ['resend --to OK', 2, 'usage'],
  ['resend x --to OK', 2, 'usage'],
  ['resend 1 --set nothing --to OK', 2, 'bad_set'],
  ['resend --filter type: --to OK', 2, 'bad_filter'],
  ['resend 99 --to OK', 3, 'not_found'],
  ['resend 1 99 --to OK', 3, 'not_found'],
  ['resend --filter type:NOTHING --to OK', 3, 'not_found'],
  ['resend --continue 99', 3, 'not_found'],
  ['resend 1 --sign nope --to OK', 3, 'not_found'],
  ['resend 1 --to http://203.0.113.7/', 4, 'target_unconfirmed'],
  ['resend 1 2 --to http://203.0.113.7/', 4, 'target_unconfirmed'],

  ['compose --type OPEN_TAB --to OK', 0],
  ['compose --type OPEN_TAB --to FAILS', 1],
  ['compose --to OK', 2, 'usage'],
  ['compose --body /nowhere/body --to OK', 2, 'bad_input'],
  ['compose --template nope --to OK', 3, 'not_found'],
  ['compose --from 99 --to OK', 3, 'not_found'],
  ['compose --type OPEN_TAB --to http://203.0.113.7/', 4, 'target_unconfirmed'],

  ['trigger OPEN_TAB', 0],
  ['trigger OPEN_TAB --to FAILS', 1],
  ['trigger OPEN_TAB --through-tunnel', 1, 'bad_target'],
  ['trigger OPEN_TB', 2, 'usage'],
  ['trigger OPEN_TAB --to ftp://a', 2, 'bad_target'],

  [`verify - --secret a --signature ${right}`, 0],
  [`verify - --secret a --signature ${wrong}`, 1],
  ['verify - --secret a', 2, 'usage'],
  [`verify /nowhere/body --secret a --signature ${right}`, 2, 'bad_input'],

  ['forward add OK --timeout 2s', 0],
  ['forward add ftp://a', 1, 'bad_target'],
  ['forward add OK --retries 21', 2, 'usage'],
  ['forward add OK --endpoint nope', 3, 'not_found'],
  ['forward add http://203.0.113.7/', 4, 'target_unconfirmed'],
  ['forward list', 0],
  ['forward off 1', 0],
  ['forward off x', 2, 'usage'],
  ['forward off 99', 3, 'not_found'],
  ['forward on 1', 0],
  ['forward on x', 2, 'usage'],
  ['forward on 99', 3, 'not_found'],
  ['forward remove 1', 0],
  ['forward remove x', 2, 'usage'],
  ['forward remove 1', 3, 'not_found'],

  ['respond --status 503 --type CLOSE_TAB', 0],
  ['respond add --delay 10ms --type CLOSE_TAB', 0],
  ['respond add', 2, 'usage'],
  ['respond add --drop --status 500', 2, 'usage'],
  ['respond add --status 500 --endpoint nope', 3, 'not_found'],
  ['respond list', 0],
  ['respond list 1', 2, 'usage'],
  ['respond off', 0],
  ['respond off --endpoint nope', 3, 'not_found'],
  ['respond remove 99', 3, 'not_found'],
  ['respond remove 2', 0],
  ['respond remove x', 2, 'usage'],

  ['jobs list', 0],
  ['jobs list --limit 0', 2, 'usage'],
  ['jobs show 1', 0],
  ['jobs show x', 2, 'usage'],
  ['jobs show 99', 3, 'not_found'],
  ['jobs pause 1', 0],
  ['jobs pause 99', 3, 'not_found'],
  ['jobs retry 1', 1, 'in_use'],
  ['jobs resume 1', 1],
  ['jobs resume 1', 1, 'run_over'],
  ['jobs resume 99', 3, 'not_found'],
  ['jobs retry 1', 1],
  ['jobs retry 99', 3, 'not_found'],
  ['jobs cancel 1', 0],
  ['jobs cancel 99', 3, 'not_found'],
  ['jobs cancel x', 2, 'usage'],
]

test('each command that sends has the documented exit codes', async () => {
  const expected: unknown[] = []
  const found: unknown[] = []
  for (const [words, exitCode, failed] of cases) {
    const args = words
      .split(' ')
      .map((word) => word.replace(/^OK$/, `${service.baseUrl}/ok`))
      .map((word) => word.replace(/^FAILS$/, `${service.baseUrl}/500`))
    const { code, stdout, stderr } = await run(args)
    const last = jsonLines(stdout).at(-1)
    expected.push([words, exitCode, failed])
    found.push([words, code, last?.['event'] === 'failed' ? last['code'] : undefined])
    if (failed === undefined) continue
    expect(stderr.endsWith('\n'), words).toBe(true)
    expect(stderr, words).not.toContain('    at ')
  }
  expect(found).toEqual(expected)
})

test('trigger without a running Tabscope, and with a mistyped folder', async () => {
  const nowhere = ['--data', path.join(folder.path, 'none'), '--json']
  for (const [words, exitCode, failed] of [
    ['trigger OPEN_TAB', 1, 'listener_down'],
    ['resend 1', 3, 'not_found'],
    ['jobs list', 3, 'not_found'],
    ['forward list', 3, 'not_found'],
    ['respond list', 3, 'not_found'],
  ] as const) {
    const { code, stdout } = await runCli([...words.split(' '), ...nowhere])
    expect({ words, code, lines: jsonLines(stdout) }).toMatchObject({
      code: exitCode,
      lines: [{ event: 'failed', code: failed }],
    })
  }
})
