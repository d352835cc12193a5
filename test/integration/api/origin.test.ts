import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ApiExchange } from '#contract/api.ts'
import { AppError } from '#engine/platform/errors.ts'
import { apiServer, headerOf, type ApiServer } from '#test/support/api-server.ts'
import { on, openConsole, canary } from '#test/support/console.ts'

type Console = Awaited<ReturnType<typeof openConsole>>
let own: ApiServer
let other: ApiServer
let tab: Console
/** The next responses of the integration's server, by path; 200 otherwise. */
let redirects: Record<string, { status: number; location: string }> = {}

beforeAll(async () => {
  own = await apiServer(({ url }, response) => {
    const redirect = redirects[url]
    if (redirect) response.writeHead(redirect.status, { Location: redirect.location })
    response.end('own')
  })
  other = await apiServer(({ url }, response) => {
    if (url === '/home') response.writeHead(302, { Location: `${own.origin}/back` })
    response.end('other')
  })
  tab = await openConsole({ baseUrl: `${own.origin}/v1/` })
})
afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await own[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})
beforeEach(() => {
  redirects = {}
})

const last = (server: ApiServer) => {
  const arrived = server.arrived.at(-1)
  if (!arrived) throw new Error('nothing arrived')
  return arrived
}

async function refusal(sending: Promise<unknown>): Promise<AppError> {
  const outcome = await sending.catch((error: unknown) => error)
  if (outcome instanceof AppError) return outcome
  throw new Error('it was sent', { cause: outcome })
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

test('a path that looks like another URL is sent to the integration', async () => {
  const before = other.arrived.length
  const host = `127.0.0.1:${other.port}`
  for (const path of [
    `//${host}/x`,
    `\\\\${host}\\x`,
    `@${host}/x`,
    `/../..//${host}/x`,
    `.${host}`,
    `ht\ntp://${host}/x`,
  ]) {
    const exchange = await tab.send({ path })
    expect(exchange.status).toBe(200)
  }
  expect(other.arrived).toHaveLength(before)
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
    const error = await refusal(tab.send({ ...more(), path: address }))
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

test('a redirect to another origin drops the token and the headers of the user, and says which', async () => {
  redirects = { '/v1/things': { status: 302, location: `${other.origin}/landed` } }
  const exchange = await tab.send({
    headers: [on('Cookie', 's=typed-cookie'), on('X-Tenant', 'bar'), on('Accept', 'text/plain')],
  })
  expect(headerOf(last(own), 'Cookie')).toBe('s=typed-cookie')
  expect(last(other).url).toBe('/landed')
  expect(headerOf(last(other), 'Authorization')).toBeUndefined()
  expect(headerOf(last(other), 'Cookie')).toBeUndefined()
  expect(headerOf(last(other), 'X-Tenant')).toBeUndefined()
  expect(headerOf(last(other), 'Accept')).toBe('text/plain')
  expect(exchange.hops).toMatchObject([
    { reason: 'sent', withToken: true, droppedHeaders: [] },
    { reason: 'redirected', withToken: false, droppedHeaders: ['Cookie', 'X-Tenant'] },
  ])
})

test('a redirect within the integration keeps the token; one back from another origin does not', async () => {
  redirects = { '/v1/things': { status: 307, location: '/moved' } }
  const within = await tab.send({ method: 'POST', body: 'kept' })
  expect([last(own).method, last(own).url, last(own).body.toString()]).toEqual([
    'POST',
    '/moved',
    'kept',
  ])
  expect(headerOf(last(own), 'Authorization')).toBe(bearer)
  expect(within.hops.map(({ withToken }) => withToken)).toEqual([true, true])

  redirects = { '/v1/things': { status: 302, location: `${other.origin}/home` } }
  await tab.send({})
  expect(last(own).url).toBe('/back')
  expect(headerOf(last(own), 'Authorization')).toBeUndefined()
})

test('redirects are not followed when turned off, and only up to a limit', async () => {
  redirects = { '/v1/things': { status: 302, location: '/v1/things' } }
  const once: ApiExchange = await tab.send({ followRedirects: false })
  expect([once.status, once.hops.length, once.error]).toEqual([302, 1, null])
  const before = own.arrived.length
  const loop = await tab.send({})
  expect(own.arrived.length - before).toBe(11)
  expect([loop.status, loop.hops.length]).toEqual([302, 11])
  expect(loop.error).toContain('Too many redirects')
})

test('a token of another integration is rejected', async () => {
  const { id } = await tab.tab.engine.call('integrations.create', {
    name: 'Another',
    baseUrl: own.origin,
  })
  const error = await refusal(tab.send({ integrationId: id }))
  expect(error).toMatchObject({ code: 'bad_input', details: { fields: ['tokenId'] } })
})
