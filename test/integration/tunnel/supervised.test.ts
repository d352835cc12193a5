import { expect, test } from 'vitest'
import { openTestEngine, type TestEngine } from '#test/support/engine.ts'
import { freePort } from '#test/support/free-port.ts'
import { publicRequest } from '#test/support/public-request.ts'
import { rawServer } from '#test/support/raw-server.ts'
import { goodBody } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { tunnelViews } from '#test/support/tunnel-views.ts'

const manual = (url: string) => ({ provider: 'manual', options: { url } })
const viewOf = async ({ engine }: TestEngine) => (await engine.call('app.snapshot', {})).tunnel

test('an opening that hangs does not block settings, and closes immediately', async () => {
  await using silent = await rawServer(() => undefined)
  await using tab = await openTestEngine()
  const { engine } = tab
  const options = { host: `http://127.0.0.1:${silent.port}` }
  const opened = await engine.call('tunnel.open', { setup: { provider: 'localtunnel', options } })
  expect(opened.state).toBe('opening')
  await engine.call('settings.update', { theme: 'dark' })
  await engine.call('listener.start', { port: await freePort() })
  expect((await viewOf(tab)).state).toBe('opening')
  expect(await engine.call('tunnel.close', {})).toMatchObject({ state: 'off', cause: 'stopped' })
})

test('the copied URL, warnings and the wanted state outlast the engine', async () => {
  await using folder = ownedFolder()
  const port = await freePort()
  const opened = manual(`http://127.0.0.1:${port}`)
  {
    await using tab = await openTestEngine({ dataDir: folder.path })
    const views = tunnelViews(tab.engine)
    await tab.engine.call('listener.start', { port })
    await tab.engine.call('tunnel.copied', { url: 'https://before.example.test/hooks/kitchen' })
    await tab.engine.call('tunnel.open', { setup: opened })
    const { warnings, probe } = await views.state('online')
    expect(probe?.ok).toBe(true)
    expect(warnings).toMatchObject([
      { kind: 'address_changed', old: 'https://before.example.test', now: opened.options.url },
    ])
  }
  await using tab = await openTestEngine({
    dataDir: folder.path,
    tunnelPace: { firstProbes: [50, 50] },
  })
  const views = tunnelViews(tab.engine)
  const { warnings, setup, using, temporary } = await viewOf(tab)
  expect(warnings).toMatchObject([{ kind: 'address_changed' }])
  expect({ setup, using, temporary }).toEqual({ setup: opened, using: opened, temporary: false })
  // The listener of this run is on another port, so the URL is unreachable until the listener is back.
  const { reason } = await views.state('offline')
  expect(reason).toContain(`127.0.0.1:${port}`)
  const before = views.all.length
  await tab.engine.call('listener.start', { port })
  await views.state('online', before)

  const dismissed = await tab.engine.call('tunnel.dismiss', { kind: 'address_changed' })
  expect(dismissed.warnings).toEqual([])
})

test('delayed responses use up all connections: this is reported, and they are not cut off', async () => {
  await using server = await tunnelServer({ maxConnections: 2 })
  await using tab = await openTestEngine({
    // On a busy computer, a probe takes far longer than on an idle one.
    tunnelPace: { probeEvery: 100, probeWithin: 1000, moreProbes: [50, 50], slowProbes: 100 },
  })
  const { engine } = tab
  const views = tunnelViews(engine)
  const options = { host: server.host, subdomain: 'pier9' }
  await engine.call('tunnel.open', { setup: { provider: 'localtunnel', options } })
  const { url } = await views.state('online')
  const [endpoint] = (await engine.call('app.snapshot', {})).endpoints
  await engine.call('responses.set', {
    endpointId: endpoint?.id ?? 0,
    rules: [
      {
        type: null,
        response: { kind: 'status', status: 202, headers: [], body: '' },
        // Longer than the three probes that have to fail.
        delayMs: 8000,
        when: { kind: 'always' },
        enabled: true,
      },
    ],
  })
  const from = views.all.length
  const asked = [1, 2].map(() =>
    publicRequest(`${url}/hooks/${endpoint?.slug}`, { body: goodBody, timeoutMs: 40_000 }),
  )
  await views.next(
    'that answers are held back',
    ({ state, reason }) =>
      state === 'degraded' &&
      reason.startsWith('A self-check failed. Responses that a rule or a target delays'),
    { from },
  )
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([202, 202])
  await views.state('online', views.all.length)
  expect(server.asked).toEqual(['/pier9'])
})
