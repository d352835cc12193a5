import { expect, it } from 'vitest'
import { TunnelFailure } from '#engine/receiving/tunnel/provider.ts'
import { online, opened } from './scripted.ts'

it('probes every 8 s, so that an outage is known within 15', async () => {
  const { tunnel, clock, probes, world } = await online()
  expect(tunnel.view().nextProbeAt).toBe(clock.now() + 8000)
  await clock.pass(7999)
  expect(probes).toHaveLength(1)
  await clock.pass(1)
  expect(probes).toHaveLength(2)
  // The tunnel dies right after that probe and stops responding.
  world.probes = null
  await clock.pass(8000 + 4999)
  expect(tunnel.view().state).toBe('online')
  await clock.pass(1)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', cause: 'probe_failed' })
})

it('skips a probe if a request was received recently', async () => {
  const { tunnel, clock, probes, world } = await online()
  await clock.pass(7000)
  world.last = clock.now()
  await clock.pass(1000)
  expect(probes).toHaveLength(1)
  expect(tunnel.view().nextProbeAt).toBe(world.last + 8000)
  await clock.pass(6999)
  expect(probes).toHaveLength(1)
  await clock.pass(1)
  expect(probes).toHaveLength(2)
})

it('still probes if the clock was set back before the last received request', async () => {
  const { clock, probes, world } = await online()
  world.last = clock.now() + 3_600_000
  await clock.pass(8000)
  expect(probes).toHaveLength(2)
})

it('is degraded immediately when its provider reports a problem, until a probe succeeds', async () => {
  const { tunnel, clock, opening, probes, probing, world } = await online()
  world.probes = null
  await clock.pass(1000)
  opening().events.trouble('A connection was refused.')
  expect(tunnel.view()).toMatchObject({
    state: 'degraded',
    cause: 'ended',
    reason: 'A connection was refused. Checking whether requests still arrive.',
  })
  await clock.pass(0)
  expect(probes).toHaveLength(2)
  // Trouble is reported again during the probe, whose result may be older.
  opening().events.trouble('Another connection was refused.')
  probing().answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'degraded' })
  await clock.pass(1000)
  expect(probes).toHaveLength(3)
  probing().answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'online' })
})

it('probes at most once a second while its provider keeps reporting problems', async () => {
  const { tunnel, clock, opening, probes } = await online()
  for (let ms = 0; ms < 5000; ms += 10) {
    opening().events.trouble('It hurts.')
    await clock.pass(10)
  }
  expect(probes.length).toBeLessThanOrEqual(8)
  await clock.pass(2000)
  expect(tunnel.view().state).toBe('online')
})

it('is reopened when three probes in a row fail', async () => {
  const { tunnel, clock, openings, states, world, most } = await online()
  await clock.pass(27_000)
  world.probes = false
  await clock.pass(5000)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', reason: 'No response was received.' })
  await clock.pass(2999)
  expect(openings).toHaveLength(1)
  world.probes = true
  await clock.pass(1)
  world.probes = false
  await clock.pass(8000)
  expect(states()).toEqual([
    'opening asked',
    'online probe_ok',
    'degraded probe_failed',
    'online probe_ok',
    'degraded probe_failed',
  ])
  await clock.pass(3000)
  world.probes = true
  await clock.pass(1000)
  expect(states().slice(5, 7)).toEqual(['reconnecting probe_failed', 'online probe_ok'])
  expect(tunnel.view()).toMatchObject({ state: 'online', failures: 0 })
  expect(openings).toHaveLength(2)
  expect(most.live).toBe(1)
})

it('is degraded and not reopened while it is slow, but something passes', async () => {
  const { tunnel, clock, openings, world } = await online()
  world.probes = null
  const busy = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      world.last = clock.now()
      await clock.pass(1000)
    }
  }
  await clock.pass(8000)
  await busy(60)
  expect(tunnel.view()).toMatchObject({
    state: 'degraded',
    cause: 'probe_failed',
    reason: 'Requests still arrive, but a self-check failed: No response was received.',
  })
  expect(openings).toHaveLength(1)
  await busy(90)
  expect(openings.length).toBeGreaterThan(1)
})

it('is reopened when something passed once after the first failed probe, and nothing since', async () => {
  const { clock, openings, world } = await online()
  world.probes = false
  await clock.pass(8000)
  await clock.pass(500)
  world.last = clock.now()
  await clock.pass(3500)
  // It was received before the second to last probe.
  expect(openings.length).toBeGreaterThan(1)
})

it('is degraded and never reopened while responses are delayed here: that would cut them off', async () => {
  const { tunnel, clock, openings, world } = await online()
  await clock.pass(8000)
  world.probes = null
  world.holding = 10
  await clock.pass(400_000)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', cause: 'probe_failed' })
  expect(tunnel.view().reason).toMatch(
    /^A self-check failed\. Responses that a rule or a target delays .* No response was received\.$/,
  )
  expect(openings).toHaveLength(1)
  world.holding = 0
  await clock.pass(10_000)
  expect(openings.length).toBeGreaterThan(1)
})

it('retries immediately on request, and probes immediately on request', async () => {
  const { tunnel, clock, opening, openings, probes, world } = await opened({ opens: false })
  for (let tries = 0; tries < 9; tries += 1) {
    opening().fails(new TunnelFailure('server_down', 'Down.'))
    await clock.pass(0)
    await tunnel.check()
    await clock.pass(0)
  }
  expect(openings).toHaveLength(10)
  opening().opens()
  await clock.pass(0)
  expect(tunnel.view().state).toBe('online')
  const count = probes.length
  world.probes = false
  expect(await tunnel.check()).toMatchObject({ state: 'degraded', probe: { ok: false } })
  expect(probes).toHaveLength(count + 1)
})

it('checks immediately when the computer wakes up', async () => {
  const { tunnel, clock, sleep, probes, world, states } = await online()
  world.probes = null
  await clock.pass(2000)
  sleep(180_000)
  await clock.pass(2000)
  expect(tunnel.view()).toMatchObject({
    state: 'degraded',
    cause: 'woke',
    reason:
      'The computer was asleep for 3 min, or its clock was changed. Checking whether requests still arrive.',
  })
  expect(probes).toHaveLength(2)
  probes[1]?.answer(true)
  await clock.pass(0)
  expect(states()).toEqual(['opening asked', 'online probe_ok', 'degraded woke', 'online probe_ok'])
})

it('ignores a probe that was in progress when the computer slept', async () => {
  const { tunnel, clock, sleep, probes, probing, world } = await online()
  world.probes = null
  await clock.pass(8000)
  const before = probing()
  sleep(60_000)
  await clock.pass(2000)
  expect(before.signal.aborted).toBe(true)
  before.answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', cause: 'woke' })
  expect(probes).toHaveLength(3)
})
