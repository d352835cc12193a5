import { expect, it } from 'vitest'
import { byHand, listening, online, scripted, setup } from './scripted.ts'

it('is online only when a request through its address has arrived', async () => {
  const { tunnel, clock, opening, probing, states } = scripted({ opens: false, probes: null })
  expect(tunnel.view()).toMatchObject({ state: 'off', cause: 'stopped', using: null })
  expect(await tunnel.open(setup, false)).toMatchObject({
    state: 'opening',
    cause: 'asked',
    reason: 'Opening Scripted, as requested.',
    url: null,
    using: setup,
  })
  await clock.pass(5000)
  expect(tunnel.view().state).toBe('opening')
  opening().opens({ url: 'https://pier9.example.test' })
  await clock.pass(100)
  expect(tunnel.view()).toMatchObject({
    state: 'opening',
    url: 'https://pier9.example.test',
    reason: 'The URL is https://pier9.example.test. Checking whether requests to it arrive here.',
  })
  expect(probing().url).toBe('https://pier9.example.test')
  probing().answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({
    state: 'online',
    cause: 'probe_ok',
    since: clock.now(),
    reason: 'Requests to https://pier9.example.test arrive here.',
    probe: { ok: true, durationMs: 100, reason: null },
    failures: 0,
  })
  expect(tunnel.view().probe).not.toHaveProperty('code')
  expect(states()).toEqual(['opening asked', 'online probe_ok'])
})

it('waits a moment before it reports a new address as unreachable', async () => {
  const { tunnel, clock, probes, world, states } = await online({ probes: false })
  expect(tunnel.view()).toMatchObject({
    state: 'opening',
    cause: 'probe_failed',
    reason:
      'Requests to https://name1.example.test do not arrive yet. Checking again. No response was received.',
  })
  await clock.pass(250 + 500)
  world.probes = true
  await clock.pass(1000)
  expect(tunnel.view()).toMatchObject({ state: 'online', failures: 0 })
  expect(probes).toHaveLength(4)
  expect(states()).toEqual(['opening asked', 'opening probe_failed', 'online probe_ok'])
})

it.each([
  ['probe_failed', 'No response was received.'],
  ['other_answer', 'A page of another server was received.'],
] as const)('is offline when the address does not lead here: %s', async (code, reason) => {
  const { tunnel, clock, probing, probes, opening, states, live } = await online({ probes: null })
  for (let count = 0; count < 6; count += 1) {
    probing().answer(false, { code, reason })
    await clock.pass(4000)
  }
  expect(probes.length).toBeGreaterThanOrEqual(6)
  expect(states().slice(0, 3)).toEqual(['opening asked', `opening ${code}`, `offline ${code}`])
  expect(opening().options.previousName).toBe('name1')
  expect(live()).toBe(1)
  expect(tunnel.view()).toMatchObject({ state: 'reconnecting', failures: 1 })
  expect(tunnel.view().reason).not.toContain('undefined')
})

it('limits the number of initial probes', async () => {
  const { clock, probes, openings } = await online({ probes: null })
  // Each probe times out after 5 s.
  await clock.pass(16_000)
  expect(probes.length).toBeLessThanOrEqual(4)
  expect(openings.length).toBe(2)
})

it('stops an opening after 15 s', async () => {
  const { tunnel, clock, openings, live } = scripted({ opens: false })
  await tunnel.open(setup, false)
  await clock.pass(14_999)
  expect(tunnel.view().state).toBe('opening')
  await clock.pass(1)
  expect(tunnel.view()).toMatchObject({ state: 'offline', cause: 'open_timeout' })
  expect(tunnel.view().reason).toMatch(/^No URL was received from Scripted within 15 s\./)
  expect(live()).toBe(0)
  await clock.pass(100)
  expect(openings).toHaveLength(2)
})

it('reports its own errors, and keeps user input out of the log', async () => {
  const { tunnel, clock, opening, log } = scripted({ opens: false })
  await tunnel.open({ ...setup, options: { subdomain: 'hidden' } }, false)
  await clock.pass(0)
  opening().fails(new Error('cannot read hidden'))
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'offline', cause: 'internal' })
  expect(tunnel.view().reason).toContain('log-1')
  expect(log.join()).not.toContain('hidden')
})

it('requires a listener, and reopens once it is running', async () => {
  const { tunnel, clock, openings, world, live } = scripted({ listening: false })
  expect(await tunnel.open(setup, false)).toMatchObject({
    state: 'offline',
    cause: 'listener_down',
    reason:
      'The listener is not running. The tunnel opens automatically once the listener is running.',
    nextTryAt: null,
  })
  await clock.pass(60_000)
  expect(openings).toHaveLength(0)
  tunnel.listenerChanged(listening())
  expect(tunnel.view()).toMatchObject({ state: 'opening', cause: 'listener_down' })
  await clock.pass(0)
  expect(tunnel.view().state).toBe('online')
  expect(openings[0]?.options.port).toBe(9999)
  expect(world.tunnelListener).toBe('open')
  // Moving to another port does not interrupt the tunnel: the tunnel listener keeps its port.
  tunnel.listenerChanged({ state: 'starting', port: 4999 })
  tunnel.listenerChanged(listening(4999))
  await clock.pass(0)
  expect(openings).toHaveLength(1)
  tunnel.listenerChanged({
    state: 'failed',
    port: 4999,
    code: 'internal',
    message: 'The listener has ended.',
    freePort: null,
  })
  expect(tunnel.view()).toMatchObject({
    state: 'offline',
    cause: 'listener_down',
    url: null,
    reason: 'The listener has ended. The tunnel opens automatically once the listener is running.',
  })
  await clock.pass(0)
  expect([world.tunnelListener, live()]).toEqual(['closed', 0])
  tunnel.listenerChanged(listening())
  expect(tunnel.view().state).toBe('reconnecting')
  await clock.pass(0)
  expect(tunnel.view().state).toBe('online')
})

it('reopens a tunnel to the listener when the listener moves', async () => {
  const { tunnel, clock, openings, world, most } = await online({}, byHand)
  expect(openings[0]?.options.port).toBe(4780)
  expect(world.tunnelListener).toBe('closed')
  tunnel.listenerChanged(listening(5000))
  expect(tunnel.view()).toMatchObject({
    state: 'reconnecting',
    reason: 'The listener moved to port 5000. Reopening Manual.',
  })
  await clock.pass(0)
  expect(openings[1]?.options.port).toBe(5000)
  expect(most.live).toBe(1)
})

it('closes the tunnel listener when another kind of tunnel replaces it', async () => {
  const { tunnel, clock, world } = await online()
  expect(world.tunnelListener).toBe('open')
  await tunnel.open(byHand, false)
  await clock.pass(0)
  expect(world.tunnelListener).toBe('closed')
  expect(tunnel.view()).toMatchObject({ state: 'online', using: byHand })
})

it('reports states immediately, and the rest at most five times a second', async () => {
  const { clock, opening, views } = await online()
  const viewCount = views.length
  for (let open = 0; open < 100; open += 1) {
    opening().events.connections(open % 10, 10)
    await clock.pass(10)
  }
  await clock.pass(200)
  const connections = views.slice(viewCount).map((view) => view.connections)
  expect(connections.length).toBeLessThanOrEqual(7)
  expect(connections.at(-1)).toEqual({ open: 9, max: 10 })
})
