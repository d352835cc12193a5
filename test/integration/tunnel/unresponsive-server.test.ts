import { expect, test } from 'vitest'
import { openTestEngine } from '#test/support/engine.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { tunnelViews } from '#test/support/tunnel-views.ts'

// With the real timeouts, which run at the same time.

test.concurrent('a server that accepts and never responds: stops after 15 s, and reports it', async () => {
  await using tab = await openTestEngine()
  await using server = await tunnelServer()
  server.answerWith('nothing')
  const views = tunnelViews(tab.engine)
  const opened = await tab.engine.call('tunnel.open', {
    wish: { provider: 'localtunnel', options: { host: server.host } },
    temporary: true,
  })
  expect(opened.state).toBe('opening')
  const offline = await views.next('offline', ({ state }) => state === 'offline', { ms: 25_000 })
  expect(offline).toMatchObject({ cause: 'open_timeout', url: null, failures: 1 })
  expect(offline.reason).toMatch(/15 s/)
  expect(offline.since - opened.since).toBeGreaterThanOrEqual(14_900)
  server.answerWith('tunnel')
  await views.state('online', views.all.length - 1)
})

test.concurrent('a tunnel that stops without notice is reported within 15 s, and reopened once its server is back', async () => {
  await using tab = await openTestEngine()
  await using server = await tunnelServer()
  const views = tunnelViews(tab.engine)
  await tab.engine.call('tunnel.open', {
    wish: { provider: 'localtunnel', options: { host: server.host, subdomain: 'asleep' } },
    temporary: true,
  })
  await views.state('online')
  const seen = views.all.length
  server.freeze()
  const frozen = Date.now()
  const shown = await views.next('it to be shown', ({ state }) => state !== 'online', {
    from: seen,
    ms: 25_000,
  })
  expect(shown.since - frozen).toBeLessThanOrEqual(15_000)
  expect(shown.cause).toBe('probe_failed')
  await server.restart()
  expect((await views.state('online', views.all.indexOf(shown))).url).toMatch(/asleep/)
})
