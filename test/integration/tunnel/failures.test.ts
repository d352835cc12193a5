import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TunnelCause, TunnelView } from '#contract/tunnel.ts'
import { openTestEngine, sharedTestEngine } from '#test/support/engine.ts'
import { freePort } from '#test/support/free-port.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { goodBody, sign } from '#test/support/requests.ts'
import type { OpeningAnswer } from '#test/support/tunnel-opening.ts'
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

test('a taken subdomain: another is assigned, and a warning stays until the user has seen it', async () => {
  await using server = await tunnelServer({ graceMs: 60_000 })
  await publicRequest(`${server.host}/taken`, { method: 'GET' })
  await open(server.host, 'taken')
  const online = await views.state('online')
  expect(online.url).toMatch(/^http:\/\/given-[0-9a-f]+\.localhost:\d+$/)
  expectSentence(online.reason)
  const [warning, ...others] = online.warnings
  expect(others).toEqual([])
  if (warning?.kind !== 'assigned') throw new Error('no warning')
  expect(warning.by).toBe('user')
  expect(warning.requested).toContain('taken')
  expect(online.url).toContain(warning.assigned)
  const checked = await tab().engine.call('tunnel.check', {})
  expect(checked).toMatchObject({ state: 'online', warnings: [{ kind: 'assigned' }] })
  // Not even when it is reopened with the same name.
  const seen = views.all.length
  await server.restart()
  await publicRequest(`${server.host}/taken`, { method: 'GET' })
  const again = await views.next(
    'another tunnel',
    ({ state, url }) => state === 'online' && url !== null,
    { from: seen },
  )
  expect(again.warnings).toMatchObject([{ kind: 'assigned', requested: warning.requested }])
  const dismissed = await tab().engine.call('tunnel.dismiss', { kind: 'assigned' })
  expect(dismissed.warnings).toEqual([])
})

test('a server that is down at the start: reported, retried, online once it is up', async () => {
  await using server = await tunnelServer({ up: false })
  await open(server.host, 'early')
  const offline = await views.state('offline')
  expect(offline).toMatchObject({ cause: 'server_down', url: null })
  expect(offline.nextTryAt).not.toBe(null)
  expectSentence(offline.reason)
  expect(offline.reason).toContain(new URL(server.host).host)
  await views.next('more tries', ({ failures }) => failures >= 2)
  await server.restart()
  const online = await views.state('online')
  expect(online).toMatchObject({ cause: 'probe_ok', failures: 0, warnings: [] })
  expect(online.url).toBe(`http://early.localhost:${server.port}`)
})

test.for([
  ['html', 'server_answer', /HTML|web page|page/i],
  ['json', 'server_answer', /tunnel/i],
  ['403', 'server_refused', /403|This address may not open tunnels/],
  ['500', 'server_answer', /500/],
  ['closed-port', 'server_down', /port|connection|firewall/i],
] satisfies [OpeningAnswer, TunnelCause, RegExp][])(
  'a server that responds with %s: offline, %s',
  async ([answer, cause, says]) => {
    await using server = await tunnelServer()
    server.answerWith(answer)
    await open(server.host, 'unlucky')
    const offline = await views.state('offline')
    expect(offline).toMatchObject({ cause, url: null })
    expectSentence(offline.reason)
    expect(offline.reason).toMatch(says)
    expect(views.all.map(({ state }) => state)).not.toContain('online')
    if (offline.nextTryAt === null) return
    server.answerWith('tunnel')
    await views.state('online')
  },
)

test('a host that is not a localtunnel server: offline, reported', async () => {
  await using server = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  await open(`http://localhost:${server.port}`)
  const offline = await views.state('offline')
  expectSentence(offline.reason)
  expect(offline.url).toBe(null)
})

test('a name that does not resolve: offline, reported by name', async () => {
  await open('http://no-such-name.invalid')
  const offline = await views.state('offline')
  expect(offline).toMatchObject({ cause: 'server_unresolved', url: null })
  expectSentence(offline.reason)
  expect(offline.reason).toContain('no-such-name.invalid')
})

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

test('connections that end one by one are replaced: later deliveries arrive', async () => {
  await using server = await tunnelServer()
  const { path } = tab()
  await open(server.host, 'frail')
  const { url } = await views.state('online')
  for (let round = 0; round < 3; round += 1) {
    await until('connections', () => server.clients[0]?.connections === 10)
    server.dropConnections(7)
  }
  const { status } = await publicRequest(`${url}${path}`, { body: goodBody })
  expect(status).toBe(200)
  await views.next('online', ({ state }) => state === 'online', { from: views.all.length - 1 })
})

test('a server that drops all connections: another tunnel or the same one, and the reported state is correct', async () => {
  await using server = await tunnelServer({ graceMs: 50 })
  const { engine, path } = tab()
  await open(server.host, 'dropped')
  await views.state('online')
  await until('connections', () => server.clients[0]?.connections === 10)
  server.dropConnections()
  await until('deliveries to pass again while it says online', async () => {
    const { tunnel } = await engine.call('app.snapshot', {})
    if (tunnel.state !== 'online') return false
    return (await publicRequest(`${tunnel.url}${path}`, { body: goodBody })).status === 200
  })
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

test('reopened at a running server: gets the same name again', async () => {
  await using server = await tunnelServer()
  await open(server.host, 'pier9')
  const { url } = await views.state('online')
  const seen = views.all.length
  server.hijack(true)
  await tab().engine.call('tunnel.check', {})
  const anew = await views.state('reconnecting', seen)
  server.hijack(false)
  const online = await views.state('online', views.all.indexOf(anew))
  expect(online).toMatchObject({ url, warnings: [] })
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
