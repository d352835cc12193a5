import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { engineOnFolder } from '#test/support/engine-on-folder.ts'
import { accessSecret, openCliService } from '#test/support/cli-service.ts'
import { jsonLines, runCli, type CliOptions, type CliResult } from '#test/support/run-cli.ts'

const locations = '/api/sandbox/locations'
/** The output of all commands in this file without --reveal. */
const outputs: string[] = []

const cli = await openCliService()
const mara = await cli.connect(['--label', 'Mara'], 'mara')
const jonas = await cli.connect(['--label', 'Jo\u001B[31m nas'], 'jonas')
afterAll(() => cli[Symbol.asyncDispose]())

async function run(
  args: readonly (string | number)[],
  options: CliOptions = {},
): Promise<CliResult> {
  const result = await runCli([...args.map(String), '--data', cli.folder], options)
  if (!args.includes('--reveal')) outputs.push(result.stdout.toString(), result.stderr)
  return result
}

async function json(args: readonly (string | number)[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

async function revealed(id: number, which = 'access'): Promise<string> {
  const { code, stdout } = await run(['token', 'show', id, '--reveal', which])
  expect(code).toBe(0)
  return stdout.toString().trimEnd()
}

describe('while Tabscope runs', () => {
  engineOnFolder(() => cli.folder)

  test('list shows each token with its state, never its value', async () => {
    const lines = await json(['token'])
    expect(lines).toMatchObject([
      { event: 'token', id: mara, label: 'Mara', state: 'active' },
      { event: 'token', id: jonas, state: 'active', hasRefreshToken: true, expiresIn: 86_400 },
    ])
    expect(await json(['token', 'list', '--integration', 'Mine'])).toEqual(lines)
    const none = await run(['token', 'list', '--integration', 'Sandbox service', '--json'])
    expect([none.stdout.toString(), none.stderr]).toEqual([
      '',
      'No tokens. To get one: tabscope authorize\n',
    ])
    const { stdout } = await run(['token', 'list'])
    expect(stdout.toString()).toContain(String.raw`Jo\u001b[31m nas`)
    const status = (await run(['status'])).stdout.toString()
    expect(status).toMatch(/^Token {8}Mine \(Mara\) {2}active, expires \d{4}-/m)
    const shown = (await run(['token', 'show', mara])).stdout.toString()
    expect(shown).toMatch(/^Token +\d+\nLabel +Mara\nState +active\n/)
  })

  test('show --reveal prints only the token on stdout, and the service accepts it', async () => {
    const { code, stdout, stderr } = await run(['token', 'show', mara, '--reveal'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [token, rest] = stdout.toString().split('\n')
    expect(rest).toBe('')
    const answer = await fetch(cli.service.state().baseUrl + locations, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(await answer.json()).toMatchObject({ user: { name: 'Mara' } })
    const refreshToken = await revealed(mara, 'refresh')
    expect(refreshToken).not.toBe(token)
    const [line] = jsonLines((await run(['token', 'show', mara, '--reveal', '--json'])).stdout)
    expect(line).toMatchObject({ event: 'token', id: mara, accessToken: token, refreshToken })
    const [one] = jsonLines(
      (await run(['token', 'show', mara, '--reveal', 'access', '--json'])).stdout,
    )
    expect(one).toMatchObject({ accessToken: token })
    expect(one).not.toHaveProperty('refreshToken')
  })

  test('call uses the newest valid token, the given one, or none', async () => {
    const who = async (...args: (string | number)[]): Promise<unknown> => {
      const { stdout } = await run(['call', 'GET', locations, ...args])
      const answer: unknown = JSON.parse(stdout.toString())
      return answer
    }
    expect(await who()).toMatchObject({ user: { name: 'Jonas' } })
    expect(await who('--token', mara)).toMatchObject({ user: { name: 'Mara' } })
    const without = await run(['call', 'GET', locations, '--no-token'])
    expect(without.code).toBe(1)
    expect(without.stderr).toMatch(/^401 Unauthorized in \d+ ms, without a token\n/)
    const other = ['--token', mara, '--integration', 'Sandbox service']
    const named = await run(['call', 'GET', locations, ...other])
    expect(named.code).toBe(2)
    expect(named.stderr).toContain(`Token ${mara} belongs to "Mine".`)
    const [line] = await json(['call', 'GET', locations])
    expect(line).toMatchObject({ event: 'response', status: 200, hops: [{ withToken: true }] })
  })

  test('neither the output so far nor the stored data contains a token or secret', async () => {
    const secrets = [
      accessSecret,
      await revealed(mara),
      await revealed(mara, 'refresh'),
      await revealed(jonas),
      await revealed(jonas, 'refresh'),
    ]
    const files = ['tabscope.db', 'tabscope.db-wal', 'tabscope.log']
    const stored = await Promise.all(
      files.map((file) => readFile(path.join(cli.folder, file)).catch(() => Buffer.alloc(0))),
    )
    expect(outputs.length).toBeGreaterThan(20)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20)
      for (const output of outputs) expect(output).not.toContain(secret)
      for (const bytes of stored) expect(bytes.includes(secret)).toBe(false)
    }
  })
})
