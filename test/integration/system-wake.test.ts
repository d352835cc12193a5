import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { systemClock } from '#engine/platform/clock.ts'
import { openTestEngine } from '#test/support/engine.ts'
import { tunnelServer } from '#test/support/tunnel-server.ts'
import { tunnelViews } from '#test/support/tunnel-views.ts'
import { until } from '#test/support/until.ts'
import { listenOnLoopback } from '#test/support/listen.ts'

/** A fake system clock, which advances while nothing runs. */
function sleepyClock() {
  let slept = 0
  return {
    now: () => systemClock.now() + slept,
    after: (ms: number, callback: () => void) => systemClock.after(ms, callback),
    sleep: (ms: number) => void (slept += ms),
  }
}

it('checks listener and tunnel immediately when the computer wakes, whichever side notices', async () => {
  const other = await listenOnLoopback(createServer())
  const { port } = other

  const clock = sleepyClock()
  await using server = await tunnelServer()
  await using tab = await openTestEngine({ listenerPort: port, ports: { clock } })
  const { engine } = tab
  const listener = async () => (await engine.call('app.snapshot', {})).listener
  expect(await listener()).toMatchObject({ state: 'failed', code: 'port_in_use', port })
  const views = tunnelViews(engine)
  await engine.call('tunnel.open', {
    setup: { provider: 'localtunnel', options: { host: server.host } },
    temporary: true,
  })

  // The program that used the port has ended after the sleep. The host reports the sleep.
  await other.close()
  clock.sleep(3_600_000)
  engine.woke()
  await until('it to listen', async () => (await listener()).state === 'listening')
  const { status } = await fetch(`http://127.0.0.1:${port}${tab.path}`, {
    method: 'POST',
    body: '{}',
  })
  expect(status).toBe(200)
  await views.state('online')
  expect(tab.log.filter((line) => line.includes('asleep for'))).toHaveLength(1)

  // The second sleep is not reported by the host, only detected by the clock.
  const seen = views.all.length
  clock.sleep(600_000)
  await views.next('a look at it', ({ cause }) => cause === 'woke', { from: seen })
  await views.state('online', views.all.length - 1)
  expect(tab.log.filter((line) => line.includes('asleep for'))).toHaveLength(2)
  // The checks left no entries in the list.
  expect(await engine.call('deliveries.since', { after: 0, limit: 10 })).toHaveLength(1)
})
