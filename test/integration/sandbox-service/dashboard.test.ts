import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { actionPath, actions } from '#sandbox/service/dashboard-actions.ts'
import { until } from '#test/support/until.ts'
import { open, redirectUrl } from './service-client.ts'
import type { Opened } from './service-client.ts'

interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: { readonly type: string; readonly signature: string; readonly body: Buffer }[]
}

async function receiver(): Promise<Receiver> {
  const received: Receiver['received'] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const { 'x-service-event-type': type, 'x-service-signature': signature } = request.headers
    received.push({ type: String(type), signature: String(signature ?? ''), body })
    response.writeHead(204).end()
  }
  const server = createServer((request, response) => {
    void take(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/hooks/main`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const bodies = ({ received }: Receiver) => received.map(({ body }) => body.toString())

const post = (opened: Opened, name: keyof typeof actions, fields: Record<string, string> = {}) =>
  opened.submit(actionPath(name), fields)

const dashboard = async (opened: Opened) => await (await opened.get('/')).text()

it('adds and removes redirect URLs, and confirms it', async () => {
  await using opened = await open()
  const url = 'http://127.0.0.1:5000/cb?a=1&b=2'
  const added = await post(opened, 'add-redirect-url', { url: ` ${url} ` })
  expect(added.status).toBe(303)
  expect(added.headers.get('location')).toBe('/?done=add-redirect-url')
  expect(opened.service.state().redirectUrls).toEqual([redirectUrl, url])
  const page = await (await opened.get('/?done=add-redirect-url')).text()
  expect(page).toContain('Redirect URL added.')
  expect(page).toContain('<code>http://127.0.0.1:5000/cb?a=1&amp;b=2</code>')
  expect((await opened.get(opened.query({ redirect_url: url }))).status).toBe(200)

  await post(opened, 'remove-redirect-url', { url })
  expect(opened.service.state().redirectUrls).toEqual([redirectUrl])
  expect((await opened.get(opened.query({ redirect_url: url }))).status).toBe(400)
})

it('reports invalid input, and shows it again for correction', async () => {
  await using opened = await open()
  const answer = await post(opened, 'add-redirect-url', { url: 'ftp://x.example/"' })
  expect(answer.status).toBe(400)
  const page = await answer.text()
  expect(page).toMatch(/role="alert">\s*Use a redirect URL like/)
  expect(page).toContain('value="ftp://x.example/&quot;"')
  expect(opened.service.state().redirectUrls).toEqual([redirectUrl])
  for (const [name, fields] of [
    ['set-lifetime', { seconds: '1e3' }],
    ['add-webhook', { url: 'nowhere' }],
    ['send-all', {}],
    ['start-evening', { rate: '1' }],
    ['set-faults', { fault: 'other' }],
  ] as const)
    expect((await post(opened, name, fields)).status, name).toBe(400)
})

it('sets the lifetime and the faults', async () => {
  await using opened = await open()
  await post(opened, 'set-lifetime', { seconds: '90' })
  await opened.submit(actionPath('set-faults'), [
    ['fault', 'slow'],
    ['fault', 'code_twice'],
  ])
  expect(opened.service.state()).toMatchObject({
    tokenLifetime: 90,
    faults: ['slow', 'code_twice'],
  })
  const page = await dashboard(opened)
  expect(page).toContain('2 active faults')
  expect(page.match(/value="\w+"\s+checked/g)).toHaveLength(2)
  await post(opened, 'set-faults')
  expect(opened.service.state().faults).toEqual([])
})

it('shows the end of each token, and revokes an approval with all its tokens', async () => {
  await using opened = await open()
  const first = await opened.connect('mara')
  const other = await opened.connect('jonas')
  const next: unknown = await (await opened.refresh(String(first['refreshToken']))).json()
  const page = await dashboard(opened)
  for (const { token, refreshToken } of [first, other]) {
    expect(page).toContain(`…${String(token).slice(-4)}`)
    expect(page).not.toContain(String(token))
    expect(page).not.toContain(String(refreshToken))
  }
  await post(opened, 'revoke-token', { id: '1' })
  expect((await opened.locations(first['token'])).status).toBe(401)
  expect((await opened.locations(Reflect.get(Object(next), 'token'))).status).toBe(401)
  expect((await opened.refresh(String(first['refreshToken']))).status).toBe(400)
  expect((await opened.locations(other['token'])).status).toBe(200)
  expect(opened.service.state().tokens).toBe(1)

  await post(opened, 'expire-all')
  expect((await opened.locations(other['token'])).status).toBe(401)
  expect((await opened.refresh(String(other['refreshToken']))).status).toBe(200)
  await post(opened, 'revoke-all')
  expect((await opened.refresh(String(other['refreshToken']))).status).toBe(400)
})

it('sends to each webhook, signed with its own secret, and counts', async () => {
  await using one = await receiver()
  await using two = await receiver()
  await using opened = await open()
  await post(opened, 'add-webhook', { url: one.url, secret: 'of one' })
  await post(opened, 'add-webhook', { url: two.url, secret: '' })
  await post(opened, 'send-type', { type: 'ORDER_PLACED' })
  await post(opened, 'send-all')
  const types = ['ORDER_PLACED', ...eventTypes.map(({ type }) => type)]
  for (const { received } of [one, two]) expect(received.map(({ type }) => type)).toEqual(types)
  for (const { body, signature } of one.received)
    expect(signature).toBe(createHmac('sha256', 'of one').update(body).digest('hex'))
  expect(two.received.filter(({ signature }) => signature !== '')).toEqual([])
  // All webhooks receive the same events.
  expect(bodies(one)).toEqual(bodies(two))
  const counts = { sent: 14, failed: 0, lastStatus: 204 }
  expect(opened.service.state().webhooks).toEqual([
    { url: one.url, signed: true, ...counts },
    { url: two.url, signed: false, ...counts },
  ])
  expect(await dashboard(opened)).not.toContain('of one')

  await post(opened, 'remove-webhook', { id: '1' })
  await post(opened, 'send-type', { type: 'OPEN_TAB' })
  expect(one.received).toHaveLength(14)
  expect(two.received).toHaveLength(15)
})

it('reports a webhook that gets no response', async () => {
  await using opened = await open({ webhook: { url: 'http://127.0.0.1:9/x', secret: null } })
  expect((await post(opened, 'send-all')).status).toBe(303)
  expect(opened.service.state().webhooks).toMatchObject([{ failed: 1, lastStatus: null }])
  expect(await dashboard(opened)).toContain('Connection to 127.0.0.1:9 refused.')
})

it('starts simulated traffic at a rate, and stops it', async () => {
  await using hook = await receiver()
  const delivered: string[] = []
  await using opened = await open({
    webhook: { url: hook.url, secret: null },
    onDelivery: ({ type, outcome }) => delivered.push(`${type} ${outcome.status}`),
  })
  await post(opened, 'start-evening', { rate: '2' })
  expect(await dashboard(opened)).toContain('Simulated traffic is running: 2 per second')
  // Sending takes real time, but the pauses between deliveries do not.
  for (const count of [1, 2, 3]) {
    await until(`delivery ${count}`, () => delivered.length === count)
    if (count < 3) await opened.clock.pass(500)
  }
  await opened.clock.pass(499)
  expect(hook.received).toHaveLength(3)
  expect(delivered).toEqual(hook.received.map(({ type }) => `${type} 204`))
  await using late = await receiver()
  await post(opened, 'add-webhook', { url: late.url, secret: '' })
  await until('a delivery to the webhook that was added later', () => late.received.length === 1)
  await post(opened, 'stop-evening')
  await opened.clock.pass(5000)
  expect(late.received).toHaveLength(1)
  expect(hook.received).toHaveLength(3)
  expect(await dashboard(opened)).not.toContain('Simulated traffic is running')
})

it('accepts nothing from a page of another or unknown origin', async () => {
  await using opened = await open()
  const before = opened.service.state()
  const { baseUrl } = before
  const body = new URLSearchParams({ url: 'https://evil.example/' })
  const refused: Record<string, string>[] = [
    {},
    { Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Origin: baseUrl.replace('127.0.0.1', 'localhost') },
    { Origin: baseUrl, 'Sec-Fetch-Site': 'cross-site' },
    { Origin: baseUrl, 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ]
  for (const name of Object.keys(actions))
    for (const headers of refused) {
      const answer = await fetch(`${baseUrl}/dashboard/${name}`, { method: 'POST', headers, body })
      expect(answer.status, `${name} ${JSON.stringify(headers)}`).toBe(403)
    }
  expect(opened.service.state()).toEqual(before)
})

it('escapes hostile input', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`
  await using opened = await open({
    accessId: hostile,
    accessSecret: hostile,
    redirectUrls: [`https://x.example/?a="><script>alert(1)</script>&b='`],
    webhook: { url: `http://127.0.0.1:9/"><script>'`, secret: hostile },
  })
  const [url = ''] = opened.service.state().redirectUrls
  const wrong = new URLSearchParams({ redirect_url: hostile, access_id: hostile, state: hostile })
  const right = new URLSearchParams({
    response_type: 'code',
    access_id: hostile,
    redirect_url: url,
    state: hostile,
  })
  const pages = [
    await opened.get('/'),
    await opened.get(`/?done=${encodeURIComponent(hostile)}`),
    await opened.get(`/${hostile.replaceAll(' ', '/')}`),
    await opened.get(`/manager/oauth?${wrong.toString()}`),
    await opened.get(`/manager/oauth?${right.toString()}`),
    await post(opened, 'add-webhook', { url: hostile }),
  ]
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 404, 400, 200, 400])
  for (const answer of pages) {
    const text = await answer.text()
    expect(text).not.toMatch(/<script|<img|onerror='/)
    // Each attribute value is closed correctly: it is followed by another attribute, or by the end of the tag.
    expect(text).not.toMatch(/="[^"]*"[^\s/>]/)
  }
})

it('shows bidirectional control characters as escapes', async () => {
  await using opened = await open()
  const answer = await opened.get(opened.query({ redirect_url: 'https://x.example/\u202Egpj' }))
  expect(await answer.text()).toContain('https://x.example/\\u202egpj')
})

it('has a content security policy without scripts, frames and other origins', async () => {
  await using opened = await open()
  const policyOf = async (path: string) =>
    (await opened.get(path)).headers.get('content-security-policy')
  const base = "default-src 'none'; style-src 'self'; base-uri 'none'; "
  expect(await policyOf('/')).toBe(`${base}form-action 'self'; frame-ancestors 'none'`)
  expect(await policyOf('/manager/oauth')).toBe(`${base}form-action 'self'; frame-ancestors 'none'`)
  // The form redirects to the client, so its policy must not restrict form targets to this origin.
  expect(await policyOf(opened.query())).toBe(`${base}frame-ancestors 'none'`)
  for (const path of ['/', '/sandbox.css', '/api/sandbox/locations', '/nothing']) {
    const { headers } = await opened.get(path)
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('cache-control'), path).toContain('no-store')
    expect(headers.get('access-control-allow-origin'), path).toBeNull()
  }
})
