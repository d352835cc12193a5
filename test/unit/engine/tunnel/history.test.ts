import { expect, it } from 'vitest'
import { TunnelFailure } from '#engine/tunnel/provider.ts'
import { opened, scripted, setup } from './scripted.ts'

const down = new TunnelFailure('server_down', 'The server cannot be reached.')

/** The history as shown in the interface: states, and for how many seconds. */
async function strip({ tunnel }: ReturnType<typeof scripted>) {
  const spans = await tunnel.history(0, 5000)
  return spans.map(
    ({ state, cause, startedAt, endedAt }) => `${state} ${cause} ${(endedAt - startedAt) / 1000}`,
  )
}

it('has a span for each state, without gaps, both stored and in memory', async () => {
  const script = scripted({ opens: false, lastSpanId: 40 })
  const { tunnel, clock, opening, spans, world } = script
  await tunnel.open(setup, false)
  await clock.pass(3000)
  opening().opens({ url: 'https://a.example.test' })
  await clock.pass(20_000)
  world.probes = false
  await clock.pass(6000)
  world.probes = true
  await clock.pass(2000)
  await tunnel.close()
  await clock.pass(60_000)
  expect(await strip(script)).toEqual([
    'opening asked 3',
    'online probe_ok 24',
    'degraded probe_failed 3',
    'online probe_ok 1',
    'off stopped 0',
  ])
  const all = await tunnel.history(0, 5000)
  expect(all.map(({ id }) => id)).toEqual([41, 42, 43, 44, 45])
  for (const [index, { endedAt }] of all.slice(0, -1).entries())
    expect(all[index + 1]?.startedAt).toBe(endedAt)
  expect(all[1]).toMatchObject({
    provider: 'scripted',
    url: 'https://a.example.test',
    reason: 'Requests to https://a.example.test arrive here.',
  })
  expect([...spans.values()]).toEqual(all)
})

it('counts failed attempts as time without a tunnel', async () => {
  const script = await opened({ opens: false })
  const { tunnel, clock, opening, spans } = script
  for (let tries = 0; tries < 20; tries += 1) {
    await clock.pass(1000)
    opening().fails(down)
    await clock.pass((tunnel.view().nextTryAt ?? 0) - clock.now())
  }
  const lines = await strip(script)
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['opening', 'offline'])
  expect(spans.size).toBe(2)
  opening().opens()
  await clock.pass(1000)
  const [, , online] = await tunnel.history(0, 5000)
  expect(online?.state).toBe('online')
  expect(spans.size).toBe(3)
})

it('records another reason for being offline separately', async () => {
  const script = await opened({ opens: false })
  const { clock, opening } = script
  opening().fails(down)
  await clock.pass(100)
  opening().fails(new TunnelFailure('server_refused', 'Too many tunnels.'))
  await clock.pass(0)
  expect(await strip(script)).toEqual([
    'opening asked 0',
    'offline server_down 0.1',
    'offline server_refused 0',
  ])
})

it('is extended regularly, so that it is accurate to half a minute after a crash', async () => {
  const script = await opened()
  const { tunnel, clock, spans } = script
  const writes: number[] = []
  for (let seconds = 0; seconds < 600; seconds += 1) {
    const before = spans.get(2)?.endedAt
    await clock.pass(1000)
    const to = spans.get(2)?.endedAt ?? 0
    if (to !== before) writes.push(to)
    expect(clock.now() - to).toBeLessThanOrEqual(32_000)
  }
  expect(writes.length).toBeLessThanOrEqual(20)
  const [, online] = await tunnel.history(0, 10)
  expect(online?.endedAt).toBe(clock.now())
})

it('has a gap where the computer was asleep', async () => {
  const script = scripted()
  const { tunnel, clock, sleep } = script
  await tunnel.open(setup, false)
  await clock.pass(20_000)
  sleep(3_600_000)
  await clock.pass(2000)
  await clock.pass(8000)
  expect(await strip(script)).toEqual([
    'opening asked 0',
    'online probe_ok 20',
    'online probe_ok 0',
    'degraded woke 0',
    'online probe_ok 8',
  ])
})

it('ends when Tabscope closes', async () => {
  const script = scripted()
  const { tunnel, clock, spans } = script
  await tunnel.open(setup, false)
  await clock.pass(12_000)
  await tunnel.end()
  expect(
    [...spans.values()].map(({ state, startedAt, endedAt }) => [state, endedAt - startedAt]),
  ).toEqual([
    ['opening', 0],
    ['online', 12_000],
  ])
})

it('has no span that ends before it starts when the clock is set back', async () => {
  const script = scripted()
  const { tunnel, clock, sleep } = script
  await tunnel.open(setup, false)
  await clock.pass(5000)
  sleep(-3_600_000)
  await clock.pass(20_000)
  await tunnel.close()
  for (const { startedAt, endedAt } of await tunnel.history(-1e12, 10))
    expect(endedAt).toBeGreaterThanOrEqual(startedAt)
})
