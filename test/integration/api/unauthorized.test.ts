import { expect, test } from 'vitest'
import { apiServer, headerOf, type ApiServer, type Arrived } from '#test/support/api-server.ts'
import { on, openConsole, canary } from '#test/support/console.ts'
import { full } from '#test/support/full.ts'

const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const fresh = 'fresh-access-token-Dd4'

function isRefresh({ method, url }: Arrived): boolean {
  return method === 'POST' && url === '/api/oauth/token'
}

/** Responds with 401 to the first token, and with `again` to the fresh one. */
function service({ refresh = 200, again = 200 } = {}) {
  return apiServer((request, response) => {
    if (isRefresh(request)) {
      response.writeHead(refresh, { 'Content-Type': 'application/json' })
      const initiated = nowSeconds()
      response.end(
        refresh === 200
          ? JSON.stringify({
              tokenType: 'Bearer',
              token: fresh,
              initiated,
              expires: initiated + 86_400,
              expiresIn: 86_400,
              refreshToken: canary.refreshToken,
            })
          : '{"error":"no"}',
      )
      return
    }
    response.statusCode = headerOf(request, 'Authorization') === `Bearer ${fresh}` ? again : 401
    response.end('things')
  })
}

/** A token that expired, and a template that is tested. */
const withExpired = ({ origin }: ApiServer) =>
  openConsole({ baseUrl: origin, expires: nowSeconds() - 600, proven: true })

test('401 after expiry: one refresh and one retry', async () => {
  await using server = await service()
  await using tab = await withExpired(server)
  const exchange = await tab.send({ method: 'POST', body: 'again' })
  expect(exchange).toMatchObject({
    status: 200,
    advice: { code: 'expired_refreshed', section: 'Errors' },
  })
  expect(exchange.hops.map(({ reason, response }) => [reason, response?.status])).toEqual([
    ['sent', 401],
    ['retried', 200],
  ])
  expect(server.arrived.map(({ url, body }) => [url, body.toString()])).toEqual([
    ['/things', 'again'],
    ['/api/oauth/token', expect.any(String)],
    ['/things', 'again'],
  ])
  const text = JSON.stringify(exchange)
  expect(text).not.toContain(fresh)
  expect(text).not.toContain(canary.token)
  const { value } = await tab.tab.engine.call('api.reveal', {
    id: exchange.id,
    name: `token_${tab.tokenId}`,
  })
  expect(value).toBe(fresh)
})

test('401 after expiry, and the refresh fails', async () => {
  await using server = await service({ refresh: 500 })
  await using tab = await withExpired(server)
  const exchange = await tab.send({})
  expect(exchange).toMatchObject({ status: 401, advice: { code: 'expired_refresh_failed' } })
  expect(server.arrived.map(({ url }) => url)).toEqual(['/things', '/api/oauth/token'])
})

test.runIf(full)('401 after expiry, and again for the fresh token: no second retry', async () => {
  await using server = await service({ again: 401 })
  await using tab = await withExpired(server)
  const exchange = await tab.send({})
  expect(exchange).toMatchObject({ status: 401, advice: { code: 'expired_refreshed' } })
  expect(exchange.advice?.message).toContain('Authorize again')
  expect(server.arrived.map(({ url }) => url)).toEqual(['/things', '/api/oauth/token', '/things'])
})

test.runIf(full)('401 without a token, and with an Authorization header of the user', async () => {
  await using server = await service()
  await using tab = await withExpired(server)
  const without = await tab.send({ tokenId: null })
  expect(without.advice).toMatchObject({
    code: 'unauthorized_without_token',
    section: 'Authentication 1',
  })
  const typed = await tab.send({ headers: [on('Authorization', 'Bearer typed-by-hand')] })
  expect(typed.advice?.message).toContain('to your Authorization header')
  expect(server.arrived).toHaveLength(2)
})

test('a response from another origin does not affect the token', async () => {
  await using elsewhere = await service()
  await using server = await apiServer((_, response) => response.end())
  await using tab = await withExpired(server)
  const allowed = await tab.send({ path: `${elsewhere.origin}/things`, allowOtherOrigin: true })
  expect(allowed).toMatchObject({ status: 401, advice: null })
  expect(elsewhere.arrived.filter(isRefresh)).toEqual([])
  const [token] = await tab.tab.engine.call('tokens.list', { integrationId: tab.integrationId })
  expect(token?.status).toBe('good')
})
