import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
  const page = await (await fetch(`${baseUrl}/manager/oauth?${query.toString()}`)).text()
  const ticket = /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const approved = await fetch(`${baseUrl}/manager/oauth`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ticket, user: 'jonas', decision: 'approve' }),
  })
  const back = new URL(approved.headers.get('location') ?? '')
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
  const received: { body: Buffer; signature: unknown; type: unknown; status: number }[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const { 'x-service-signature': signature, 'x-service-event-type': type } = request.headers
    const status = received.length === 1 ? 500 : 200
    received.push({ body, signature, type, status })
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  try {
    const hook = ['--webhook-url', `http://127.0.0.1:${address.port}/in`]
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
    const expected = received.map(({ type, status }) => ({
      event: 'webhook',
      type,
      status,
      ok: status === 200,
    }))
    expect(lines).toHaveLength(expected.length)
    expect(lines).toEqual(expect.arrayContaining(expected))
    expect(expected).toEqual(expect.arrayContaining(lines))
    for (const { body, signature } of received)
      expect(signature).toBe(createHmac('sha256', 'canary hook secret').update(body).digest('hex'))
    expect(stdout.toString()).not.toContain('canary hook secret')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('prints what to enter, and the command for it', async () => {
  await using running = startCli(['sandbox', '--redirect-url', "http://127.0.0.1:5000/cb?a='&b"])
  await until('the complete output', () => running.stderr().includes('Ctrl+C'))
  const output = running.stderr()
  const [, secret = ''] = /access secret {2}(\S+)/.exec(output) ?? []
  const [, base = ''] = /base URL {7}(\S+)/.exec(output) ?? []
  expect(secret).toHaveLength(43)
  expect(output).toContain(
    `tabscope integration set --name 'Sandbox service' --base-url ${base} --access-id `,
  )
  expect(output).toMatch(/--access-secret-env TABSCOPE_SANDBOX_SECRET --redirect-url 'http/)
  expect((await fetch(`${base}/api/sandbox/echo`)).status).toBe(200)
})
