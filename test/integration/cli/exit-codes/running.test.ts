import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { goodBody, post } from '#test/support/requests.ts'
import {
  jsonLines,
  runCli,
  runSpawnedCli,
  spawnCli,
  spawnListening,
} from '#test/support/run-cli.ts'
import { ownedFolder, type OwnedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'
import { expectExitCodes, type Row } from './rows.ts'

let folder: OwnedFolder
const file = (name: string): string => path.join(folder.path, name)
const data = (): string => file('data')

const taken = createServer()
let takenPort = 0

beforeAll(async () => {
  folder = ownedFolder()
  await using tab = await openTabscope(data())
  await tab.receive(post(tab.path, goodBody))
  writeFileSync(file('text.ndjson'), 'hello\n')
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  takenPort = typeof address === 'object' ? (address?.port ?? 0) : 0
})
afterAll(async () => {
  taken.close()
  await folder[Symbol.asyncDispose]()
})

/** `{dir}` is the folder, `{taken}` the port in use. */
const rows: readonly Row[] = [
  ['serve --wings', 2, 'usage'],
  ['serve here', 2, 'usage'],
  ['serve file://host/b.tabscope', 2, 'usage'],
  ['serve {dir}/none.tabscope --no-open', 2, 'bad_input'],
  ['serve --tunnel pigeon', 2, 'usage'],
  ['start --ui-port seven', 2, 'usage'],
  ['listen here', 2, 'usage'],
  ['listen --port 65536', 2, 'usage'],
  ['listen --secret=', 2, 'usage'],
  ['listen --secret a --secret-env B', 2, 'usage'],
  ['listen --secret-env NOT_SET', 2, 'usage'],
  ['listen --forward-types OPEN_TAB', 2, 'usage'],
  ['listen --ephemeral', 2, 'usage'],
  ['listen --port 0 --forward-to http://8.8.8.8/hooks', 4, 'target_unconfirmed'],
  ['sandbox --port {taken}', 1, 'port_in_use'],
  ['sandbox --port 70000', 2, 'usage'],
  ['sandbox --fault slw', 2, 'usage'],
  ['sandbox --rate 2', 2, 'usage'],
  ['sandbox --secret s', 2, 'usage'],
  ['sandbox --webhook-url http://127.0.0.1:9/ --rate 20000', 2, 'usage'],
  ['sandbox --webhook-url nowhere', 2, 'bad_target'],
  ['sandbox --redirect-url ftp://x.example/', 2, 'bad_redirect_url'],
  ['sandbox --token-lifetime 1y', 2, 'usage'],
  ['export here', 2, 'usage'],
  ['export -o -', 2, 'usage'],
  ['export', 2, 'usage'],
  ['export --id x --preview', 2, 'usage'],
  ['export --id 1,98,99 --preview', 3, 'not_found'],
  ['export --trace 99 --preview', 3, 'not_found'],
  ['export --rehearsals 7 --preview', 3, 'not_found'],
  ['export --rehearsals some --preview', 2, 'usage'],
  ['export --filter type: --preview', 2, 'bad_filter'],
  ['export --without notez --preview', 2, 'usage'],
  ['export --format pdf --preview', 2, 'usage'],
  ['export --keep= --preview', 2, 'bad_input'],
  ['export --log none.ndjson --preview', 3, 'not_found'],
  ['export -o {dir}/none/a.ndjson', 1, 'file_failed'],
  ['export -o {dir}/a.ndjson --no-redact', 4, 'confirmation_required'],
  ['import', 2, 'usage'],
  ['import - -', 2, 'usage'],
  ['import {dir}/text.ndjson {dir}/none.ndjson', 2, 'bad_input'],
  ['import {dir}/data', 2, 'bad_input'],
  ['import {dir}/text.ndjson', 1, 'log_unreadable'],
  ['self-check --timeout soon', 2, 'usage'],
  ['completion', 2, 'usage'],
  ['completion csh', 2, 'usage'],
]

test('commands that run until they are stopped, and those for files', async () => {
  await expectExitCodes(rows, data(), { dir: folder.path, taken: takenPort })
  const logs = await runCli(['event-log', 'list', '--json', '--data', data()])
  expect(jsonLines(logs.stdout)).toEqual([])
  expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'text.ndjson'])
})

test.skipIf(process.platform === 'win32')(
  'an import that is interrupted exits with 130 and leaves no log',
  async () => {
    const { stdout: log } = await runCli(['export', '-o', '-', '--data', data()])
    const head = log.subarray(0, log.indexOf('\n') + 1)
    await using importing = spawnCli(['import', '-', '--json', '--data', data()])
    const { stdin } = importing.child
    if (!stdin) throw new Error('no stdin')
    // More than a pipe can buffer: it is written while the import reads.
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
    const logs = await runCli(['event-log', 'list', '--json', '--data', data()])
    expect(jsonLines(logs.stdout).map(({ name }) => name)).not.toContain('stdin')
  },
)

test('listen, serve and sandbox exit with 0 when they are stopped', async () => {
  for (const args of [
    ['listen', '--port', '0'],
    ['serve', '--port', '0', '--no-open'],
  ]) {
    await using running = await spawnListening(data(), args)
    running.child.kill('SIGINT')
    expect((await running.ended).code).toBe(0)
  }
  await using sandbox = spawnCli(['sandbox', '--json'])
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
    runCli(['delivery', 'list', '--json', ...args], { env: { XDG_CONFIG_HOME: config, ...env } })

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
    const { stdout } = await run(['delivery', 'list', '--data', data(), ...args], {
      env: { XDG_CONFIG_HOME: config, TZ: 'Asia/Tokyo', NO_COLOR: '', ...env },
    })
    return stdout.toString()
  }
  expect(await list([])).toMatch(/\u001B\[[^]* \d\d:\d\d:\d\dZ/)
  expect(await list(['--color', 'never'])).not.toContain('\u001B')
  expect(await list([], { NO_COLOR: '1' })).not.toContain('\u001B')
  expect(await list(['--no-utc'], {}, runSpawnedCli)).toMatch(/ \d\d:\d\d:\d\d \+09:00/)
})
