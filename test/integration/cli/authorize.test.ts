import { afterAll, describe, expect, test } from 'vitest'
import { engineOnFolder, openTabscope } from '#test/support/engine-on-folder.ts'
import {
  accessSecret,
  followRedirect,
  decide,
  openCliService,
  pastedUrl,
} from '#test/support/cli-service.ts'
import { full } from '#test/support/full.ts'
import { jsonLines, runCli, spawnCli, startCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const cli = await openCliService()
afterAll(() => cli[Symbol.asyncDispose]())

/** The access and refresh tokens in the folder, through the only call that reveals them. */
async function revealed(id: unknown): Promise<string[]> {
  const args = ['token', 'show', String(id), '--reveal', '--json', '--data', cli.folder]
  const [line] = jsonLines((await runCli(args)).stdout)
  return [line?.['accessToken'], line?.['refreshToken']].map(String)
}

test('prints the URL and then the token, each on a line, without secrets', async () => {
  await using waiting = await cli.authorize(['--label', 'Mara'])
  expect(Object.keys(waiting.line)).toEqual(['event', 'url', 'redirectUrl', 'accessId', 'runId'])
  expect(waiting.line).toMatchObject({ event: 'authorize_url', redirectUrl: cli.servedUrl })
  const query = new URL(waiting.url).searchParams
  expect([...query.keys()]).toEqual(['response_type', 'access_id', 'redirect_url', 'state'])
  const page = await followRedirect(waiting.url)
  expect(page.status).toBe(200)
  const { code, stdout, stderr } = await waiting.ended
  const [, token, ...more] = jsonLines(stdout)
  expect({ code, stderr, more }).toEqual({ code: 0, stderr: '', more: [] })
  expect(token).toMatchObject({ event: 'token', label: 'Mara', findings: [] })
  for (const value of [...(await revealed(token?.['id'])), accessSecret]) {
    expect(value.length).toBeGreaterThan(10)
    expect(stdout.toString()).not.toContain(value)
  }
})

test.runIf(full)('other commands can use the folder while one waits', async () => {
  await using waiting = await cli.authorize([], spawnCli)
  const { code, stdout } = await runCli(['integration', 'list', '-q', '--data', cli.folder])
  expect({ code, text: stdout.toString() }).toEqual({ code: 0, text: expect.stringMatching(/\S/) })
  await followRedirect(waiting.url)
  expect((await waiting.ended).code).toBe(0)
})

test('reports at once what arrives in place of the redirect', async () => {
  await using waiting = await cli.authorize()
  const back = await decide(waiting.url)
  expect((await fetch(back.replace(/state=[^&]+/, 'state=another'))).status).toBe(400)
  const ignored = await until('the visit', () => waiting.lines()[1])
  expect(ignored).toEqual({
    event: 'visit_ignored',
    title: 'The redirect URL was opened without the right state',
    detail: expect.stringContaining('does not match the one sent'),
  })
  expect((await fetch(back.replace('127.0.0.1', 'localhost'))).status).toBe(404)
  const { code, stdout } = await waiting.ended
  expect(code).toBe(1)
  expect(jsonLines(stdout).at(-1)).toMatchObject({
    event: 'failed',
    code: 'redirect_origin',
    message: expect.stringContaining('the host is “localhost”, not “127.0.0.1”'),
  })
})

test.for(full ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))(
  '%s cancels, in this process and in a running Tabscope',
  async (signal) => {
    const cancelled = async (): Promise<void> => {
      await using waiting = await cli.authorize()
      waiting.kill(signal)
      const { code, stdout } = await waiting.ended
      expect(code).toBe(130)
      expect(jsonLines(stdout).at(-1)).toMatchObject({ event: 'failed', code: 'cancelled' })
    }
    await cancelled()
    await using _ = await openTabscope(cli.folder)
    await cancelled()
  },
)

test('reports when the Tabscope that runs the flow ends', async () => {
  await using tab = await openTabscope(cli.folder)
  await using waiting = await cli.authorize()
  await tab.close()
  const { code, stdout } = await waiting.ended
  expect(code).toBe(1)
  expect(jsonLines(stdout).at(-1)).toMatchObject({ event: 'failed' })
})

test('uses the sandbox if there is no other integration', async () => {
  await using folder = ownedFolder()
  await using running = startCli(['authorize', '--no-open', '--json', '--data', folder.path])
  const line = await until('the address', () => running.lines()[0])
  expect(line['url']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/manager\/oauth\?/)
  await followRedirect(String(line['url']))
  const { code, stderr } = await running.ended
  expect(code).toBe(0)
  expect(stderr).toContain('The sandbox stops when this command exits')
})

describe('while Tabscope runs', () => {
  engineOnFolder(() => cli.folder)

  test('accepts a pasted URL if nothing serves the redirect URL; rejects a foreign one and continues', async () => {
    await using waiting = await cli.authorize(['--redirect-url', pastedUrl])
    expect(waiting.line).toMatchObject({ redirectUrl: pastedUrl })
    await until('the words', () =>
      waiting.stderr().includes(`Tabscope cannot receive the redirect to ${pastedUrl}.`),
    )
    const back = await decide(waiting.url)
    waiting.stdin.write('\n  \nno address\r\nhttps://client.invalid/other?code=x&state=y\n')
    const refused = await until('two refusals', () =>
      waiting.lines().length >= 3 ? waiting.lines().slice(1) : null,
    )
    expect(refused.map(({ event, code }) => [event, code])).toEqual([
      ['refused', 'bad_input'],
      ['refused', 'not_ours'],
    ])
    expect(Object.keys(refused[0] ?? {})).toEqual(['event', 'code', 'message'])
    // Without a line break, immediately followed by the end of the input.
    waiting.stdin.end(`  ${back}`)
    const { code, stdout, stderr } = await waiting.ended
    expect(code).toBe(0)
    expect(jsonLines(stdout).at(-1)?.['event']).toBe('token')
    expect(stdout.toString() + stderr).not.toContain(new URL(back).searchParams.get('code'))
  })

  test('ends when stdin ends and no redirect can be received', async () => {
    const args = ['authorize', '--no-open', '--json', '--data', cli.folder]
    const { code, stdout, stderr } = await runCli([...args, '--redirect-url', pastedUrl])
    const [, failed, ...more] = jsonLines(stdout)
    expect({ code, more }).toEqual({ code: 1, more: [] })
    expect(Object.keys(failed ?? {})).toEqual(['event', 'code', 'message', 'meaning', 'remedy'])
    expect(failed).toMatchObject({ event: 'failed', code: 'cancelled' })
    expect(stderr).toContain('stdin was closed before a redirect URL was pasted')
  })
})
