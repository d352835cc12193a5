import { expect, test } from 'vitest'
import { builtThreads, openTestEngine } from '#test/support/engine.ts'
import { openHandles } from '#test/support/open-handles.ts'
import { tunnelServer, type TunnelServer } from '#test/support/tunnel-server.ts'
import { tunnelViews, type TunnelViews } from '#test/support/tunnel-views.ts'
import { until } from '#test/support/until.ts'

const kinds = [
  'Timeout',
  'TCPSocketWrap',
  'TCPServerWrap',
  'TCPConnectWrap',
  'MessagePort',
] as const

type Held = Readonly<Record<(typeof kinds)[number] | 'sockets' | 'threads', number>>

/** Resources of this process: of the engine, and of the test server, which is down when it is asked for. */
function held(): Held {
  const active = process.getActiveResourcesInfo()
  const count = (kind: string): number => active.filter((one) => one === kind).length
  return {
    Timeout: count('Timeout'),
    TCPSocketWrap: count('TCPSocketWrap'),
    TCPServerWrap: count('TCPServerWrap'),
    TCPConnectWrap: count('TCPConnectWrap'),
    MessagePort: count('MessagePort'),
    ...(openHandles(process.pid) ?? { sockets: 0, threads: 0 }),
  }
}

const silent = 'waits for an answer of its server'

/** The states in which the tunnel is closed. */
const doings: Readonly<
  Record<string, (server: TunnelServer, views: TunnelViews, from: number) => Promise<unknown>>
> = {
  'is online': (_server, views, from) => views.state('online', from),
  [silent]: async (server, views, from) => {
    await until('the question to be there', () => server.sockets > 0)
    expect(views.all.slice(from).map(({ state }) => state)).not.toContain('online')
  },
  'waits for its next try': async (server, views, from) => {
    await views.state('online', from)
    await server.kill()
    await views.state('offline', from)
  },
  'has lost its server a moment ago': async (server, views, from) => {
    await views.state('online', from)
    await server.kill()
    await views.next('a word', ({ state }) => state === 'degraded', { from })
  },
}

test('closing in any state leaves no timer, socket, port or thread behind', async () => {
  await using tab = await openTestEngine({ background: false })
  await using server = await tunnelServer()
  const views = tunnelViews(tab.engine)
  let base: Held | null = null
  const over: unknown[] = []
  // The first round creates resources that are created once and kept.
  for (const doing of ['is online', ...Object.keys(doings)]) {
    await server.restart()
    server.answerWith(doing === silent ? 'nothing' : 'tunnel')
    const from = views.all.length
    await tab.engine.call('tunnel.open', {
      wish: { provider: 'localtunnel', options: { host: server.host, subdomain: 'briefly' } },
      temporary: true,
    })
    await doings[doing]?.(server, views, from)
    const closed = await tab.engine.call('tunnel.close', {})
    expect(closed.state, doing).toBe('off')
    await server.kill()
    if (!base) {
      // Resources of the tunnel may take a moment to be released.
      let calm = held()
      await until('things to be calm', async () => {
        const before = calm
        await new Promise((resolve) => setTimeout(resolve, 300))
        calm = held()
        return JSON.stringify(before) === JSON.stringify(calm)
      })
      base = calm
      continue
    }
    const limit = base
    const isMore = (now: Held): boolean =>
      [...kinds, 'sockets' as const, 'threads' as const].some((kind) => now[kind] > limit[kind])
    await until('no more than before', () => !isMore(held()), 5000).catch(() => {
      over.push({ doing, before: limit, after: held() })
    })
  }
  expect(over).toEqual([])
})

test('a command that only reads does not start the capture thread for a tunnel', async () => {
  // The process that starts it detects its end and logs it.
  const capture = new URL('no-such-thread.js', builtThreads.capture)
  await using tab = await openTestEngine({
    listen: false,
    ports: { threads: { ...builtThreads, capture } },
  })
  expect((await tab.engine.call('app.snapshot', {})).tunnel.state).toBe('off')
  await tab.close()
  expect(tab.log).toEqual([])
})
