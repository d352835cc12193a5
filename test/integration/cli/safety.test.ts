import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCliService, type CliService } from '#test/support/cli-service.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { goodBody, post } from '#test/support/requests.ts'
import {
  hasTerminal,
  jsonLines,
  runCli,
  startInTerminal,
  startListening,
} from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

let cli: CliService

beforeAll(async () => {
  cli = await openCliService()
  await using tab = await startListening(cli.folder)
  await using client = await rawClient(tab.port)
  for (let n = 1; n <= 3; n += 1) {
    await client.send(post(tab.path, goodBody))
    await client.answers(n)
  }
  tab.child.kill('SIGTERM')
  await tab.ended
})
afterAll(() => cli[Symbol.asyncDispose]())

const run = (...args: string[]) => runCli([...args, '--data', cli.folder])

test('export --no-redact without a terminal requires --yes', async () => {
  const { code, stdout, stderr } = await run('export', '--no-redact')
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 4, stdout: '' })
  expect(stderr).toContain('To export it, confirm with --yes.')
  const file = path.join(cli.folder, 'out.ndjson')
  const json = await run('export', '--no-redact', '--json', '-o', file)
  expect(json.code).toBe(4)
  expect(jsonLines(json.stdout)).toMatchObject([{ event: 'failed', code: 'confirmation_required' }])
  expect(existsSync(file)).toBe(false)
  expect((await run('export', '--no-redact', '--yes')).code).toBe(0)
})

test('export --json requires a file', async () => {
  const before = await readdir(process.cwd())
  const { code, stdout, stderr } = await run('export', '--json')
  const message = 'export --json requires -o FILE, or --preview.'
  expect({ code, stderr }).toEqual({ code: 2, stderr: `${message}\n` })
  expect(jsonLines(stdout)).toEqual([{ event: 'failed', code: 'usage', message }])
  expect(await readdir(process.cwd())).toEqual(before)
})

test('export reports IDs that do not exist', async () => {
  const args = ['export', '--id', '1', '--id', '98', '--id', '99', '--json', '-o']
  const file = path.join(cli.folder, 'ids.ndjson')
  const { code, stdout, stderr } = await run(...args, file)
  const message = 'Delivery 98, 99 does not exist. To list deliveries: tabscope deliveries list'
  expect({ code, stderr }).toEqual({ code: 3, stderr: `${message}\n` })
  expect(jsonLines(stdout)).toEqual([{ event: 'failed', code: 'not_found', message }])
  expect(existsSync(file)).toBe(false)
})

test('integration remove does not delete tokens without confirmation', async () => {
  await cli.connect()
  const { code, stderr } = await run('integration', 'remove', 'Mine')
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: 'Removing "Mine" also deletes 1 token. Confirm with --yes.\n',
  })
  const json = await run('integration', 'remove', 'Mine', '--json')
  expect(jsonLines(json.stdout)).toMatchObject([{ event: 'failed', code: 'confirmation_required' }])
  expect(jsonLines((await run('token', 'list', '--json')).stdout)).toHaveLength(1)
  expect((await run('integration', 'remove', 'Mine', '--yes')).code).toBe(0)
  expect(jsonLines((await run('token', 'list', '--json')).stdout)).toEqual([])
})

test.skipIf(!hasTerminal()).for([
  ['Ctrl+C', 130, '\u0003'],
  ['Ctrl+D', 1, '\u0004'],
  ['no', 1, 'n\r'],
  ['yes', 0, 'y\r'],
] as const)('a prompt answered with %s: exit code %i', async ([, expected, keys]) => {
  const file = path.join(cli.folder, `asked-${expected}.ndjson`)
  const args = ['export', '--no-redact', '-o', file, '--data', cli.folder]
  await using asked = startInTerminal(...args)
  await until('the question', () => asked.shown().includes('[y/N]'))
  asked.child.stdin?.write(keys)
  const { code } = await asked.ended
  expect({ code, hasStack: /\n\s+at /.test(asked.shown()) }).toEqual({
    code: expected,
    hasStack: false,
  })
  expect(existsSync(file)).toBe(expected === 0)
})

test('deliveries list reports that there are more', async () => {
  const { code, stderr } = await run('deliveries', 'list', '--limit', '2')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '2 of 3 deliveries. Use --limit N for more.\n',
  })
  const json = await run('deliveries', 'list', '--limit', '2', '--json')
  expect(jsonLines(json.stdout)).toHaveLength(2)
  expect((await run('deliveries', 'list', '--limit', '3')).stderr).toBe('')
})

const existing: readonly string[][] = [
  ['deliveries', 'list'],
  ['deliveries', 'list', '--log', '1'],
  ['deliveries', 'show', '1'],
  ['deliveries', 'headers', '1'],
  ['deliveries', 'attempts', '1'],
  ['deliveries', 'trace', '1'],
  ['deliveries', 'related', '1'],
  ['deliveries', 'diagnose', '1'],
  ['deliveries', 'note', '1', 'a'],
  ['deliveries', 'pin', '1'],
  ['deliveries', 'diff', '1', '2'],
  ['deliveries', 'delete', '1', '--yes'],
  ['attempts', 'list', '--log', '1'],
  ['conformance'],
  ['resend', '1'],
  ['resend', '--filter', 'x', '--dry-run'],
  ['compose', '--from', 'latest', '--to', 'http://127.0.0.1:9/'],
  ['jobs', 'list'],
  ['jobs', 'cancel', '1'],
  ['forward', 'list'],
  ['forward', 'remove', '1'],
  ['respond', 'list'],
  ['respond', 'off'],
  ['integration', 'list'],
  ['integration', 'show', 'Sandbox'],
  ['integration', 'remove', 'Sandbox'],
  ['token', 'list'],
  ['token', 'remove', '1'],
  ['runs', 'list'],
  ['logs', 'list'],
  ['tunnel', 'status'],
  ['export'],
]

test.for(existing)('%s %s does not create a store in a mistyped folder', async (args) => {
  await using empty = ownedFolder()
  const { code, stdout, stderr } = await runCli([...args, '--data', empty.path])
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toContain(`No Tabscope data in ${empty.path}.`)
  expect(await readdir(empty.path)).toEqual([])
})

test.for([
  ['deliveries', 'list'],
  ['forward', 'list'],
  ['forward', 'add', 'http://127.0.0.1:9/'],
])('%s %s leaves a damaged store unchanged', async (args) => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'tabscope.db')
  const damaged = Buffer.alloc(20_000, 'this is no database ')
  await writeFile(file, damaged)
  const { code, stderr } = await runCli([...args, '--data', folder.path])
  expect(code).toBe(1)
  expect(stderr).toContain('is damaged and was not changed.')
  expect((await readFile(file)).equals(damaged)).toBe(true)
  expect((await readdir(folder.path)).filter((name) => name.includes('damaged'))).toEqual([])
})

test('serve rejects a missing event log', async () => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'none.tabscope')
  const { code, stdout, stderr } = await runCli(['serve', '--no-open', '--data', folder.path, file])
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(`File ${file} does not exist. Check the path.\n`)
  expect(await readdir(folder.path)).toEqual([])
})
