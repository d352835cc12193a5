import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCliService } from '#test/support/cli-service.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { freePort } from '#test/support/free-port.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { goodBody, post, sign } from '#test/support/requests.ts'
import {
  hasTerminal,
  jsonLines,
  runCli,
  runSpawnedCli,
  startInTerminal,
} from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

// Of commands with usable arguments; `usage.test.ts` has those that are rejected before anything is opened.

const files = ownedFolder()
const file = (name: string): string => path.join(files.path, name)
const run = (...args: string[]) => runCli([...args, '--data', cli.folder])

const cli = await openCliService()
const mara = await cli.connect(['--label', 'Mara'])
const jonas = await cli.connect(['--label', 'Jonas'], 'jonas')
writeFileSync(file('text.ndjson'), 'hello\n')
afterAll(async () => {
  await cli[Symbol.asyncDispose]()
  await files[Symbol.asyncDispose]()
})

/**
 * Words separated by spaces, in which `%` is a space and `{name}` a value of the test; the exit code; and the code of the error, or the lines of
 * the output. Without the third, only that there is no error.
 */
type Row = readonly [command: string, exitCode: number, expected?: string | readonly object[]]

/** In this order, since some change the data. */
const deliveries: readonly Row[] = [
  ['delivery list', 0, [{ id: 4 }, { id: 3 }, { id: 2 }, { id: 1 }]],
  ['delivery ls -n 1', 0, [{ id: 4 }]],
  ['delivery list --type CLOSE_TAB --type none', 0, [{ id: 4 }, { id: 3 }]],
  ['delivery list --filter CLOSE_TAB%or%OPEN_TAB --finding none --limit 1', 0, [{ id: 2 }]],
  ['delivery list --finding body.not_json --since 1h', 0, [{ id: 4 }]],
  ['delivery list --finding body.* --before 1h', 0],
  ['delivery list --log none.tabscope', 3, 'not_found'],
  [
    'delivery show latest 98 1 99',
    3,
    [
      { id: 4 },
      { id: 1 },
      {
        code: 'not_found',
        message: 'Delivery 98, 99 does not exist. To list deliveries: tabscope delivery list',
      },
    ],
  ],
  ['delivery diagnose 1 latest', 0, [{ deliveryId: 1 }, { deliveryId: 4 }]],
  ['delivery diagnose 99', 3, 'not_found'],
  ['delivery trace latest 1', 0, [{ deliveryId: 4 }, { deliveryId: 1 }]],
  ['delivery trace 99', 3, 'not_found'],
  ['delivery diff 1 2', 0, [{ equal: true }]],
  ['delivery diff 1 latest', 1, [{ equal: false, deliveryIds: [1, 4] }]],
  ['delivery diff 1 99', 3, 'not_found'],
  ['resend 1 --to http://127.0.0.1:9/', 1],
  ['attempt list --delivery 1', 0, [{ event: 'attempt', deliveryId: 1, status: null }]],
  ['attempt list --delivery 1 --limit 1', 0, [{ event: 'attempt', id: 1 }]],
  ['attempt list --delivery 99', 3, 'not_found'],
  ['attempt show 1', 0, [{ id: 1, response: null, error: { code: 'refused' } }]],
  ['attempt show 1 99', 3, 'not_found'],
  ['delivery annotate latest 1 --note seen', 0, [4, 1].map((id) => ({ id, noted: true }))],
  ['delivery annotate 1 --note=', 0, [{ id: 1, noted: false }]],
  ['delivery annotate 99 2 --note seen', 3, [{ code: 'not_found' }]],
  ['delivery annotate 2 --tag bug --tag done', 0, [{ tags: ['bug', 'done'], pinned: true }]],
  ['delivery annotate 2 --untag done', 0, [{ tags: ['bug'], pinned: true }]],
  ['delivery annotate latest 3 --pin', 0, [4, 3].map((id) => ({ id, pinned: true }))],
  ['delivery annotate 3 --unpin', 0, [{ id: 3, pinned: false }]],
  ['delivery annotate 3', 2, 'usage'],
  ['delivery recheck 1 latest', 0, [{ checked: 2 }]],
  ['delivery recheck --type OPEN_TAB --dry-run', 0, [{ checked: 2, dryRun: true }]],
  ['delivery recheck --type ORDER_PLACED', 3, 'not_found'],
  ['delivery recheck 1 99', 3, [{ code: 'not_found' }]],
  ['conformance', 0, [{ type: 'CLOSE_TAB' }, { type: 'OPEN_TAB' }, { type: null }]],
  ['conformance --log none.tabscope', 3, 'not_found'],
  ['wait --since 1h --type CLOSE_TAB', 0, [{ id: 3 }]],
  ['wait --timeout 1ms', 1, 'timeout'],

  ['resend latest --to {ok}', 0],
  [
    'resend --filter type:OPEN_TAB --to {ok} --dry-run',
    0,
    [{ event: 'plan', requests: 2, targets: [{ requests: 2, location: 'loopback' }] }],
  ],
  ['resend 1 2 --to {fails}', 1],
  ['resend 1 --to ftp://a', 1, 'bad_target'],
  ['resend 1 --sign previous --to {ok}', 1, 'secret_unavailable'],
  ['resend 1 --set nothing --to {ok}', 2, 'bad_set'],
  ['resend 1 99 --to {ok}', 3, 'not_found'],
  ['resend --filter type:NOTHING --to {ok}', 3, 'not_found'],
  ['resend 1 --sign nope --to {ok}', 3, 'not_found'],
  ['resend 1 2 --to http://203.0.113.7/', 4, 'target_unconfirmed'],
  ['compose --type OPEN_TAB --to {fails}', 1],
  ['compose --template nope --to {ok}', 3, 'not_found'],
  ['compose --from 99 --to {ok}', 3, 'not_found'],
  ['compose --type OPEN_TAB --to http://203.0.113.7/', 4, 'target_unconfirmed'],
  [`verify - --secret a --signature ${sign(goodBody, 'a')}`, 0],
  [`verify - --secret a --signature ${sign(goodBody, 'b')}`, 1],

  ['job show 99', 3, 'not_found'],
  [
    'resend 1 2 --stop-on-failure --to {fails}',
    1,
    [{ status: 500 }, { event: 'done', failed: 1, job: { state: 'paused', waiting: 1 } }],
  ],
  ['job show 2', 0],
  ['job pause 2', 0],
  ['job retry 2', 1, 'in_use'],
  [
    'job resume 2',
    1,
    [{ status: 500 }, { status: 500 }, { sent: 0, failed: 2, job: { state: 'done' } }],
  ],
  ['job resume 2', 1, 'run_over'],
  ['job retry 2', 1, [{ status: 500 }, { failed: 1, job: { total: 2, state: 'paused' } }]],
  ['job cancel 2', 0],
  ...['pause', 'resume', 'retry', 'cancel'].map((verb): Row => [`job ${verb} 99`, 3, 'not_found']),

  ['export --id 1,98,99 --preview', 3, 'not_found'],
  ['export --trace 99 --preview', 3, 'not_found'],
  ['export --rehearsals 7 --preview', 3, 'not_found'],
  ['export --log none.ndjson --preview', 3, 'not_found'],
  ['export --keep= --preview', 2, 'bad_input'],
  ['export', 2, 'usage'],
  ['export -o -', 2, 'usage'],
  ['export -o {dir}/none/a.ndjson', 1, 'file_failed'],
  ['export -o {dir}/a.ndjson --no-redact', 4, 'confirmation_required'],
  // Nothing is imported.
  ['import {dir}/text.ndjson {dir}/none.ndjson', 2, 'bad_input'],
  ['import {dir}/text.ndjson', 1, 'log_unreadable'],
  ['event-log list', 0],

  ['delivery delete 1', 4, 'confirmation_required'],
  ['delivery delete 1 99 --yes', 3, [{ code: 'not_found' }]],
  ['delivery delete --type ORDER_PLACED --yes', 3, 'not_found'],
  ['delivery delete --verdict invalid -n', 0, [{ dryRun: true, deliveries: 4, pinned: 3 }]],
  ['delivery rm latest --yes', 0, [{ event: 'deleted', deliveries: 1, pinned: 1 }]],
  ['delivery delete --type OPEN_TAB --yes', 0, [{ deliveries: 2, pinned: 2 }]],
  ['delivery list', 0, [{ id: 3 }]],
]

const rules: readonly Row[] = [
  ['forward add ftp://a', 1, 'bad_target'],
  ['forward add {ok} --endpoint nope', 3, 'not_found'],
  ['forward add http://203.0.113.7/', 4, 'target_unconfirmed'],
  ['forward add {ok} --timeout 2s', 0, [{ event: 'forward_target', timeoutMs: 2000 }]],
  ['forward off 1', 0, [{ id: 1, enabled: false }]],
  ['forward off 99', 3, 'not_found'],
  ['forward on 1', 0],
  ['forward on 99', 3, 'not_found'],
  ['forward remove 1', 0, [{ event: 'removed' }]],
  ['forward remove 1', 3, 'not_found'],
  ['respond --status 503 --type CLOSE_TAB', 0],
  ['respond add --status 500 --endpoint nope', 3, 'not_found'],
  ['respond off --endpoint nope', 3, 'not_found'],
  ['respond remove 99', 3, 'not_found'],
  ['respond remove 1', 0],
  ['hold add --filter type:', 2, 'bad_filter'],
  ['hold add --next 3', 0],
  ['hold release --all', 0],
  ['hold release 1', 3, 'not_found'],
  ['hold edit 1 --unsigned', 3, 'not_found'],
  ['hold drop 1', 3, 'not_found'],
  ['hold respond 1', 3, 'not_found'],
  ['hold stop 99', 3, 'not_found'],
  ['hold stop', 0],
  ['trigger OPEN_TAB', 0],
  ['delivery rm latest --yes', 0],
  [
    'trigger OPEN_TAB --to {fails}',
    1,
    [
      { event: 'sent', status: 500, ok: false, error: { code: 'status' } },
      { event: 'done', sent: 0, failed: 1 },
    ],
  ],
  [
    'trigger OPEN_TAB --to http://127.0.0.1:9/',
    1,
    [{ event: 'sent', status: null, error: { code: 'refused' } }, { failed: 1 }],
  ],
  ['trigger OPEN_TAB --through-tunnel', 1, 'bad_target'],
  ['tunnel copied', 2, 'bad_input'],
  ['tunnel open', 4, 'server_unconfirmed'],
  ['tunnel open localtunnel@http://localhost:{free}', 1],
  ['tunnel check', 1],
  ['tunnel close', 0],

  ['integration set --name Empty', 0],
  ['integration set --name Empty --brand 1', 2, 'bad_input'],
  ['integration set --name Mine --use-redirect-url http://127.0.0.1:1/other', 2, 'bad_input'],
  ['integration show mine', 0],
  ['integration show Nobody', 3, 'not_found'],
  ['integration check Mine', 0, [{ event: 'preflight', redirectMode: 'served', ready: true }]],
  ['integration check Empty', 1],
  ['authorize --no-open --integration Empty', 1, 'not_ready'],
  [
    'authorize --no-open',
    2,
    [
      {
        message: 'Several integrations exist. Use --integration with one of: Mine, Empty.',
        code: 'usage',
      },
    ],
  ],
  ['authorize --integration Nobody', 3, 'not_found'],
  ['authorize --no-open --integration Mine --replace 999', 3, 'not_found'],
  ['integration remove Empty', 4, 'confirmation_required'],
  ['integration remove Empty --yes', 0],
  ['integration remove Empty -y', 3, 'not_found'],

  ['token list --integration Nobody', 3, 'not_found'],
  ['token show {mara} --reveal', 0],
  ['token show 999', 3, 'not_found'],
  ['token label {mara} Mara%at%the%bar', 0],
  [`token label {mara} ${'x'.repeat(81)}`, 2, 'bad_input'],
  ['token label 999 a', 3, 'not_found'],
  ['token refresh {jonas}', 0],
  ['token refresh 999', 3, 'not_found'],
  ['call GET {locations}', 0],
  ['call GET /nowhere', 1],
  ['call GET /a --include', 2, 'usage'],
  ['call G%ET /a', 2, 'bad_input'],
  ['call GET /a --token 999', 3, 'not_found'],
  ['call GET /a --integration Nobody', 3, 'not_found'],
  ['call GET http://127.0.0.1:9/', 4, 'other_origin'],
  ['token revoke-local {mara}', 0],
  ['token revoke-local 999', 3, 'not_found'],
  ['token show {mara} --reveal', 1, 'token_unusable'],
  ['token refresh {mara}', 1, 'refresh_no_token'],
  ['call GET {locations} --token {mara}', 1, 'token_unusable'],
  ['token remove {mara}', 4, 'confirmation_required'],
  ['token remove {mara} --yes', 0],
  ['token remove {mara} --yes', 3, 'not_found'],

  ['endpoint add bar --integration Mine', 0],
  ['endpoint add bar --integration Mine', 1, 'path_taken'],
  ['endpoint add Not%A%Slug --integration Mine', 2, 'bad_input'],
  ['endpoint add b --integration Nobody', 3, 'not_found'],
  ['endpoint show nope', 3, 'not_found'],
  ['endpoint set bar --name The%bar', 0],
  ['endpoint set bar --slug sandbox', 1, 'path_taken'],
  ['endpoint set nope --name a', 3, 'not_found'],
  ['endpoint set-secret bar --generate', 0],
  ['endpoint set-secret nope --generate', 3, 'not_found'],
  ['endpoint remove bar', 4, 'confirmation_required'],
  ['endpoint remove bar --yes', 0, [{ event: 'removed', kind: 'endpoint' }]],
  ['endpoint remove bar --yes', 3, 'not_found'],
  ['settings set keep-bytes 1GiB', 0],

  ['sandbox --port {taken}', 1, 'port_in_use'],
]

/** One after the other, with `--json`. */
async function expectExitCodes(
  rows: readonly Row[],
  dataDir: string,
  values: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  for (const [command, exitCode, expected = []] of rows) {
    const args = command
      .split(' ')
      .map((word) =>
        Object.entries(values).reduce(
          (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
          word.replaceAll('%', ' '),
        ),
      )
    const options = { stdin: goodBody }
    const { code, stdout, stderr } = await runCli([...args, '--json', '--data', dataDir], options)
    const lines = jsonLines(stdout)
    const failed = lines.find(({ event }) => event === 'failed')
    expect({ command, code, lines, stderr }).toMatchObject({
      command,
      code: exitCode,
      lines:
        typeof expected === 'string'
          ? [...lines.slice(0, -1), { event: 'failed', code: expected }]
          : expected.length > 0
            ? expected
            : lines.filter(({ event }) => event !== 'failed'),
    })
    expect(stderr, command).not.toContain('    at ')
    if (failed !== undefined)
      expect(stderr.startsWith(`${String(failed['message'])}\n`), command).toBe(true)
  }
}

test('of commands on stored data, and beside a running Tabscope', async () => {
  await using service = await loopbackService(({ url }, response) => {
    response.writeHead(url === '/500' ? 500 : 200).end()
  })
  await using taken = await listenOnLoopback(createServer())
  await using tab = await openTabscope(cli.folder, { secret: 'of the exit codes' })
  const bodies = [goodBody, goodBody, goodBody.toString().replace('OPEN', 'CLOSE'), 'no JSON']
  await tab.receive(...bodies.map((body) => post(tab.path, body)))
  const values = {
    mara,
    jonas,
    locations: '/api/sandbox/locations',
    ok: `${service.baseUrl}/ok`,
    fails: `${service.baseUrl}/500`,
    dir: files.path,
    free: await freePort(),
    taken: taken.port,
  }
  await expectExitCodes(deliveries, cli.folder, values)
  expect(jsonLines((await run('event-log', 'list', '--json')).stdout)).toEqual([])
  expect(readdirSync(files.path)).toEqual(['text.ndjson'])
  await expectExitCodes(rules, cli.folder, values)
})

test('of commands that require a running Tabscope, or start one', async () => {
  await using empty = ownedFolder()
  const commands = [
    'trigger OPEN_TAB',
    'hold add',
    'hold list',
    'hold release --all',
    'tunnel check',
    'tunnel open',
  ]
  const refused = commands.map((command): Row => [command, 1, 'listener_down'])
  await expectExitCodes(refused, empty.path)
  await expectExitCodes(
    [
      ['serve none.tabscope --no-open', 2, 'bad_input'],
      ['listen --port 0 --forward-to http://8.8.8.8/hooks', 4, 'target_unconfirmed'],
    ],
    empty.path,
  )
})

test('with --quiet, a list contains only IDs or names, and what is shown is complete', async () => {
  const only = async (...args: string[]) => (await run(...args, '-q')).stdout.toString()
  expect(await only('event-log', 'formats')).toMatch(/^ndjson\ncsv\n/)
  expect(await only('conformance')).toMatch(/^[A-Z_]+\n/)
  expect(await only('delivery', 'show', 'latest')).toContain('\n')
  const { code, stdout, stderr } = await run('delivery', 'list', '-q')
  expect({ code, stdout: stdout.toString(), stderr }).toEqual({
    code: 0,
    stdout: '3\n',
    stderr: '',
  })
})

test('an empty list, an unknown type and a timeout say what to do', async () => {
  for (const [command, message] of [
    ['attempt list --delivery 3', 'No attempts. To send a delivery: tabscope resend 3'],
    ['delivery list --type OPEN_TAB', 'No delivery matches.'],
    ['delivery list --type open_tab', 'Unknown event type "open_tab". Did you mean OPEN_TAB?'],
  ] as const) {
    expect((await run(...command.split(' '))).stderr).toBe(`${message}\n`)
  }
  const waited = await run('wait', '--since=1h', '--finding=body.empty', '--timeout=0s')
  expect(waited.stderr).toMatch(/\nOnly 0 of 1 delivery matched within 0 s\.\n$/)
})

test('the data folder is that of the flag, TABSCOPE_DATA or the configuration file, in this order', async () => {
  const config = file('config')
  mkdirSync(path.join(config, 'tabscope'), { recursive: true })
  const write = (value: object): void =>
    writeFileSync(path.join(config, 'tabscope', 'config.json'), JSON.stringify(value))
  const list = (args: string[], env: Record<string, string> = {}) =>
    runCli(['delivery', 'list', '--json', ...args], { env: { XDG_CONFIG_HOME: config, ...env } })

  write({ data: cli.folder })
  expect(jsonLines((await list([])).stdout)).toHaveLength(1)
  // A relative folder is resolved against the current folder.
  const relative = path.relative(process.cwd(), cli.folder)
  write({ data: file('elsewhere') })
  expect(jsonLines((await list([], { TABSCOPE_DATA: relative })).stdout)).toHaveLength(1)
  expect((await list([])).code).toBe(3)
  const flagged = await list(['--data', cli.folder], { TABSCOPE_DATA: file('elsewhere') })
  expect(jsonLines(flagged.stdout)).toHaveLength(1)

  write({ dta: cli.folder })
  expect(await list([])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Unknown key "dta" in .+Did you mean "data"/),
  })
})

test('times are in UTC and colors used as configured, unless a flag or variable overrides it', async () => {
  const config = file('colors')
  mkdirSync(path.join(config, 'tabscope'), { recursive: true })
  writeFileSync(path.join(config, 'tabscope', 'config.json'), '{"utc": true, "color": "always"}')
  const list = async (args: string[], env: Record<string, string> = {}, run = runCli) => {
    const { stdout } = await run(['delivery', 'list', '--data', cli.folder, ...args], {
      env: { XDG_CONFIG_HOME: config, TZ: 'Asia/Tokyo', NO_COLOR: '', ...env },
    })
    return stdout.toString()
  }
  expect(await list([])).toMatch(/\u001B\[[^]* \d\d:\d\d:\d\dZ/)
  expect(await list(['--color', 'never'])).not.toContain('\u001B')
  expect(await list([], { NO_COLOR: '1' })).not.toContain('\u001B')
  expect(await list(['--no-utc'], {}, runSpawnedCli)).toMatch(/ \d\d:\d\d:\d\d \+09:00/)
})

test.skipIf(!hasTerminal())(
  'delete asks on a terminal, and deletes nothing without confirmation',
  async () => {
    for (const [keys, code] of [
      ['\u0003', 130],
      ['y\r', 0],
    ] as const) {
      expect(jsonLines((await run('delivery', 'list', '--json')).stdout)).toHaveLength(1)
      await using asked = startInTerminal('delivery', 'delete', '3', '--data', cli.folder)
      await until('the question', () =>
        asked.shown().includes('This permanently deletes 1 delivery. Continue? [y/N]'),
      )
      asked.child.stdin?.write(keys)
      expect({ keys, code: (await asked.ended).code }).toEqual({ keys, code })
    }
    const left = await run('delivery', 'list')
    expect(left.stderr).toBe('No deliveries. To receive webhooks: tabscope listen\n')
  },
)
