import { expect, it } from 'vitest'
import { accessSecret, objectOf, open } from './service-client.ts'

const now = Date.parse('2026-03-14T21:00:00.000Z') / 1000

it('leads from the authorization page to a token, a resource, a refresh, and a 401 after revocation', async () => {
  await using opened = await open()
  const { service } = opened

  const page = await opened.get(opened.query({ state: 'a b&ü' }))
  expect(page.status).toBe(200)
  const back = await opened.decide({ user: 'mara' }, { state: 'a b&ü=%2f' })
  expect(back.origin + back.pathname).toBe('https://client.invalid/callback')
  expect([...back.searchParams.keys()]).toEqual(['code', 'state'])
  expect(back.searchParams.get('state')).toBe('a b&ü=%2f')

  const answer = await opened.exchange(back.searchParams.get('code') ?? '')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  const issued = await objectOf(answer)
  expect(issued).toEqual({
    tokenType: 'Bearer',
    token: expect.stringMatching(/^at_.{32}$/),
    initiated: now,
    expires: now + 86_400,
    expiresIn: 86_400,
    refreshToken: expect.stringMatching(/^rt_.{32}$/),
  })
  expect(service.state().tokens).toBe(1)

  const resource = await opened.locations(issued['token'])
  expect(resource.status).toBe(200)
  expect(await resource.json()).toMatchObject({
    madeUp: true,
    user: { name: 'Mara' },
    locations: [{ name: 'Pier 9' }, { name: 'Harbour Bar' }],
  })

  await opened.clock.pass(3_600_000)
  const refreshed = await objectOf(await opened.refresh(String(issued['refreshToken'])))
  expect(refreshed).toEqual({
    tokenType: 'Bearer',
    token: expect.stringMatching(/^at_/),
    initiated: now + 3600,
    expires: now + 3600 + 86_400,
    expiresIn: 86_400,
    refreshToken: expect.stringMatching(/^rt_/),
  })
  expect(refreshed['token']).not.toBe(issued['token'])
  expect(refreshed['refreshToken']).not.toBe(issued['refreshToken'])
  // A refresh ends neither the older access token nor the older refresh token.
  expect((await opened.locations(issued['token'])).status).toBe(200)
  expect((await opened.refresh(String(issued['refreshToken']))).status).toBe(200)

  service.revokeTokens()
  for (const { token } of [issued, refreshed]) {
    const refused = await opened.locations(token)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ error: 'token_revoked' })
  }
  const refused = await opened.refresh(String(refreshed['refreshToken']))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: 'invalid_grant' })
  expect(service.state().tokens).toBe(0)
})

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

it('reports a denial as access_denied, without a code', async () => {
  await using opened = await open()
  const back = await opened.decide({ decision: 'deny' })
  expect([...back.searchParams]).toEqual([
    ['error', 'access_denied'],
    ['state', 'state-1'],
  ])
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
