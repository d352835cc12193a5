import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commandNames } from '#hosts/node/command-line/program.ts'
import { cliFile, runCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

test.for([
  [['fly'], 'Unknown command "fly". To list all commands: tabscope help\n'],
  [['toString'], 'Unknown command "toString".'],
  [['--data'], 'Usage: tabscope <command> [options]'],
  [['serv'], 'Unknown command "serv". Did you mean serve?'],
  [['trigger'], "Missing required argument 'type'."],
  [['trigger', 'OPEN_TB', '--to', 'http://127.0.0.1:9'], 'Did you mean OPEN_TAB?'],
  [['trigger', 'OPEN_TAB', '--to', 'ftp://a'], 'begins with http:'],
  [['trigger', 'OPEN_TAB', '--to', 'http://127.0.0.1:9', '--rate', '0'], '--rate'],
  [['trigger', 'OPEN_TAB', '--to', 'http://127.0.0.1:9', '--count', '0'], '--count'],
  [['trigger', 'OPEN_TAB', '--to', 'http://127.0.0.1:9', '--set', 'nothing'], 'path=value'],
  [
    ['trigger', 'evening', '--to', 'http://127.0.0.1:9', '--set', 'a=1'],
    '--set requires one event type, or all.',
  ],
  [['compose', '--type', 'OPEN_TAB', '--log', '1'], '--log requires --from.'],
  [['compose', '--type', 'OPEN', '--to', 'http://127.0.0.1:9'], 'Did you mean OPEN_TAB?'],
  [['verify', '--secret', 'a', '-'], "Required option '--signature <hex>' not specified."],
  [['verify', '--signature', 'a', '-'], 'verify requires --secret or --secret-env.'],
  [['verify', '--secret', 'a', '--signature', 'a'], "Missing required argument 'file'."],
  [['resend', '1', '--rate', '2', '--spacing', '1'], "cannot be used with option '--"],
  [['resend', '1', '--wings'], "Unknown option '--wings'."],
  [['respond'], 'respond add requires --status, --drop, --delay or --body.'],
  [['respond', '--type', '--drop'], '--type requires a value.'],
  [['forward'], 'tabscope forward requires a subcommand: add, list, on, off, remove.'],
  [['jobs', 'show', 'x'], 'An ID is a whole number such as 12, not "x".'],
] as const)(
  '%j is not understood: exit code 2, words on stderr, nothing on stdout',
  async ([args, words]) => {
    await using folder = ownedFolder()
    const data = ['fly', 'toString', 'serv', '--data'].includes(args[0])
      ? []
      : ['--data', folder.path]
    const { code, stdout, stderr } = await runCli([...args, ...data])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('planted')
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' })
  },
)

test('help is on stdout, of all commands or of one, and exit code 0', async () => {
  for (const args of [['help'], ['--help'], ['-h']]) {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const word of commandNames) {
      expect(stdout.toString()).toContain(`\n  ${word} `)
    }
  }
  for (const args of [
    ['help', 'verify'],
    ['verify', '--help'],
    ['verify', 'here', '-h'],
  ]) {
    const { code, stdout, stderr } = await runCli(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.toString()).toContain('--signature <hex>')
    expect(stdout.toString()).toContain('Check the signature of a body')
    expect(stdout.toString()).not.toContain('--ui-port')
  }
})

test('without a word all commands are on stderr, and an unknown subcommand is one line', async () => {
  const nothing = await runCli([])
  expect({ code: nothing.code, stdout: nothing.stdout.toString() }).toEqual({ code: 2, stdout: '' })
  expect(nothing.stderr).toContain('\n  runs ')
  const { code, stderr } = await runCli(['runs', 'fly'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'Unknown command "fly". tabscope runs takes: list, show.\n',
  })
})

test('the version is one line', async () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  for (const word of ['--version', 'version', '-V']) {
    const { code, stdout } = await runCli([word])
    expect({ code, stdout: stdout.toString() }).toEqual({
      code: 0,
      stdout: `tabscope ${version}\n`,
    })
  }
})

test.skipIf(!existsSync('/dev/full'))(
  'output that finds no room is said, and is a failure',
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
        'Not all of the output could be written: there is no room left. What stands there is cut off.\n',
    })
  },
)

test('a folder in which nothing can be kept is named in one line', async () => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'file')
  writeFileSync(file, 'kept')
  for (const data of [file, path.join(file, 'below')]) {
    const { code, stderr } = await runCli(['forward', 'add', 'http://127.0.0.1:9/', '--data', data])
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 1, lines: 2 })
    expect(stderr).toContain(`Nothing can be kept in ${data}`)
    expect(stderr).toContain('--data DIR')
  }
  expect(readFileSync(file, 'utf8')).toBe('kept')
})
