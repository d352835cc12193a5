import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTabscope } from '#test/support/engine-on-folder.ts'
import { openCliService, type CliService } from '#test/support/cli-service.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { hasTerminal, jsonLines, runCli, startInTerminal } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

let cli: CliService

beforeAll(async () => {
  cli = await openCliService()
  await using tab = await openTabscope(cli.folder)
  await tab.receive(...Array.from({ length: 3 }, () => post(tab.path, goodBody)))
})
afterAll(() => cli[Symbol.asyncDispose]())

const run = (...args: string[]) => runCli([...args, '--data', cli.folder])

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
  ['Ctrl+D', 1, '\u0004'],
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

const existing: readonly string[][] = [
  ['delivery', 'list'],
  ['delivery', 'list', '--log', '1'],
  ['delivery', 'show', '1'],
  ['delivery', 'trace', '1'],
  ['delivery', 'diagnose', '1'],
  ['delivery', 'annotate', '1', '--pin'],
  ['delivery', 'diff', '1', '2'],
  ['delivery', 'delete', '1', '--yes'],
  ['attempt', 'list', '--log', '1'],
  ['conformance'],
  ['resend', '1'],
  ['resend', '--filter', 'x', '--dry-run'],
  ['compose', '--from', 'latest', '--to', 'http://127.0.0.1:9/'],
  ['job', 'list'],
  ['job', 'cancel', '1'],
  ['forward', 'list'],
  ['forward', 'remove', '1'],
  ['respond', 'list'],
  ['respond', 'off'],
  ['integration', 'list'],
  ['integration', 'show', 'Sandbox service'],
  ['integration', 'remove', 'Sandbox service'],
  ['token', 'list'],
  ['token', 'remove', '1'],
  ['event-log', 'list'],
  ['endpoint', 'set', 'sandbox', '--name', 'a'],
  ['settings', 'get'],
  ['tunnel', 'status'],
  ['export', '-o', 'none.ndjson'],
]

test('a command does not create a store in a mistyped folder', async () => {
  await using empty = ownedFolder()
  for (const args of existing) {
    const { code, stdout, stderr } = await runCli([...args, '--json', '--data', empty.path])
    expect({ args, code }).toEqual({ args, code: 3 })
    expect(jsonLines(stdout)).toMatchObject([{ event: 'failed', code: 'not_found' }])
    expect(stderr).toContain(`No Tabscope data in ${empty.path}.`)
  }
  expect(await readdir(empty.path)).toEqual([])
})

test.for([
  ['delivery', 'list'],
  ['forward', 'list'],
  ['forward', 'add', 'http://127.0.0.1:9/'],
])('%s %s leaves a damaged store unchanged', async (args) => {
  await using folder = ownedFolder()
  const file = path.join(folder.path, 'tabscope.db')
  const damaged = Buffer.alloc(20_000, 'this is no database ')
  await writeFile(file, damaged)
  const { code, stderr } = await runCli([...args, '--data', folder.path])
  expect(code).toBe(1)
  expect(stderr).toContain('and was not changed.')
  expect((await readFile(file)).equals(damaged)).toBe(true)
  expect((await readdir(folder.path)).filter((name) => name.includes('damaged'))).toEqual([])
})
