import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { responseLimit } from '#contract/api.ts'
import { apiServer, type ApiServer } from '#test/support/api-server.ts'
import { on, openConsole, canary } from '#test/support/console.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { until } from '#test/support/until.ts'

type Console = Awaited<ReturnType<typeof openConsole>>
let server: ApiServer
let tab: Console

const large = responseLimit + 1000

beforeAll(async () => {
  server = await apiServer(({ url }, response) => {
    switch (url) {
      case '/large':
        response.end(Buffer.alloc(large, 'x'))
        break
      case '/gzip':
        response.setHeader('Content-Encoding', 'gzip')
        response.end(gzipSync('{"a":"plain"}'))
        break
      case '/gzip-secret':
        response.setHeader('Content-Encoding', 'gzip')
        response.end(gzipSync(`{"a":"${canary.token}"}`))
        break
      case '/not-gzip':
        response.setHeader('Content-Encoding', 'gzip')
        response.end('no gzip')
        break
      case '/silent':
        break
      default:
        response.end('0123456789')
    }
  })
  tab = await openConsole({ baseUrl: server.origin })
})
afterAll(async () => {
  await tab[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const bodyOf = async (id: number): Promise<string> => {
  const { bytes } = await tab.tab.engine.call('api.body', {
    id,
    offset: 0,
    length: 4 * 1024 * 1024,
  })
  return Buffer.from(bytes).toString('latin1')
}

test('25 MiB of a body are stored, the rest is counted', async () => {
  const exchange = await tab.send({ path: '/large' })
  expect(exchange).toMatchObject({ status: 200, bytes: large, storedBytes: responseLimit })
  expect(exchange.hops[0]?.response?.truncated).toBe(true)
  const { size } = await tab.tab.engine.call('api.body', {
    id: exchange.id,
    offset: responseLimit - 1,
    length: 10,
  })
  expect(size).toBe(responseLimit)
})

test('an encoded body is stored decoded, without its secrets', async () => {
  const plain = await tab.send({ path: '/gzip' })
  expect(plain.bodyNote).toBeUndefined()
  expect(await bodyOf(plain.id)).toBe('{"a":"plain"}')
  const { id } = await tab.send({ path: '/gzip-secret' })
  const masked = Buffer.from(`{"a":"«token_${tab.tokenId}»"}`).toString('latin1')
  expect(await bodyOf(id)).toBe(masked)
})

test('a missing response is recorded as an exchange with a reason', async () => {
  const gone = await rawServer(() => undefined)
  await gone.close()
  const exchange = await tab.send({ path: `${gone.origin}/?q=1`, tokenId: null })
  expect(exchange).toMatchObject({
    status: null,
    bytes: 0,
    error: `Nothing listens at 127.0.0.1:${gone.port}. Start the service, or change the address.`,
  })
  expect(exchange.hops).toMatchObject([
    { response: null, timings: { totalMs: expect.any(Number) } },
  ])
  expect(await tab.tab.engine.call('api.exchange', { id: exchange.id })).toEqual(exchange)
  expect(await bodyOf(exchange.id)).toBe('')
})

test('a request is canceled by its key, without affecting others', async () => {
  const before = server.arrived.length
  const cancelled = tab.send({ path: '/silent', key: 'mine' })
  const timedOut = tab.send({ path: '/silent', key: 'other', timeout: 400 })
  await until('both requests', () => server.arrived.length === before + 2)
  await tab.tab.engine.call('api.cancel', { key: 'mine' })
  expect((await cancelled).error).toBe('The request was cancelled.')
  expect((await timedOut).error).toContain('did not respond')
  await tab.tab.engine.call('api.cancel', { key: 'mine' })
})

test('an invalid request is rejected before anything is sent', async () => {
  const before = server.arrived.length
  for (const more of [
    { headers: [on('a b', '1')] },
    { headers: [on('A', '1\r\nB: 2')] },
    { path: 'ftp://127.0.0.1/' },
    { body: 'x', headers: [on('Content-Length', '5')] },
    { headers: [on('X-Auth', '«token_999»')] },
    { body: '{"a":"«kept_code»"}' },
  ]) {
    await expect(tab.send(more)).rejects.toMatchObject({ code: 'bad_input' })
  }
  await expect(tab.send({ tokenId: 999 })).rejects.toMatchObject({ code: 'not_found' })
  expect(server.arrived).toHaveLength(before)
})

test('unknown markers are sent as text', async () => {
  await tab.send({ method: 'POST', body: 'Le plat est « bon », dit «le_chef».' })
  expect(server.arrived.at(-1)?.body.toString()).toBe('Le plat est « bon », dit «le_chef».')
})

test('closing the engine cancels a request in progress', async () => {
  await using brief = await openConsole({ baseUrl: server.origin })
  const before = server.arrived.length
  const waiting = brief.send({ path: '/silent' })
  await until('the request', () => server.arrived.length > before)
  await brief.tab.close()
  expect((await waiting).error).toBe('The request was cancelled.')
})
