import { expect, it } from 'vitest'
import { accessSecret, objectOf, open } from './service-client.ts'

it('responds with 401 to an expired token, and issues another for its refresh token', async () => {
  await using opened = await open({ tokenLifetime: 60 })
  const { token, refreshToken } = await opened.connect()
  await opened.clock.pass(59_000)
  expect((await opened.locations(token)).status).toBe(200)
  await opened.clock.pass(1000)
  const refused = await opened.locations(token)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ error: 'token_expired' })

  const next = await objectOf(await opened.refresh(String(refreshToken)))
  expect((await opened.locations(next['token'])).status).toBe(200)
  opened.service.expireTokens()
  expect((await opened.locations(next['token'])).status).toBe(401)
  expect((await opened.refresh(String(next['refreshToken']))).status).toBe(200)
})

it('responds with 403 to an invalid token, and with 401 without one', async () => {
  await using opened = await open()
  const { token } = await opened.connect()
  expect((await opened.locations(`${String(token)}x`)).status).toBe(403)
  const path = '/api/sandbox/locations'
  for (const value of ['Basic YTpi', 'Bearer', String(token), 'Bearer a b'])
    expect((await opened.get(path, { Authorization: value })).status, value).toBe(403)
  expect((await opened.get(path)).status).toBe(401)
})

it('echoes a request without the value of its authorization', async () => {
  await using opened = await open()
  const { token } = await opened.connect()
  const { baseUrl } = opened.service.state()
  const answer = await fetch(`${baseUrl}/api/sandbox/echo?a=1&a=2`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${String(token)}`, 'X-Some': 'thing' },
    body: '{"ü":1}',
  })
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({
    madeUp: true,
    method: 'PUT',
    query: [
      ['a', '1'],
      ['a', '2'],
    ],
    headers: { 'x-some': 'thing' },
    token: 'alive',
    body: '{"ü":1}',
  })
  expect(text).not.toContain(String(token))
})

it('reports its state without a secret, a code or a token', async () => {
  await using opened = await open({ webhook: { url: 'http://127.0.0.1:9/x', secret: 'canary' } })
  const pushed: string[] = []
  opened.service.onChange((state) => pushed.push(JSON.stringify(state)))
  const { token, refreshToken } = await opened.connect()
  await opened.clock.pass(200)
  expect(pushed.at(-1)).toContain('"tokens":1')
  for (const secret of [accessSecret, String(token), String(refreshToken), 'canary'])
    expect(pushed.join('')).not.toContain(secret)
})
