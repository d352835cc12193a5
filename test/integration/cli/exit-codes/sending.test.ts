import { afterAll, beforeAll, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { goodBody, post, sign } from '#test/support/requests.ts'
import { runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { expectExitCodes, type Row } from './rows.ts'

const folder = ownedFolder()
let service: LoopbackService
// Registered first, so that it runs last.
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})
const held = engineOnFolder(() => folder.path)

beforeAll(async () => {
  service = await loopbackService(({ url }, response) => {
    response.writeHead(url === '/500' ? 500 : 200).end()
  })
  const { path } = held()
  await held().receive(post(path, goodBody), post(path, goodBody))
  // Job 1 is paused with one delivery waiting.
  const to = ['--to', `${service.baseUrl}/500`, '--data', folder.path]
  await runCli(['resend', '1', '2', '--stop-on-failure', ...to])
})

const right = sign(goodBody, 'a')
const wrong = sign(goodBody, 'b')

/** `{ok}` and `{fails}` are URLs of a server that responds with 200 or 500. */
const rows: readonly Row[] = [
  ['resend latest --to {ok}', 0],
  ['resend 1 2 --to {ok}', 0],
  ['resend --filter type:OPEN_TAB --to {ok} --dry-run', 0],
  ['resend 1 --to {fails}', 1],
  ['resend 1 2 --to {fails}', 1],
  ['resend 1 --to ftp://a', 1, 'bad_target'],
  ['resend --to {ok}', 2, 'usage'],
  ['resend x --to {ok}', 2, 'usage'],
  ['resend 1 --filter x --to {ok}', 2, 'usage'],
  ['resend 1 --keep --unsigned --to {ok}', 2, 'usage'],
  ['resend 1 --sign previous --to {ok}', 1, 'secret_unavailable'],
  ['resend 1 --body /nowhere/body --to {ok}', 2, 'bad_input'],
  ['resend 1 --set nothing --to {ok}', 2, 'bad_set'],
  ['resend --filter type: --to {ok}', 2, 'bad_filter'],
  ['resend 99 --to {ok}', 3, 'not_found'],
  ['resend 1 99 --to {ok}', 3, 'not_found'],
  ['resend --filter type:NOTHING --to {ok}', 3, 'not_found'],
  ['resend --continue 99', 3, 'not_found'],
  ['resend 1 --sign nope --to {ok}', 3, 'not_found'],
  ['resend 1 --to http://203.0.113.7/', 4, 'target_unconfirmed'],
  ['resend 1 2 --to http://203.0.113.7/', 4, 'target_unconfirmed'],

  ['compose --type OPEN_TAB --to {ok}', 0],
  ['compose --type OPEN_TAB --to {fails}', 1],
  ['compose --to {ok}', 2, 'usage'],
  ['compose --body /nowhere/body --to {ok}', 2, 'bad_input'],
  ['compose --template nope --to {ok}', 3, 'not_found'],
  ['compose --from 99 --to {ok}', 3, 'not_found'],
  ['compose --type OPEN_TAB --to http://203.0.113.7/', 4, 'target_unconfirmed'],

  ['trigger OPEN_TAB', 0],
  ['trigger OPEN_TAB --to {fails}', 1],
  ['trigger OPEN_TAB --through-tunnel', 1, 'bad_target'],
  ['trigger OPEN_TB', 2, 'usage'],
  ['trigger OPEN_TAB --to ftp://a', 2, 'bad_target'],

  [`verify - --secret a --signature ${right}`, 0],
  [`verify - --secret a --signature ${wrong}`, 1],
  ['verify - --secret a', 2, 'usage'],
  [`verify /nowhere/body --secret a --signature ${right}`, 2, 'bad_input'],

  ['forward add {ok} --timeout 2s', 0],
  ['forward add ftp://a', 1, 'bad_target'],
  ['forward add {ok} --retries 21', 2, 'usage'],
  ['forward add {ok} --endpoint nope', 3, 'not_found'],
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

  ['hold', 2, 'usage'],
  ['hold add --limit 20s', 2, 'usage'],
  ['hold add --filter type:', 2, 'bad_filter'],
  ['hold add --next 101', 2, 'usage'],
  ['hold add --next 3', 0],
  ['hold list', 0],
  ['hold release', 2, 'usage'],
  ['hold release 1 --all', 2, 'usage'],
  ['hold release --all', 0],
  ['hold release 1', 3, 'not_found'],
  ['hold edit 1', 2, 'usage'],
  ['hold edit 1 --unsigned', 3, 'not_found'],
  ['hold drop 1', 3, 'not_found'],
  ['hold respond 1', 3, 'not_found'],
  ['hold stop 99', 3, 'not_found'],
  ['hold stop', 0],

  ['job list', 0],
  ['job list --limit 0', 2, 'usage'],
  ['job show 1', 0],
  ['job show x', 2, 'usage'],
  ['job show 99', 3, 'not_found'],
  ['job pause 1', 0],
  ['job pause 99', 3, 'not_found'],
  ['job retry 1', 1, 'in_use'],
  ['job resume 1', 1],
  ['job resume 1', 1, 'run_over'],
  ['job resume 99', 3, 'not_found'],
  ['job retry 1', 1],
  ['job retry 99', 3, 'not_found'],
  ['job cancel 1', 0],
  ['job cancel 99', 3, 'not_found'],
  ['job cancel x', 2, 'usage'],
]

test('commands that send', () =>
  expectExitCodes(
    rows,
    folder.path,
    { ok: `${service.baseUrl}/ok`, fails: `${service.baseUrl}/500` },
    { stdin: goodBody },
  ))

test('trigger and hold require a running Tabscope', async () => {
  await using empty = ownedFolder()
  const commands = ['trigger OPEN_TAB', 'hold add', 'hold list', 'hold release --all']
  const refused = commands.map((command): Row => [command, 1, 'listener_down'])
  await expectExitCodes(refused, empty.path)
})
