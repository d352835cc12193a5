import { expect, it } from 'vitest'
import { TunnelFailure } from '#engine/receiving/tunnel/provider.ts'
import { online, opened, scripted, setup } from './scripted.ts'

it('reopens immediately when it ends unexpectedly, with its reason', async () => {
  const { tunnel, clock, openings, opening, world } = await online()
  world.probes = null
  opening().ends(new TunnelFailure('ended', 'The server closed all connections.'))
  await clock.pass(0)
  expect(openings).toHaveLength(2)
  expect(tunnel.view()).toMatchObject({ state: 'reconnecting', failures: 0 })
  expect(tunnel.view().probe).toBeNull()
})

it('reports an end without a reason', async () => {
  const { clock, opening, views } = await online()
  opening().ends(null)
  await clock.pass(0)
  expect(views.find(({ state }) => state === 'reconnecting')).toMatchObject({
    cause: 'ended',
    reason: 'The tunnel (Scripted) closed without a reason. Reopening the tunnel.',
    url: null,
  })
})

it('waits longer after each retry, from 0.1 s to 30 s, and reports when the next one is due', async () => {
  const { tunnel, clock, openings, opening } = await opened({ opens: false })
  const waits: number[] = []
  for (let tries = 1; tries <= 12; tries += 1) {
    opening().fails(new TunnelFailure('server_down', 'The server cannot be reached.'))
    await clock.pass(0)
    const { state, cause, reason, nextTryAt, failures } = tunnel.view()
    expect({ state, cause, reason, failures }).toEqual({
      state: 'offline',
      cause: 'server_down',
      reason: 'The server cannot be reached.',
      failures: tries,
    })
    const wait = (nextTryAt ?? 0) - clock.now()
    waits.push(wait)
    await clock.pass(wait - 1)
    expect(openings).toHaveLength(tries)
    await clock.pass(1)
    expect(openings).toHaveLength(tries + 1)
    expect(tunnel.view()).toMatchObject({ state: 'reconnecting', nextTryAt: null })
  }
  expect(waits).toEqual([
    100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000,
  ])
  expect(tunnel.view().reason).toBe(
    'Retrying Scripted after 12 failed attempts. Last error: The server cannot be reached.',
  )
})

it('asks a server that refuses after 15 s to 10 min, and one that is down as often as before', async () => {
  const { tunnel, clock, opening, openings } = await opened({ opens: false })
  const waits: number[] = []
  const refused = 'server_refused'
  for (const code of [
    ...Array.from({ length: 7 }, () => refused),
    'server_down',
    refused,
  ] as const) {
    opening().fails(new TunnelFailure(code === refused ? refused : 'server_down', 'Too many.'))
    await clock.pass(0)
    const wait = (tunnel.view().nextTryAt ?? 0) - clock.now()
    waits.push(wait / 1000)
    await clock.pass(wait)
  }
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 600, 12.8, 600])
  // Once it is open, the next refusal is the first again.
  opening().opens()
  await clock.pass(60_000)
  expect(tunnel.view().state).toBe('online')
  opening().ends(new TunnelFailure('ended', 'The server closed all connections.'))
  await clock.pass(0)
  expect(openings).toHaveLength(11)
  opening().fails(new TunnelFailure(refused, 'Too many.'))
  await clock.pass(0)
  expect((tunnel.view().nextTryAt ?? 0) - clock.now()).toBe(15_000)
})

it('is offline since its first failure, regardless of retries', async () => {
  const { tunnel, clock, opening } = scripted({ opens: false })
  await tunnel.open(setup, false)
  await clock.pass(5000)
  const since = clock.now()
  for (let tries = 0; tries < 4; tries += 1) {
    opening().fails(new TunnelFailure('server_down', 'The server cannot be reached.'))
    await clock.pass(0)
    expect(tunnel.view()).toMatchObject({ state: 'offline', since })
    await clock.pass((tunnel.view().nextTryAt ?? 0) - clock.now())
    expect(tunnel.view()).toMatchObject({ state: 'reconnecting', since })
  }
  // A tunnel that the user reopens starts a new period.
  await tunnel.open(setup, false)
  expect(tunnel.view()).toMatchObject({ state: 'opening', since: clock.now() })
})

it.each([
  [0, 100],
  [0.5, 100],
  [1, 100],
])('never waits less than 0.1 s, whatever the jitter (%d)', async (chance, least) => {
  const { tunnel, clock, opening } = await opened({ opens: false, random: () => chance })
  opening().fails(new TunnelFailure('server_down', 'Down.'))
  await clock.pass(0)
  expect((tunnel.view().nextTryAt ?? 0) - clock.now()).toBe(least)
})

it('does not overload a server that closes every tunnel', async () => {
  const { tunnel, clock, openings, opening } = await online()
  const failure = new TunnelFailure('ended', 'The server closed all connections.')
  const end = clock.now() + 120_000
  while (clock.now() < end) {
    if (opening().isLive()) opening().ends(failure)
    await clock.pass(20)
  }
  // Immediately, a few times after 0.1 s, then 0.2, 0.4, ... 25.6, 30 s.
  expect(openings.length).toBeLessThanOrEqual(28)
  expect(tunnel.view().state).toBe('offline')
  // A tunnel that is online for half a minute resets the backoff.
  await clock.pass(30_000)
  const count = openings.length
  await clock.pass(30_000)
  opening().ends(failure)
  await clock.pass(0)
  expect(openings).toHaveLength(count + 1)
})

it('stays offline without retries if a retry cannot succeed', async () => {
  const { tunnel, clock, openings, opening } = await opened({ opens: false })
  const missing = new TunnelFailure('program_missing', 'Install it.', { retry: false })
  opening().fails(missing)
  await clock.pass(600_000)
  expect(openings).toHaveLength(1)
  expect(tunnel.view()).toMatchObject({
    state: 'offline',
    cause: 'program_missing',
    reason: 'Install it.',
    nextTryAt: null,
  })
  expect(await tunnel.check()).toMatchObject({
    state: 'reconnecting',
    cause: 'asked',
    reason: 'Retrying Scripted now, as requested.',
  })
  await clock.pass(0)
  expect(openings).toHaveLength(2)
})

it('does not wait any longer for the next try when the computer woke', async () => {
  const { tunnel, clock, opening, openings, sleep } = await opened({ opens: false })
  for (let tries = 0; tries < 9; tries += 1) {
    opening().fails(new TunnelFailure('server_down', 'Down.'))
    await clock.pass(0)
    if (tries < 8) await tunnel.check()
    await clock.pass(0)
  }
  const count = openings.length
  sleep(60_000)
  await clock.pass(6000)
  expect(openings).toHaveLength(count + 1)
  expect(tunnel.view()).toMatchObject({ state: 'reconnecting', cause: 'woke' })
  expect(tunnel.view().reason).toMatch(/\. Retrying Scripted\.$/)
  opening().fails(new TunnelFailure('server_down', 'Down.'))
  await clock.pass(0)
  expect((tunnel.view().nextTryAt ?? 0) - clock.now()).toBe(100)
})
