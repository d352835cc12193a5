import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiServer, headerOf, type ApiServer } from '#test/support/api-server.ts'
import { on, openConsole, canary } from '#test/support/console.ts'
import { refusalOf } from '#test/support/refusal.ts'

type Console = Awaited<ReturnType<typeof openConsole>>
let own: ApiServer
let other: ApiServer
let tab: Console

beforeAll(async () => {
  own = await apiServer(({ url }, response) => {
    if (url.endsWith('/away')) response.writeHead(302, { Location: `${other.origin}/home` })
    response.end('own')
  })
  other = await apiServer((_, response) => response.end('other'))
  tab = await openConsole({ baseUrl: `${own.origin}/v1/` })
})
afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await own[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

const last = (server: ApiServer) => {
  const arrived = server.arrived.at(-1)
  if (!arrived) throw new Error('nothing arrived')
  return arrived
}

const bearer = `Bearer ${canary.token}`

test('the token is sent to the integration in the Authorization header', async () => {
  const exchange = await tab.send({
    method: 'POST',
    path: '/things?a=1',
    query: [on('b', '2')],
    headers: [on('X-One', '1'), { name: 'X-Off', value: '1', on: false }],
    body: '{"a":1}',
  })
  const arrived = last(own)
  expect([arrived.method, arrived.url, arrived.body.toString()]).toEqual([
    'POST',
    '/v1/things?a=1&b=2',
    '{"a":1}',
  ])
  expect(headerOf(arrived, 'Authorization')).toBe(bearer)
  expect(headerOf(arrived, 'X-One')).toBe('1')
  expect(headerOf(arrived, 'X-Off')).toBeUndefined()
  expect(exchange).toMatchObject({
    status: 200,
    error: null,
    advice: null,
    bytes: 3,
    storedBytes: 3,
  })
  expect(exchange.hops).toMatchObject([{ reason: 'sent', withToken: true }])
  expect(exchange.hops[0]?.request.headers).toContainEqual([
    'Authorization',
    `Bearer «token_${tab.tokenId}»`,
  ])
})

test.each<[string, () => Parameters<Console['send']>[0]]>([
  ['the chosen token', () => ({})],
  ['the token in a typed header', () => ({ tokenId: null, headers: [on('X-Auth', canary.token)] })],
  [
    'the token as typed Basic credentials',
    () => ({
      tokenId: null,
      headers: [
        on('Authorization', `Basic ${Buffer.from(`me:${canary.token}`).toString('base64')}`),
      ],
    }),
  ],
  ['a marker', () => ({ tokenId: null, headers: [on('X-Auth', `«token_${tab.tokenId}»`)] })],
  ['the token in the query', () => ({ tokenId: null, query: [on('t', canary.token)] })],
  [
    'the refresh token in the body',
    () => ({ tokenId: null, method: 'POST', body: `{"x":"${canary.refreshToken}"}` }),
  ],
  [
    'the access secret in the body',
    () => ({ tokenId: null, method: 'POST', body: canary.accessSecret }),
  ],
])('a request with a secret to another origin is rejected: %s', async (_, more) => {
  const before = other.arrived.length
  for (const address of [
    `${other.origin}/x`,
    `http://localhost:${own.port}/x`,
    `https://127.0.0.1:${own.port}/x`,
  ]) {
    const error = await refusalOf(tab.send({ ...more(), path: address }))
    expect(error).toMatchObject({
      code: 'other_origin',
      details: { origin: new URL(address).origin, integrationOrigin: own.origin },
    })
    for (const value of Object.values(canary)) expect(error.message).not.toContain(value)
  }
  expect(other.arrived).toHaveLength(before)
})

test('a request to another origin is sent without a token, or if it is allowed for this request', async () => {
  await tab.send({ path: `${other.origin}/x`, tokenId: null })
  expect(headerOf(last(other), 'Authorization')).toBeUndefined()
  const exchange = await tab.send({ path: `${other.origin}/x`, allowOtherOrigin: true })
  expect(headerOf(last(other), 'Authorization')).toBe(bearer)
  expect(exchange.hops).toMatchObject([{ withToken: true }])
})

test('a full URL of the integration is sent with the token', async () => {
  await tab.send({ path: `${own.origin.toUpperCase()}/whole` })
  expect(last(own).url).toBe('/whole')
  expect(headerOf(last(own), 'Authorization')).toBe(bearer)
})

test('an Authorization header written by the user replaces the token', async () => {
  const exchange = await tab.send({ headers: [on('authorization', 'Bearer typed-by-hand')] })
  expect(headerOf(last(own), 'Authorization')).toBe('Bearer typed-by-hand')
  expect(exchange.hops).toMatchObject([{ withToken: false }])
  expect(JSON.stringify(exchange)).not.toContain('typed-by-hand')
})

test('a redirect is not followed, and shown with its Location', async () => {
  const before = [own.arrived.length, other.arrived.length]
  const { status, hops, error } = await tab.send({ path: '/away' })
  expect([status, error, hops.length]).toEqual([302, null, 1])
  expect(hops[0]?.response?.headers).toContainEqual(['Location', `${other.origin}/home`])
  expect([own.arrived.length - 1, other.arrived.length]).toEqual(before)
})

test('a token of another integration is rejected', async () => {
  const { id } = await tab.tab.engine.call('integrations.create', {
    name: 'Another',
    baseUrl: own.origin,
  })
  const error = await refusalOf(tab.send({ integrationId: id }))
  expect(error).toMatchObject({ code: 'bad_input', details: { fields: ['tokenId'] } })
})
