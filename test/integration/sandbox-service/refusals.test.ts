import { expect, it } from 'vitest'
import { openService } from '#sandbox/service/service.ts'
import { ask } from '#test/support/raw-client.ts'
import { accessSecret, open, ticketIn } from './service-client.ts'

const port = (url: string) => Number(new URL(url).port)

it('accepts the response to a page once, in time, and with a user', async () => {
  await using opened = await open()
  const ticketOf = async () => ticketIn(await (await opened.get(opened.query())).text())
  const approve = async (ticket: string, more: Record<string, string> = {}) =>
    await opened.submit('/manager/oauth', { ticket, user: 'mara', decision: 'approve', ...more })

  const ticket = await ticketOf()
  expect((await approve(ticket)).status).toBe(302)
  expect((await approve(ticket)).status).toBe(400)
  expect((await approve('')).status).toBe(400)
  expect((await approve(await ticketOf(), { user: 'nobody' })).status).toBe(400)
  expect((await approve(await ticketOf(), { decision: 'perhaps' })).status).toBe(400)
  const old = await ticketOf()
  await opened.clock.pass(600_000)
  expect((await approve(old)).status).toBe(400)
})

it('rejects a response sent by a page of another origin', async () => {
  await using opened = await open()
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const ticket = ticketIn(await (await opened.get(opened.query())).text())
    const fields = { ticket, user: 'mara', decision: 'approve' }
    const answer = await opened.submit('/manager/oauth', fields, headers)
    expect(answer.status).toBe(403)
    expect(answer.headers.get('location')).toBeNull()
  }
})

const right = {
  grant_type: 'authorization_code',
  api_access_id: 'acc-1',
  api_access_secret: accessSecret,
}

it('exchanges a code once, and within a minute', async () => {
  await using opened = await open()
  const code = (await opened.decide()).searchParams.get('code') ?? ''
  expect((await opened.exchange(code)).status).toBe(200)
  const again = await opened.exchange(code)
  expect(again.status).toBe(400)
  expect(await again.json()).toMatchObject({ madeUp: true, error: 'invalid_grant' })

  const late = (await opened.decide()).searchParams.get('code') ?? ''
  await opened.clock.pass(59_999)
  const later = (await opened.decide()).searchParams.get('code') ?? ''
  await opened.clock.pass(1)
  expect((await opened.exchange(late)).status).toBe(400)
  expect((await opened.exchange(later)).status).toBe(200)
})

const wrongFields: readonly (readonly [number, string, object])[] = [
  [400, 'invalid_request', { grant_type: undefined }],
  [400, 'unsupported_grant_type', { grant_type: 'password' }],
  [400, 'invalid_request', { api_access_id: '' }],
  [400, 'invalid_request', { api_access_secret: 5 }],
  [401, 'invalid_client', { api_access_id: 'acc-2' }],
  [401, 'invalid_client', { api_access_secret: `${accessSecret}x` }],
  [400, 'invalid_request', { code: undefined }],
  [400, 'invalid_grant', { code: 'nothing' }],
  [400, 'invalid_request', { grant_type: 'refresh_token' }],
  [400, 'invalid_grant', { grant_type: 'refresh_token', refresh_token: 'nothing' }],
]

it.each(wrongFields)(
  'responds with %i, %s to a token request with %o',
  async (status, error, change) => {
    await using opened = await open()
    const code = (await opened.decide()).searchParams.get('code') ?? ''
    const answer = await opened.token({ ...right, code, ...change })
    const text = await answer.text()
    expect(answer.status).toBe(status)
    expect(JSON.parse(text)).toMatchObject({ madeUp: true, error })
    // Error messages are shown and stored by clients.
    for (const secret of [accessSecret, code]) expect(text).not.toContain(secret)
    // A rejected request does not use up the code.
    expect((await opened.exchange(code)).status).toBe(200)
  },
)

it('rejects another content type, an unacceptable response type, and invalid JSON', async () => {
  await using opened = await open()
  const { baseUrl } = opened.service.state()
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${baseUrl}/api/oauth/token`, { method: 'POST', body, headers })
  const type = { 'Content-Type': 'application/json' }
  expect((await post('a=b', { 'Content-Type': 'text/plain' })).status).toBe(415)
  expect((await post('{}', { ...type, Accept: 'text/html' })).status).toBe(406)
  for (const body of ['', '{', '[]', 'null', '"x"', '{}'])
    expect((await post(body, type)).status, body).toBe(400)
  expect((await post(`"${'x'.repeat(70_000)}"`, type)).status).toBe(413)
})

it('responds to its own host name only', async () => {
  await using opened = await open()
  const at = port(opened.service.state().baseUrl)
  for (const host of [`localhost:${at}`, 'evil.example', `127.0.0.1`, `127.0.0.1:${at}.evil`]) {
    expect((await ask(at, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status, host).toBe(421)
  }
  expect(
    (await ask(at, `GET http://127.0.0.1:${at}/ HTTP/1.1\r\nHost: 127.0.0.1:${at}\r\n\r\n`)).status,
  ).toBe(400)
})

it('rejects unknown paths and methods', async () => {
  await using opened = await open()
  const { baseUrl } = opened.service.state()
  expect((await opened.get('/nothing')).status).toBe(404)
  expect((await opened.get('//evil.example/')).status).toBe(404)
  expect((await opened.get('/constructor')).status).toBe(404)
  const answer = await opened.get('/api/oauth/token')
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('POST')
  const head = await fetch(baseUrl + opened.query(), { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

it('reports that a port is in use', async () => {
  await using opened = await open()
  const at = port(opened.service.state().baseUrl)
  await expect(openService({ port: at })).rejects.toMatchObject({
    name: 'SandboxError',
    code: 'port_in_use',
    message: expect.stringContaining(`Port ${at}`),
  })
})

it.each([
  ['bad_redirect_url', { redirectUrls: ['ftp://x.example/'] }],
  ['bad_redirect_url', { redirectUrls: ['https://x.example/#a'] }],
  ['bad_redirect_url', { redirectUrls: ['https://u:p@x.example/'] }],
  ['bad_redirect_url', { redirectUrls: ['https://x.example/\r\nX: y'] }],
  ['bad_redirect_url', { redirectUrls: ['javascript:alert(1)'] }],
  ['bad_lifetime', { tokenLifetime: 0 }],
  ['bad_lifetime', { tokenLifetime: 1.5 }],
  ['too_many', { redirectUrls: Array.from({ length: 51 }, (_, at) => `https://x${at}.example/`) }],
])('refuses a change, %s, and changes nothing', async (code, change) => {
  await using opened = await open()
  const before = opened.service.state()
  expect(() => opened.service.configure({ faults: ['slow'], ...change })).toThrow(
    expect.objectContaining({ name: 'SandboxError', code }),
  )
  expect(opened.service.state()).toEqual(before)
})
