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
import { cliFile, jsonLines, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

// Rules for every command; those of a single one are in `exit-codes/`.
test.for([
  [['fly'], 'Unknown command "fly". To list all commands: tabscope help\n'],
  [['toString'], 'Unknown command "toString".'],
  [['serv'], 'Unknown command "serv". Did you mean serve?'],
  [['replay'], 'Unknown command "replay". Did you mean resend?'],
  [['delivries', 'list'], 'Unknown command "delivries". Did you mean delivery?'],
  [['logs', 'lst'], 'Did you mean list? Subcommands of tabscope event-log: list, show, remove'],
  [['token', '--data', 'x', 'fly'], 'Unknown command "fly". Subcommands of tabscope token: list,'],
  [['event-log'], 'tabscope event-log requires a subcommand: list, show, remove, formats.\n'],
  [['event-log', 'show'], "Missing required argument 'log'."],
  [['event-log', 'list', 'here'], "Too many arguments for 'list'."],
  [['event-log', 'list', '--data'], "Option '--data <dir>' argument missing."],
  [['serve', '--wings'], "Unknown option '--wings'."],
  [['serve', '--port'], "Option '--port <port>' argument missing."],
  [['serve', '--secret', '--utc'], 'To use "--utc" as the value: --secret=--utc\n'],
  [['serve', '--color', 'red'], 'Allowed choices are auto, always, never.'],
] as const)(
  '%j is rejected: exit code 2, a message on stderr, nothing on stdout',
  async ([args, words]) => {
    const { code, stdout, stderr } = await runCli(args)
    expect(stderr).toContain(words)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' })
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
  expect(stderr).toContain('\n  authorization ')
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

test('every command that takes a target takes a port and a local host without a scheme', async () => {
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
})
