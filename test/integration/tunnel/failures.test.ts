import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TunnelView } from '#contract/tunnel.ts'
import { openTestEngine, sharedTestEngine } from '#test/support/engine.ts'
import { freePort } from '#test/support/free-port.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { goodBody, sign } from '#test/support/requests.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { tunnelViews, type TunnelViews } from '#test/support/tunnel-views.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine()
let views: TunnelViews

beforeEach(() => {
  views = tunnelViews(tab().engine)
})
afterEach(async () => {
  views.stop()
  await tab().engine.call('tunnel.close', {})
})

const open = (host: string, subdomain?: string): Promise<TunnelView> =>
  tab().engine.call('tunnel.open', {
    wish: {
      provider: 'localtunnel',
      options: { host, ...(subdomain === undefined ? {} : { subdomain }) },
    },
    temporary: true,
  })

/** A complete sentence without internal details. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z“"'\w].{15,400}[.!?]$/su)
  expect(text).not.toMatch(/undefined|\bnull\b|\[object|Error:|\.[jt]s:\d+|\bE[A-Z]{6,}/)
}

test('no listener: offline, reported, nothing requested from the server; it listens: online; it moves: the same address', async () => {
  await using server = await tunnelServer()
  await using taken = await rawServer((socket) => socket.end())
  await using own = await openTestEngine({ listenerPort: taken.port })
  const { engine, path } = own
  const its = tunnelViews(engine)
  const wish = { provider: 'localtunnel', options: { host: server.host, subdomain: 'pier9' } }
  await engine.call('tunnel.open', { wish, temporary: true })
  const offline = await its.state('offline')
  expect(offline).toMatchObject({ cause: 'listener_down', url: null, using: wish })
  expectSentence(offline.reason)
  expect(offline.reason).toContain(String(taken.port))
  expect((await engine.call('tunnel.check', {})).state).toBe('offline')
  expect(server.asked).toEqual([])

  expect((await engine.call('listener.start', { port: 0 })).state).toBe('listening')
  const { url } = await its.state('online')
  const post = (): Promise<number> =>
    publicRequest(`${url}${path}`, {
      body: goodBody,
      headers: { 'X-Service-Signature': sign(goodBody) },
    }).then(({ status }) => status)
  expect(await post()).toBe(200)

  // The tunnel listener has another port, so moving the main listener does not affect the tunnel.
  const seen = its.all.length
  expect((await engine.call('listener.start', { port: await freePort() })).state).toBe('listening')
  expect(await post()).toBe(200)
  expect((await engine.call('tunnel.check', {})).state).toBe('online')
  expect(its.all.slice(seen).filter(({ state }) => state !== 'online')).toEqual([])
  expect(server.asked).toEqual(['/pier9'])
})

test('another process at the same URL: not online, since the response is not from Tabscope', async () => {
  await using server = await tunnelServer({ graceMs: 50 })
  await open(server.host, 'stolen')
  await views.state('online')
  const seen = views.all.length
  server.hijack(true)
  await tab().engine.call('tunnel.check', {})
  const wrong = await views.next('what is wrong', ({ state }) => state !== 'online', { from: seen })
  expectSentence(wrong.reason)
  expect(['other_answer', 'probe_failed']).toContain(wrong.cause)
})

test('closing while it opens, and while it waits: off immediately, with no further requests', async () => {
  await using server = await tunnelServer()
  server.answerWith('nothing')
  await open(server.host, 'hasty')
  await until('the question', () => server.asked.length > 0)
  expect((await tab().engine.call('tunnel.close', {})).state).toBe('off')
  await until('no socket', () => server.sockets === 0)
  await server.kill()
  await open(server.host, 'hasty')
  await views.state('offline')
  const closed = await tab().engine.call('tunnel.close', {})
  expect(closed).toMatchObject({ state: 'off', cause: 'stopped', url: null, nextTryAt: null })
  expect(closed.failures).toBe(0)
})
