import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiRequest } from '#contract/api.ts'
import { apiServer, type ApiServer, type Arrived } from '#test/support/api-server.ts'
import { on, openConsole, canary } from '#test/support/console.ts'

type Console = Awaited<ReturnType<typeof openConsole>>
let server: ApiServer
let tab: Console

const run = promisify(execFile)
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

beforeAll(async () => {
  server = await apiServer((_, response) => response.end('ok'))
  tab = await openConsole({ baseUrl: `${server.origin}/v1` })
})
afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const commandOf = async (more: Partial<ApiRequest>, withToken = false): Promise<string> => {
  const request = tab.request(more)
  return (await tab.tab.engine.call('api.curl', { request, withToken })).command
}

function essence({ method, url, headers, body }: Arrived) {
  const own = /^(host|connection|user-agent|accept|expect)$/i
  return {
    method,
    url,
    headers: headers.filter(([name]) => !own.test(name)).toSorted(([a], [b]) => a.localeCompare(b)),
    body: body.toString('latin1'),
  }
}

async function both(more: Partial<ApiRequest>, withToken: boolean) {
  await tab.send(more)
  const sent = server.arrived.at(-1)
  const script = path.join(tab.tab.dataDir, 'command.sh')
  writeFileSync(script, await commandOf(more, withToken))
  await run('/bin/sh', [script], {
    env: {
      PATH: process.env['PATH'],
      TOKEN: canary.token,
      [`REFRESH_TOKEN_${tab.tokenId}`]: canary.refreshToken,
    },
  })
  const curled = server.arrived.at(-1)
  if (!sent || !curled || sent === curled) throw new Error('one of them did not arrive')
  return { sent: essence(sent), curled: essence(curled) }
}

const nasty = `'; exit 7; ' "$HOME" \`id\` $(id) \\ \\n %s %d ! * ~ # & | < > ä 世 «le_chef» @file\r\n\ttab`

test.runIf(hasCurl).each<[string, () => Partial<ApiRequest>]>([
  ['GET', () => ({})],
  ['a path and a query', () => ({ path: `/a b/[1]{2}?q=it's`, query: [on('x[]', `a'b&"$HOME"`)] })],
  ['HEAD', () => ({ method: 'HEAD' })],
  ['DELETE', () => ({ method: 'DELETE' })],
  ['POST without a body', () => ({ method: 'POST' })],
  ['GET with a body', () => ({ body: 'x' })],
  ['headers', () => ({ headers: [on('X-Empty', ''), on('X-Quote', `it's "$HOME" \`id\``)] })],
  ['no token', () => ({ tokenId: null })],
  ['a typed Authorization', () => ({ headers: [on('Authorization', `Bearer ${canary.token}`)] })],
  ['a hostile body', () => ({ method: 'POST', body: nasty })],
  ['a body like a file name', () => ({ method: 'PUT', body: '@/etc/passwd' })],
  ['a body like an option', () => ({ method: 'PUT', body: '-x' })],
  [
    'JSON with its type',
    () => ({ method: 'POST', headers: [on('Content-Type', 'application/json')], body: '{"a":1}' }),
  ],
  [
    'a body with tokens in it',
    () => ({
      method: 'POST',
      body: JSON.stringify({ a: canary.token, b: canary.refreshToken, c: "it's" }),
    }),
  ],
  ['a large body', () => ({ method: 'POST', body: `${nasty}${canary.token}`.repeat(400) })],
])('the command sends what the console sends: %s', async (_, more) => {
  for (const withToken of [false, true]) {
    const { sent, curled } = await both(more(), withToken)
    expect(curled).toEqual(sent)
  }
})

test('the token is a variable unless its value is requested', async () => {
  const without = await commandOf({ method: 'POST', body: '{"a":1}' })
  expect(without).toBe(
    [
      'curl',
      '-X POST',
      `'${server.origin}/v1/things'`,
      `-H 'Authorization: Bearer '"$TOKEN"`,
      "-H 'Content-Type:'",
      `--data-raw '{"a":1}'`,
    ].join(' \\\n  '),
  )
  const withIt = await commandOf({}, true)
  expect(withIt).toContain(`-H 'Authorization: Bearer ${canary.token}'`)
})

test('an invalid request cannot be shown as a command', async () => {
  await expect(commandOf({ headers: [on('A', '1\n-o /tmp/x')] })).rejects.toMatchObject({
    code: 'bad_input',
  })
  await expect(commandOf({ method: 'POST', body: 'a\0b' })).rejects.toMatchObject({
    code: 'bad_input',
  })
  await expect(commandOf({ path: 'ftp://x/' })).rejects.toMatchObject({ code: 'bad_input' })
  await expect(commandOf({ tokenId: 999 }, true)).rejects.toMatchObject({ code: 'not_found' })
})
