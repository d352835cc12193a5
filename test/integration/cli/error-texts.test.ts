import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandIo } from '#hosts/node/command-line/io.ts'
import { runCommand } from '#hosts/node/command-line/run-command.ts'
import { quoted } from '#engine/platform/posix-quote.ts'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { cliFile, runCli, runSpawnedCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'

// Whatever fails, users read a sentence of Tabscope: no text of the system, of SQLite, of JavaScript or of zod, and no stack.

const folder = ownedFolder()
const file = path.join(folder.path, 'file')
const data = path.join(folder.path, 'data')
const long = 'x'.repeat(5000)

beforeAll(async () => {
  mkdirSync(data)
  writeFileSync(file, '{"a":\n"b", c')
  const tab = await openTabscope(data)
  await tab.close()
})
afterAll(() => folder[Symbol.asyncDispose]())

const foreign =
  /ZodError|Too (?:big|small)|expected \w+,? (?:to|received)|received undefined|Unexpected |\bE[A-Z]{3,}: |no such file|not a directory|SQLITE_|SqliteError|TypeError|syscall|\n\s+at /

function expectSentence(stderr: string, words: string | RegExp): void {
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(foreign)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
}

test.for<[args: string[], words: string | RegExp]>([
  [['serve', '--port', '0', '--data', path.join(file, 'in')], 'is a file. Specify a folder'],
  [['endpoint', 'add', long, '--data', data], 'name: Use at most 80 characters.'],
  [['integration', 'set', '--name', long, '--data', data], 'Use at most'],
  [['backup', path.join(file, 'in'), '--data', data], 'not a folder'],
  [['backup', path.join(folder.path, 'none', 'in'), '--data', data], 'does not exist. Create it'],
  [
    ['restore', folder.path, '--data', path.join(folder.path, 'new')],
    'is a folder. Specify a file.',
  ],
  [['restore', file, '--data', path.join(folder.path, 'new')], 'is not a backup of Tabscope'],
  [['export', '--output', path.join(file, 'in'), '--data', data], 'not a folder'],
  [['export', '--output', folder.path, '--data', data], 'is a folder'],
  [['import', folder.path, '--data', data], 'is a folder. Specify a file.'],
  [['import', path.join(file, 'in'), '--data', data], 'does not exist'],
  [['verify', folder.path, '--signature', 'x', '--secret', 'y'], 'is a folder. Specify a file.'],
  [
    ['verify', `${folder.path}/${'x'.repeat(300)}`, '--signature', 'x', '--secret', 'y'],
    'name is too long',
  ],
  [
    ['integration', 'set', '--name', 'A', '--refresh-template', file, '--data', data],
    / is not JSON \(line 2 column \d+\)\. /,
  ],
])('%j fails with a sentence that says what to do', async ([args, words]) => {
  const { code, stdout, stderr } = await runCli(args)
  expect({ code: code === 0 ? 0 : 'failed', stdout: stdout.toString() }).toEqual({
    code: 'failed',
    stdout: '',
  })
  expectSentence(stderr, words)
})

test.runIf(full && !(process.platform === 'win32'))(
  'too many open files are named, whatever fails first',
  async () => {
    for (const limit of [26, 32, 36, 44]) {
      const command = `ulimit -n ${limit}; exec ${[process.execPath, cliFile].map(quoted).join(' ')} "$@"`
      const { code, stderr } = await runSpawnedCli(
        ['call', 'GET', 'http://127.0.0.1:1', '--data', data],
        { program: ['sh', '-c', command, 'sh'] },
      )
      expect({ limit, failed: code !== 0 }).toEqual({ limit, failed: true })
      expect(stderr).not.toMatch(foreign)
    }
  },
)

test('an internal error names the entry in the log that has its stack', async () => {
  const unwritable = new PassThrough()
  unwritable.write = () => {
    throw new TypeError('a value that nobody may see')
  }
  const fail = async (folderOfData: string): Promise<string> => {
    const stderr = new PassThrough()
    const io: CommandIo = {
      argv: [],
      env: process.env,
      stdin: new PassThrough(),
      stdout: unwritable,
      stderr,
      pid: process.pid,
      ppid: process.ppid,
      cwd: () => folder.path,
      uptime: () => 0,
      on: () => undefined,
      off: () => undefined,
      kill: () => undefined,
      exit: () => undefined,
    }
    expect(await runCommand(['settings', 'get', '--data', folderOfData], io)).toBe(1)
    return String(stderr.read())
  }
  const text = await fail(data)
  const [, id = '', logFile = ''] = /See the log entry (\S+) in (.+)\.$/m.exec(text) ?? []
  expect(text).toMatch(/^Tabscope had an internal error \(TypeError\)\. /)
  expect(readFileSync(logFile, 'utf8')).toContain(`[${id}] The command failed: TypeError: a value`)
  expect(text).not.toContain('a value')
})
