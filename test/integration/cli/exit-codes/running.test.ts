import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { jsonLines, runCli, startCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

let folder: OwnedFolder
const file = (name: string): string => path.join(folder.path, name)
const data = (): string => file('data')

/** A port on which another program listens. */
const taken = createServer()
let takenPort = ''

beforeAll(async () => {
  folder = ownedFolder()
  await using listening = await startListening(data())
  await using client = await rawClient(listening.port)
  await client.send(post(listening.path, goodBody))
  await client.answer()
  listening.child.kill('SIGINT')
  expect((await listening.ended).code).toBe(0)
  writeFileSync(file('text.ndjson'), 'hello\n')
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  takenPort = typeof address === 'object' ? String(address?.port) : ''
})
afterAll(async () => {
  taken.close()
  await folder[Symbol.asyncDispose]()
})

/** The exit code, and the code and message of the error. `FILE:name` is a file in the folder, `TAKEN` the port in use. */
async function failure(words: readonly string[], env: Record<string, string> = {}) {
  const args = words.map((word) =>
    word === 'TAKEN' ? takenPort : word.startsWith('FILE:') ? file(word.slice(5)) : word,
  )
  const where = args.includes('--ephemeral') ? [] : ['--data', data()]
  const { code, stdout, stderr } = await runCli([...args, ...where, '--json'], { env })
  const failed = jsonLines(stdout).at(-1)
  expect(failed?.['event']).toBe('failed')
  // One line with the same message as the object.
  if (failed?.['code'] !== 'bad_filter') expect(stderr).toBe(`${String(failed?.['message'])}\n`)
  return { exitCode: code, code: failed?.['code'], message: String(failed?.['message']) }
}

describe('an error is a failed object, a line on stderr and an exit code', () => {
  test.each<[words: string[], exitCode: number, code: string, message: string | RegExp]>([
    [['serve', '--wings'], 2, 'usage', "Unknown option '--wings'."],
    [['serve', '--uiport', '1'], 2, 'usage', /--uiport.*Did you mean --ui-port\?/],
    [['serve', 'here'], 2, 'usage', /^Unexpected argument "here"/],
    [['serve', 'file://host/b.tabscope'], 2, 'usage', /^Unexpected argument "file:/],
    [['serve', 'FILE:none.tabscope', '--no-open'], 2, 'bad_input', /none\.tabscope/],
    [['serve', '--port', 'TAKEN', '--no-open'], 1, 'port_in_use', /^Port \d+ is in use/],
    [['serve', '--tunnel', 'pigeon'], 2, 'usage', /"pigeon"/],
    [['start', '--ui-port', 'seven'], 2, 'usage', /^--ui-port requires a whole number/],
    [['start', '--port', 'TAKEN', '--no-open'], 1, 'port_in_use', /^Port \d+ is in use/],
    [['listen', 'here'], 2, 'usage', /here/],
    [['listen', '--port', '65536'], 2, 'usage', /^--port requires a whole number from 0 to 65535/],
    [['listen', '--port', 'TAKEN'], 1, 'port_in_use', /^Port \d+ is in use/],
    [['listen', '--secret', ''], 2, 'usage', '--secret must not be empty.'],
    [['listen', '--secret', 'a', '--secret-env', 'B'], 2, 'usage', /not both/],
    [
      ['listen', '--secret-env', 'NOT_SET'],
      2,
      'usage',
      'The environment variable NOT_SET is not set.',
    ],
    [['listen', '--forward-types', 'OPEN_TAB'], 2, 'usage', /require --forward-to URL/],
    [
      ['listen', '--port', '0', '--forward-to', 'http://8.8.8.8/hooks'],
      4,
      'target_unconfirmed',
      /--allow-target/,
    ],
    [['sandbox', '--port', 'TAKEN'], 1, 'port_in_use', /^Port \d+ is in use/],
    [['sandbox', '--fault', 'slw'], 2, 'usage', /Did you mean slow\?$/],
    [['sandbox', '--rate', '2'], 2, 'usage', '--rate requires --webhook-url URL.'],
    [['sandbox', '--token-lifetime', '1y'], 2, 'usage', /^--token-lifetime requires a duration/],
    [['export', 'here'], 2, 'usage', /here/],
    [['export', '-o', '-'], 2, 'usage', /--json cannot be used/],
    [['export'], 2, 'usage', /requires -o FILE, or --preview/],
    [['export', '--id', 'x', '--preview'], 2, 'usage', /^Expected a delivery ID/],
    [
      ['export', '--id', '1,98,99', '--preview'],
      3,
      'not_found',
      /^Delivery 98, 99 does not exist\./,
    ],
    [['export', '--trace', '99', '--preview'], 3, 'not_found', /^Delivery 99 does not exist\./],
    [['export', '--filter', 'type:', '--preview'], 2, 'bad_filter', /\^/],
    [['export', '--without', 'notez', '--preview'], 2, 'usage', /Did you mean notes\?$/],
    [['export', '--format', 'pdf', '--preview'], 2, 'usage', /^--format requires one of csv,/],
    [['export', '-o', 'FILE:none/a.ndjson'], 1, 'file_failed', /none/],
    [['export', '-o', 'FILE:a.ndjson', '--no-redact'], 4, 'confirmation_required', /--yes/],
    [['import'], 2, 'usage', "Missing required argument 'file'."],
    [['import', '-', '-'], 2, 'usage', /^Use - once/],
    [['import', 'FILE:text.ndjson', 'FILE:none.ndjson'], 2, 'bad_input', /none\.ndjson/],
    [['import', 'FILE:data'], 2, 'bad_input', /is a folder/],
    [['import', 'FILE:text.ndjson'], 1, 'log_unreadable', /event log/],
    [['self-check', '--timeout', 'soon'], 2, 'usage', /^--timeout requires a duration/],
    [['self-check', '--reprot', 'x'], 2, 'usage', /Did you mean --report\?$/],
    [['completion'], 2, 'usage', "Missing required argument 'shell'."],
    [['completion', 'csh'], 2, 'usage', /requires one of bash, zsh, fish, powershell/],
  ])('%j: %i %s', async (words, exitCode, code, message) => {
    const found = await failure(words)
    expect(found).toMatchObject({ exitCode, code })
    if (typeof message === 'string') expect(found.message).toBe(message)
    else expect(found.message).toMatch(message)
    expect(existsSync(file('a.ndjson'))).toBe(false)
  })

  test('nothing is imported when one of several files does not exist', async () => {
    const { stdout } = await runCli(['logs', 'list', '--json', '--data', data()])
    expect(jsonLines(stdout)).toEqual([])
  })
})

async function done(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await runCli([...args, '--json', '--data', data()])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

test('export and import report what they did, and exit with 0', async () => {
  const shown = file('shown.ndjson')
  expect(await done('export', '--id', 'latest', '-o', shown)).toMatchObject([
    { event: 'export', format: 'ndjson', path: shown, deliveries: 1, redacted: true },
  ])
  expect(await done('export', '--trace', 'latest', '--preview')).toMatchObject([
    { event: 'export_preview', deliveries: 1 },
  ])
  expect(await done('import', shown)).toMatchObject([
    { event: 'event_log', name: 'shown.ndjson', known: false },
  ])
  expect(await done('import', shown)).toMatchObject([{ event: 'event_log', known: true }])
})

test.skipIf(process.platform === 'win32')(
  'an import that is interrupted exits with 130 and leaves no log',
  async () => {
    await using importing = startCli(['import', '-', '--json', '--data', data()])
    const { stdin } = importing.child
    if (!stdin) throw new Error('no stdin')
    // More than a pipe can buffer: it is written while the import reads.
    const { stdout: log } = await runCli(['export', '-o', '-', '--data', data()])
    const head = log.subarray(0, log.indexOf('\n') + 1)
    await new Promise((resolve) =>
      stdin.write(Buffer.concat([head, Buffer.alloc(300_000, 'x')]), resolve),
    )
    importing.child.kill('SIGINT')
    const { code, stdout, stderr } = await importing.ended
    expect(stderr).toMatch(/^The import of stdin was cancelled\.\nInterrupted\.\n$/)
    expect({ code, lines: jsonLines(stdout) }).toMatchObject({
      code: 130,
      lines: [{ event: 'failed', code: 'interrupted' }],
    })
    const logs = await runCli(['logs', 'list', '--json', '--data', data()])
    expect(jsonLines(logs.stdout).map(({ name }) => name)).not.toContain('stdin')
  },
)

test('listen, serve and sandbox exit with 0 when they are stopped', async () => {
  for (const args of [
    ['listen', '--port', '0'],
    ['serve', '--port', '0', '--no-open'],
  ]) {
    await using running = await startListening(data(), args)
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(0)
  }
  await using sandbox = startCli(['sandbox', '--json'])
  await until('the sandbox', () => sandbox.lines()[0])
  sandbox.child.kill('SIGINT')
  expect((await sandbox.ended).code).toBe(0)
})

test('the data folder is that of the flag, TABSCOPE_DATA or the configuration file, in this order', async () => {
  const config = file('config')
  mkdirSync(path.join(config, 'tabscope'), { recursive: true })
  const write = (value: object): void =>
    writeFileSync(path.join(config, 'tabscope', 'config.json'), JSON.stringify(value))
  const list = (args: string[], env: Record<string, string> = {}) =>
    runCli(['deliveries', 'list', '--json', ...args], { env: { XDG_CONFIG_HOME: config, ...env } })

  write({ data: data() })
  expect(jsonLines((await list([])).stdout)).toHaveLength(1)
  // A relative folder is resolved against the current folder.
  const relative = path.relative(process.cwd(), data())
  write({ data: file('elsewhere') })
  expect(jsonLines((await list([], { TABSCOPE_DATA: relative })).stdout)).toHaveLength(1)
  expect((await list([])).code).toBe(3)
  const flagged = await list(['--data', data()], { TABSCOPE_DATA: file('elsewhere') })
  expect(jsonLines(flagged.stdout)).toHaveLength(1)

  write({ dta: data() })
  const { code, stdout } = await list([])
  expect(code).toBe(2)
  expect(jsonLines(stdout)).toMatchObject([
    {
      code: 'usage',
      message: expect.stringMatching(/^Unknown key "dta" in .+Did you mean "data"/),
    },
  ])
})

test('times are in UTC and colors used as configured, unless a flag or variable overrides it', async () => {
  const config = file('colors')
  mkdirSync(path.join(config, 'tabscope'), { recursive: true })
  writeFileSync(path.join(config, 'tabscope', 'config.json'), '{"utc": true, "color": "always"}')
  const list = async (args: string[], env: Record<string, string | undefined> = {}) => {
    const { stdout } = await runCli(['deliveries', 'list', '--data', data(), ...args], {
      env: { XDG_CONFIG_HOME: config, TZ: 'Asia/Tokyo', NO_COLOR: '', ...env },
    })
    return stdout.toString()
  }
  expect(await list([])).toMatch(/\u001B\[[^]* \d\d:\d\d:\d\dZ/)
  expect(await list(['--color', 'never'])).not.toContain('\u001B')
  expect(await list([], { NO_COLOR: '1' })).not.toContain('\u001B')
  expect(await list(['--no-utc'])).toMatch(/ \d\d:\d\d:\d\d \+09:00/)
})
