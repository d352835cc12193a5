import { expect, test } from 'vitest'
import { z } from 'zod'
import { decide } from '#test/support/cli-service.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { sign } from '#test/support/requests.ts'
import { startCli, type RunningCli } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'

const Ready = z.strictObject({
  event: z.literal('ready'),
  baseUrl: z.url(),
  accessId: z.string(),
  accessSecret: z.string(),
  redirectUrls: z.array(z.url()),
})

async function ready(running: RunningCli): Promise<z.infer<typeof Ready>> {
  let ended = false
  void running.ended.then(() => (ended = true))
  return Ready.parse(
    await until('the sandbox to be ready', () => {
      const [first] = running.lines()
      if (!first && ended) throw new Error(`it ended: ${running.stderr()}`)
      return first
    }),
  )
}

/** Approves as a browser would, and exchanges the code. */
async function connect(at: z.infer<typeof Ready>, redirectUrl: string): Promise<unknown> {
  const { baseUrl, accessId, accessSecret } = at
  const query = new URLSearchParams({
    response_type: 'code',
    access_id: accessId,
    redirect_url: redirectUrl,
  })
  const back = new URL(await decide(`${baseUrl}/manager/oauth?${query.toString()}`, 'jonas'))
  expect(back.href.startsWith(`${redirectUrl}?code=`)).toBe(true)
  const answer = await fetch(`${baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      api_access_id: accessId,
      api_access_secret: accessSecret,
      code: back.searchParams.get('code'),
    }),
  })
  return await answer.json()
}

test('prints what a client needs, serves the flow, and stops', async () => {
  await using running = startCli(['sandbox', '--json', '--token-lifetime', '60s'])
  const at = await ready(running)
  const [loopback = '', placeholder = ''] = at.redirectUrls
  expect(loopback).toMatch(/^http:\/\/127\.0\.0\.1:\d{4,5}\/callback$/)
  expect(placeholder).toBe('https://tabscope.invalid/callback')
  expect(at.redirectUrls).toHaveLength(2)
  for (const redirectUrl of at.redirectUrls)
    expect(await connect(at, redirectUrl)).toMatchObject({ tokenType: 'Bearer', expiresIn: 60 })
  running.kill('SIGTERM')
  const { code, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('accepts redirect URLs and faults', async () => {
  const url = 'http://127.0.0.1:5000/cb?a=1'
  const urls = ['--redirect-url', url, '--redirect-url', 'https://b.example/']
  const faults = ['--fault', 'server_error', '--fault', 'wrong_state']
  await using running = startCli(['sandbox', '--json', ...urls, ...faults])
  const at = await ready(running)
  expect(at.redirectUrls).toEqual([url, 'https://b.example/'])
  expect((await fetch(`${at.baseUrl}/api/oauth/token`, { method: 'POST' })).status).toBe(500)
})

test('sends signed simulated traffic to a webhook, and prints one line for each delivery', async () => {
  const statuses: number[] = []
  await using service = await loopbackService((_, response) => {
    statuses.push(statuses.length === 1 ? 500 : 200)
    response.writeHead(statuses.at(-1) ?? 0).end()
  })
  const hook = ['--webhook-url', `${service.baseUrl}/in`]
  const options = ['--secret-env', 'HOOK_SECRET', '--rate', '50']
  await using running = startCli(['sandbox', '--json', ...hook, ...options], {
    env: { HOOK_SECRET: 'canary hook secret' },
  })
  await ready(running)
  await until('five deliveries', () => running.lines().length > 5)
  running.kill('SIGINT')
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  const lines = running
    .lines()
    .slice(1)
    .map(({ event, type, status, ok }) => ({ event, type, status, ok }))
  expect(lines.length).toBeGreaterThanOrEqual(5)
  // Several deliveries run at the same time: lines are printed in the order of the responses.
  const expected = service.arrived.map(({ headers }, index) => ({
    event: 'webhook',
    type: headers['x-service-event-type'],
    status: statuses[index],
    ok: index !== 1,
  }))
  expect(lines).toHaveLength(expected.length)
  expect(lines).toEqual(expect.arrayContaining(expected))
  expect(expected).toEqual(expect.arrayContaining(lines))
  for (const { headers, body } of service.arrived)
    expect(headers['x-service-signature']).toBe(sign(body, 'canary hook secret'))
  expect(stdout.toString()).not.toContain('canary hook secret')
})

test('prints what to enter', async () => {
  await using running = startCli(['sandbox', '--redirect-url', "http://127.0.0.1:5000/cb?a='&b"])
  await until('the complete output', () => running.stderr().includes('Ctrl+C'))
  const output = running.stderr()
  const [, secret = ''] = /access secret {2}(\S+)/.exec(output) ?? []
  const [, base = ''] = /base URL {7}(\S+)/.exec(output) ?? []
  expect(secret).toHaveLength(43)
  expect((await fetch(`${base}/api/sandbox/echo`)).status).toBe(200)
})
