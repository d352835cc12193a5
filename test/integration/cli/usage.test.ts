import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commandNames } from '#hosts/node/command-line/program.ts'
import { full } from '#test/support/full.ts'
import { cliFile, jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

/** In which `%` is a space; the first words on stderr. Such a command opens no data folder. */
const rejected: readonly (readonly [command: string, words: string])[] = [
  ['fly', 'Unknown command "fly". To list all commands: tabscope help'],
  ['toString', 'Unknown command "toString".'],
  ['serv', 'Unknown command "serv". Did you mean serve?'],
  ['replay', 'Unknown command "replay". Did you mean resend?'],
  ['delivries list', 'Unknown command "delivries". Did you mean delivery?'],
  ['logs lst', 'Unknown command "lst". Did you mean list? Subcommands of tabscope event-log:'],
  ['token --data x fly', 'Unknown command "fly". Subcommands of tabscope token: list,'],
  ['event-log', 'tabscope event-log requires a subcommand: list, show, remove, formats.'],
  ['event-log show', "Missing required argument 'log'."],
  ['event-log list here', "Too many arguments for 'list'."],
  ['event-log list --data', "Option '--data <dir>' argument missing."],
  ['integration set', "Required option '--name <name>' not specified."],
  ['serve --wings', "Unknown option '--wings'."],
  ['serve --port', "Option '--port <port>' argument missing."],
  ['serve --secret --utc', '--secret requires a value. To use "--utc" as the value:'],
  ['serve --color red', "Option '--color <when>' argument 'red' is invalid. Allowed choices are"],

  ['serve file://host/b.tabscope', 'Unexpected argument "file://host/b.tabscope". Specify event'],
  ['serve --tunnel pigeon', 'Unknown tunnel "pigeon". Available: localtunnel, cloudflared,'],
  ['start --ui-port seven', '--ui-port requires a whole number from 0 to 65535, not'],
  ['listen --secret=', '--secret must not be empty.'],
  ['listen --secret-env NOT_SET', 'The environment variable NOT_SET is not set.'],
  ['listen --forward-types OPEN_TAB', '--forward-types, --forward-return and --forward-retries'],
  ['listen --ephemeral', 'Use --data or --ephemeral, not both.'],
  ['sandbox --fault slw', '--fault requires one of slow, server_error, malformed_json,'],
  ['sandbox --rate 2', '--rate requires --webhook-url URL.'],
  ['sandbox --secret s', '--secret requires --webhook-url URL.'],
  ['sandbox --webhook-url http://127.0.0.1:9/ --rate 20000', '--rate requires a number from 0'],
  ['sandbox --webhook-url nowhere', 'This is not a valid URL. Use one like'],
  ['sandbox --redirect-url ftp://x.example/', 'Use a redirect URL like'],
  ['sandbox --token-lifetime 1y', '--token-lifetime requires a duration from 1s to 8760h such'],
  ['export --id x --preview', 'Expected a delivery ID such as 12, or latest, not "x".'],
  ['export --rehearsals some --preview', '--rehearsals requires all, none, or IDs, not "some".'],
  ['export --filter type: --preview', 'type:'],
  ['export --without notez --preview', '--without requires one of deliveries, attempts, notes,'],
  ['import none.ndjson', 'File none.ndjson does not exist. Check the path.'],
  ['self-check --timeout soon', '--timeout requires a duration from 1s to 1h such as 500ms, 30s'],
  ['completion csh', '<shell> requires one of bash, zsh, fish, powershell, not'],
  ['resend', 'resend requires delivery IDs or --filter.'],
  ['resend x', 'Expected a delivery ID such as 12, or latest, not "x".'],
  ['resend 1 --filter x', 'Use only one of delivery IDs and --filter.'],
  ['resend 1 --keep --unsigned', "Option '--unsigned' cannot be used with option '--keep'."],
  ['resend 1 --body none', 'File none does not exist. Check the path.'],
  ['resend --filter type:', 'type:'],
  ['compose', 'compose requires --type, --from, --template, --from-curl or'],
  ['compose --body - --from-curl -', 'Use - once: stdin can be read only once.'],
  ['compose --type OPEN_TAB --log x', '--log requires --from.'],
  ['compose --type OPEN_TB', '--type requires one of'],
  ['trigger OPEN_TB', '<type> requires one of'],
  ['trigger traffic --set a=1', '--set requires one event type, or all.'],
  ['trigger OPEN_TAB --to ftp://a', 'Use a URL that begins with http:// or https://.'],
  ['verify none --secret a --signature 00', 'File none does not exist. Check the path.'],
  ['forward add http://a.test --retries 21', '--retries requires a whole number from 0 to 20,'],
  ['forward add http://a.test --on-script-failure hold', '--on-script-failure requires'],
  ['forward off x', 'Expected an ID such as 12, not "x".'],
  ['respond add', 'respond add requires --status, --drop, --delay, --body or'],
  ['respond add --status 500 --on-script-failure hold', '--on-script-failure requires --script.'],
  ['respond add --drop --status 500', "Option '--drop' cannot be used with option '--status"],
  ['hold add --limit 20s', '--limit requires --at response.'],
  ['hold release', 'hold release requires delivery IDs or --all.'],
  ['hold release 1 --all', 'Use delivery IDs or --all, not both.'],
  ['hold edit 1', 'hold edit requires --body, --set, --header or an option for'],
  ['job list --limit 0', '--limit requires a whole number from 1 to 10000, not "0".'],
  ['job show 1 --limit 0', '--limit requires a whole number from 1 to 10000, not "0".'],
  ['integration set --name=', '--name must not be empty.'],
  ['integration set --name A --auto-refresh yes', '--auto-refresh requires one of on, off, not'],
  ['integration set --name A --due-before 86401s', '--due-before requires a duration from 0s to'],
  ['integration set --name A --access-secret x --access-secret-env Y', 'Use --access-secret or'],
  ['integration set --name A --refresh-template none', 'File none does not exist. Check the'],
  ['authorize --timeout 30', '--timeout requires a duration from 1s to 1h such as 500ms, 30s'],
  ['token show x', 'Expected an ID such as 12, not "x".'],
  ['token show 1 access', 'Unexpected argument "access". To print the value: --reveal'],
  ['token show 1 both --reveal', '<value> requires one of access, refresh, not "both".'],
  ['call GET /a --token x', 'Expected an ID such as 12, not "x".'],
  ['call GET /a --token 1 --no-token', 'Use --token or --no-token, not both.'],
  ['call GET /a --query nothing', '--query requires name=value, not "nothing".'],
  ['call GET /a --header nothing', '--header requires "Name: value", not "nothing".'],
  ['call GET /a --timeout 11m', '--timeout requires a duration from 1ms to 10m such as 500ms,'],
  ['endpoint set a', 'Nothing to change. Use --path, --name, --integration,'],
  ['endpoint set a --header a:%b --clear-headers', "Option '--clear-headers' cannot be used"],
  ['endpoint set-secret a', 'A secret is required: use --secret-env, --secret or'],
  ['endpoint set-secret a --secret s --generate', "Option '--generate' cannot be used with"],
  ['endpoint set-secret a --secret s --reveal', '--reveal requires --generate.'],
  ['settings get prot', '<name> requires one of theme, port, body-limit,'],
  ['settings set port 65536', '<value> requires a whole number from 0 to 65535, not "65536".'],
  ['settings set keep-bytes 1023KiB', '<value> requires a size from 1MiB to 1024GiB such as'],
  ['settings set theme darc', '<value> requires one of system, light, dark, not "darc". Did'],
  ['settings set background true', '<value> requires one of on, off, not "true".'],
  ['tunnel open none', 'To close the tunnel: tabscope tunnel close'],
  ['relay forward Team perhaps', '<forward> requires one of on, off, not "perhaps".'],
  ['delivery list --type ORDER_PLACD', 'Unknown event type "ORDER_PLACD". Did you mean'],
  ['delivery list --finding body.nojson', 'Unknown finding "body.nojson". Did you mean'],
  ['delivery list --verdict wrong', '--verdict requires one of valid, invalid, missing,'],
  ['delivery list --type OPEN_TAB --filter id:9', 'id:9'],
  ['delivery show 1 2 --body', '--body accepts only one delivery.'],
  ['delivery recheck', 'Specify delivery IDs, or select deliveries with an option such'],
  ['delivery recheck 1 --verdict valid', 'Use delivery IDs or selection options, not both.'],
  ['delivery recheck 1 --log x --dry-run', '--dry-run cannot be used with --log: nothing is'],
  ['delivery recheck --log x', 'recheck --log requires --secret-env.'],
  ['delivery delete 1 --type OPEN_TAB --yes', 'Use delivery IDs or selection options, not both.'],
  ['scenario save a', 'scenario save requires delivery IDs, a selection such as'],
  ['scenario save a 1 --since 1h', 'Use either delivery IDs or a selection such as --since'],
  ['rehearse', '--to is required: the URL of your webhook handler, such as'],
  ['rehearse --to http://a.test --only ,', '--only requires at least one case, such as S4.'],
  ['rehearse oauth --call-url http://a.test', '--call-url requires --start-url.'],
  ['generate types --language typescript --check', '--check requires -o.'],
  ['generate types --language typescript --log x', '--log requires --observed.'],
  ['relay init', 'Specify the server of the relay: --host relay.example.com'],
  ['relay invite a --receiver --endpoint b', 'A receiver has all endpoints of the relay: use'],
  ['mcp install nobody', '<assistant> requires one of claude-code, codex, cursor,'],
  ['conformance --since someday', '--since requires a time such as 2026-11-21T09:00, 2h, 3d or'],
  ['wait --timeout 30', '--timeout requires a duration from 0s to 24h such as 500ms,'],
  ['wait --count 0', '--count requires a whole number from 1 to 1000000, not "0".'],
  ['health --snooze 2h', '--snooze requires --endpoint.'],
  ['run --count 2 -- x', '--count requires an --expect before it.'],
]

test.for(rejected)(
  '%s: exit code 2, a message on stderr, nothing on stdout',
  async ([command, words]) => {
    await using folder = ownedFolder()
    const data = path.join(folder.path, 'data')
    const args = command.split(' ').map((word) => word.replaceAll('%', ' '))
    const given = args.includes('--data') ? args : ['--data', data, ...args]
    const { code, stdout, stderr } = await runCli(given)
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^.+\n$|^(?:id|type):/),
    })
    expect(stderr.slice(0, words.length)).toBe(words)
    expect(existsSync(data)).toBe(false)
  },
)

test('other names of a command work, and are in no list', async () => {
  const { code, stdout } = await runCli(['deliveries', 'list', '--help'])
  expect(code).toBe(0)
  expect(stdout.toString()).toContain('Usage: tabscope delivery list')
  expect((await runCli(['help'])).stdout.toString()).not.toContain('\n  deliveries ')
})

test.for([
  ['npm run -s tabscope --', 'tabscope', 'node src/hosts/node/launch.mjs', '/tabscope'],
  [
    'npm run -s --prefix /tabscope tabscope --',
    'tabscope',
    'node src/hosts/node/launch.mjs',
    '/my',
  ],
  ['npx tabscope', 'npx', "'tabscope'", '/my'],
  ['tabscope', 'npx', "'vitest'", '/my'],
  ['tabscope', 'test', 'tabscope run -- vitest', '/my'],
] as const)(
  'hints, errors and help print the command as it was started: %s',
  async ([form, event, script, folder]) => {
    const env = {
      npm_lifecycle_event: event,
      npm_lifecycle_script: script,
      npm_config_local_prefix: '/tabscope',
      INIT_CWD: folder,
    }
    const message = `Unknown command "fly". To list all commands: ${form} help`
    const { stdout, stderr } = await runCli(['fly', '--json'], { env })
    expect(stderr).toBe(`${message}\n`)
    expect(JSON.parse(stdout.toString())).toMatchObject({ event: 'failed', message })
    const help = (await runCli(['help', 'trigger'], { env })).stdout.toString()
    expect(help).toContain(`Usage: ${form} trigger [options] <type>`)
    expect(help).toContain(`\n  $ ${form} trigger ORDER_PLACED\n`)
  },
)

test('help of all commands or of one is on stdout, with exit code 0', async () => {
  for (const args of [['help'], ['--help'], ['-h']]) {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of commandNames) expect(stdout.toString()).toContain(`\n  ${word} `)
    expect(stdout.toString()).toContain('Exit codes: 0 success, 1 failed')
  }
  for (const args of [
    ['help', 'verify'],
    ['verify', '--help'],
    ['verify', 'here', '-h'],
  ]) {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.toString()).toContain('--signature <')
    expect(stdout.toString()).not.toContain('--ui-port')
  }
})

test('without arguments, all commands are listed on stderr', async () => {
  const { code, stdout, stderr } = await runCli([])
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('\n  authorize ')
})

test.skipIf(!existsSync('/dev/full'))(
  'output that cannot be written is reported, and is a failure',
  async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [cliFile, 'help'], { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    let words = ''
    child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()))
    const [code] = await once(child, 'close')
    expect({ code, words }).toEqual({
      code: 1,
      words:
        'Could not write all of the output. The disk is full. Free up space on it. The output is incomplete.\n',
    })
  },
)

test('a data folder that cannot be one is reported in one line, by every kind of command', async () => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'file')
  writeFileSync(file, 'kept')
  for (const command of [
    ['delivery', 'list'],
    ['endpoint', 'add', 'x'],
    ['wait'],
    ['trigger', 'all'],
  ]) {
    for (const [data, words] of [
      [file, `${file} is a file. Specify a folder: --data DIR\n`],
      [path.join(file, 'below'), `A part of ${file}/below is a file.`],
    ] as const) {
      const { code, stderr } = await runCli([...command, '--data', data])
      expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 2, lines: 2 })
      expect(stderr).toContain(words)
    }
  }
  expect(readFileSync(file, 'utf8')).toBe('kept')
})

test.skipIf(process.platform === 'win32')(
  'an unknown home folder, and a data folder of another user, are reported in one line',
  async () => {
    await using folder = ownedFolder()
    const command = ['endpoint', 'add', 'x']
    const homeless = spawnSync(process.execPath, [cliFile, ...command], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], HOME: '' },
      encoding: 'utf8',
    })
    expect(homeless).toMatchObject({
      status: 2,
      stderr:
        'The home folder is unknown, because HOME is not set. Set it, or specify a folder: --data DIR\n',
    })
    expect(readdirSync(folder.path)).toEqual([])

    const data = path.join(folder.path, 'data')
    const isRoot = process.getuid?.() === 0
    mkdirSync(data, { mode: isRoot ? 0o700 : 0 })
    chmodSync(folder.path, 0o755)
    for (const words of [['delivery', 'list'], command]) {
      const { status, stderr } = spawnSync(process.execPath, [cliFile, ...words, '--data', data], {
        ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
        env: { PATH: process.env['PATH'], HOME: '/nowhere' },
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(
          /^No permission to open .*, which may belong to another user.*\n$/,
        ),
      })
    }
  },
)

test.runIf(full)(
  'every command that takes a target takes a port and a local host without a scheme',
  async () => {
    await using folder = ownedFolder()
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCli([...args, '--json', '--data', folder.path])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return jsonLines(stdout)[0]
    }
    const url = 'http://localhost:3999/hooks'
    for (const typed of ['localhost:3999/hooks', ':3999/hooks']) {
      expect(await run('forward', 'add', typed)).toMatchObject({ url })
      const plan = await run('trigger', 'OPEN_TAB', '--to', typed, '--dry-run')
      expect(plan).toMatchObject({ targets: [{ url }] })
    }
    expect(await run('mcp', 'target', 'add', 'mine', '3999')).toMatchObject({
      url: 'http://localhost:3999',
    })
    for (const command of [
      ['rehearse', '--only', 'G1', '--to'],
      ['compose', '--type', 'OPEN_TAB', '--to'],
    ]) {
      const { stdout } = await runCli([...command, ':9/hooks', '--json', '--data', folder.path])
      expect(stdout.toString()).toContain('http://localhost:9/hooks')
    }
  },
)
