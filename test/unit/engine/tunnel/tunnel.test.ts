import { expect, it } from 'vitest'
import { TunnelFailure } from '#engine/tunnel/provider.ts'
import { listening, scripted, type ScriptedOptions } from './scripted.ts'

const wish = { provider: 'scripted', options: {} }
const byHand = { provider: 'manual', options: {} }

/** One that is online. */
async function online(options: ScriptedOptions = {}, more = wish) {
  const script = scripted(options)
  await script.tunnel.open(more, false)
  await script.clock.pass(0)
  if (options.probes === undefined) {
    expect(script.tunnel.view().state).toBe('online')
  }
  return script
}

it('is online only when a request through its address has arrived', async () => {
  const { tunnel, clock, opening, probing, states } = scripted({ opens: false, probes: null })
  expect(tunnel.view()).toMatchObject({ state: 'off', cause: 'stopped', using: null })
  expect(await tunnel.open(wish, false)).toMatchObject({
    state: 'opening',
    cause: 'asked',
    reason: 'Opening Scripted, as you asked.',
    url: null,
    using: wish,
  })
  await clock.pass(5000)
  expect(tunnel.view().state).toBe('opening')
  opening().opens({ url: 'https://pier9.example.test' })
  await clock.pass(100)
  expect(tunnel.view()).toMatchObject({
    state: 'opening',
    url: 'https://pier9.example.test',
    reason:
      'The address is https://pier9.example.test. Looking whether a request to it arrives here.',
  })
  expect(probing().url).toBe('https://pier9.example.test')
  probing().answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({
    state: 'online',
    cause: 'probe_ok',
    since: clock.now(),
    reason: 'Requests to https://pier9.example.test arrive here.',
    probe: { ok: true, ms: 100, reason: null },
    browser: 'ours',
    failures: 0,
  })
  expect(tunnel.view().probe).not.toHaveProperty('code')
  expect(states()).toEqual(['opening asked', 'online probe_ok'])
})

it('gives a new address a moment before it says that it leads nowhere', async () => {
  const { tunnel, clock, probes, world, states } = await online({ probes: false })
  expect(tunnel.view()).toMatchObject({
    state: 'opening',
    cause: 'probe_failed',
    reason:
      'Requests to https://name1.example.test do not arrive yet; looking again. No answer came.',
  })
  await clock.pass(250 + 500)
  world.probes = true
  await clock.pass(1000)
  expect(tunnel.view()).toMatchObject({ state: 'online', failures: 0 })
  expect(probes).toHaveLength(4)
  expect(states()).toEqual(['opening asked', 'opening probe_failed', 'online probe_ok'])
})

it.each([
  ['probe_failed', 'No answer came.'],
  ['other_answer', 'A page of somebody else came.'],
] as const)('is offline when the address does not lead here: %s', async (code, reason) => {
  const { tunnel, clock, probing, probes, opening, states, live } = await online({ probes: null })
  for (let count = 0; count < 6; count += 1) {
    probing().answer(false, { code, reason })
    await clock.pass(4000)
  }
  expect(probes.length).toBeGreaterThanOrEqual(6)
  expect(states().slice(0, 3)).toEqual(['opening asked', `opening ${code}`, `offline ${code}`])
  expect(opening().wish.again).toBe('name1')
  expect(live()).toBe(1)
  expect(tunnel.view()).toMatchObject({ state: 'reconnecting', failures: 1 })
  expect(tunnel.view().reason).not.toContain('undefined')
})

it('probes no more first times than the time for it allows', async () => {
  const { clock, probes, openings } = await online({ probes: null })
  // Each is given up after 5 s.
  await clock.pass(16_000)
  expect(probes.length).toBeLessThanOrEqual(4)
  expect(openings.length).toBe(2)
})

it('probes anew every 9 s, so that a death is known within 15', async () => {
  const { tunnel, clock, probes, world } = await online()
  expect(tunnel.view().nextProbeAt).toBe(clock.now() + 9000)
  await clock.pass(8999)
  expect(probes).toHaveLength(1)
  await clock.pass(1)
  expect(probes).toHaveLength(2)
  // It dies right after that probe, and answers nothing any more.
  world.probes = null
  await clock.pass(9000 + 4999)
  expect(tunnel.view().state).toBe('online')
  await clock.pass(1)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', cause: 'probe_failed' })
})

it('takes what comes through for a probe, and no longer than for its time', async () => {
  const { tunnel, clock, probes, world } = await online()
  await clock.pass(8000)
  world.last = clock.now()
  await clock.pass(1000)
  expect(probes).toHaveLength(1)
  expect(tunnel.view().nextProbeAt).toBe(world.last + 9000)
  await clock.pass(7999)
  expect(probes).toHaveLength(1)
  await clock.pass(1)
  expect(probes).toHaveLength(2)
})

it('probes all the same when the clock was set back behind the last that came through', async () => {
  const { clock, probes, world } = await online()
  world.last = clock.now() + 3_600_000
  await clock.pass(9000)
  expect(probes).toHaveLength(2)
})

it('is degraded at once when its provider says that something is wrong, until a probe has come through', async () => {
  const { tunnel, clock, opening, probes, probing, world } = await online()
  world.probes = null
  await clock.pass(1000)
  opening().signs.trouble('A connection was refused.')
  expect(tunnel.view()).toMatchObject({
    state: 'degraded',
    cause: 'ended',
    reason: 'A connection was refused. Looking whether requests still arrive.',
  })
  await clock.pass(0)
  expect(probes).toHaveLength(2)
  // Said again while it is looked into: what this probe finds may have been before that.
  opening().signs.trouble('Another connection was refused.')
  probing().answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'degraded' })
  await clock.pass(1000)
  expect(probes).toHaveLength(3)
  probing().answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'online' })
})

it('probes once a second and no more while its provider cries all the time', async () => {
  const { tunnel, clock, opening, probes } = await online()
  for (let ms = 0; ms < 5000; ms += 10) {
    opening().signs.trouble('It hurts.')
    await clock.pass(10)
  }
  expect(probes.length).toBeLessThanOrEqual(8)
  await clock.pass(2000)
  expect(tunnel.view().state).toBe('online')
})

it('is opened anew when three probes in a row fail', async () => {
  const { tunnel, clock, openings, states, world, most } = await online()
  await clock.pass(31_000)
  world.probes = false
  await clock.pass(5000)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', reason: 'No answer came.' })
  await clock.pass(2999)
  expect(openings).toHaveLength(1)
  world.probes = true
  await clock.pass(1)
  world.probes = false
  await clock.pass(9000)
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

it('is degraded and not opened anew while it is slow, but something comes through', async () => {
  const { tunnel, clock, openings, world } = await online()
  world.probes = null
  const busy = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 1) {
      world.last = clock.now()
      await clock.pass(1000)
    }
  }
  await clock.pass(9000)
  await busy(60)
  expect(tunnel.view()).toMatchObject({
    state: 'degraded',
    cause: 'probe_failed',
    reason:
      "Something still comes through, but a request of Tabscope's own did not: No answer came.",
  })
  expect(openings).toHaveLength(1)
  await busy(90)
  expect(openings.length).toBeGreaterThan(1)
})

it('opens anew at once when it ends by itself, with its reason', async () => {
  const { tunnel, clock, openings, opening, world } = await online()
  world.probes = null
  opening().ends(new TunnelFailure('ended', 'The server closed all connections.'))
  await clock.pass(0)
  expect(openings).toHaveLength(2)
  expect(tunnel.view()).toMatchObject({ state: 'reconnecting', failures: 0, browser: null })
  expect(tunnel.view().probe).toBeNull()
})

it('says so when it ends without a word', async () => {
  const { clock, opening, views } = await online()
  opening().ends(null)
  await clock.pass(0)
  expect(views.find(({ state }) => state === 'reconnecting')).toMatchObject({
    cause: 'ended',
    reason: 'Scripted ended the tunnel without saying why. It is opened anew.',
    url: null,
  })
})

it('waits longer from try to try, from 0.1 s to 30 s, and says when the next one is', async () => {
  const { tunnel, clock, openings, opening } = scripted({ opens: false })
  await tunnel.open(wish, false)
  await clock.pass(0)
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
    'Trying Scripted again, after 12 tries in vain. The last time: The server cannot be reached.',
  )
})

it.each([
  [0, 100],
  [0.5, 100],
  [1, 100],
])('never waits less than 0.1 s, whatever chance says (%d)', async (chance, least) => {
  const { tunnel, clock, opening } = scripted({ opens: false, random: () => chance })
  await tunnel.open(wish, false)
  await clock.pass(0)
  opening().fails(new TunnelFailure('server_down', 'Down.'))
  await clock.pass(0)
  expect((tunnel.view().nextTryAt ?? 0) - clock.now()).toBe(least)
})

it('does not hammer a server that lets every tunnel go again', async () => {
  const { tunnel, clock, openings, opening } = await online()
  const failure = new TunnelFailure('ended', 'The server closed all connections.')
  const end = clock.now() + 120_000
  while (clock.now() < end) {
    if (opening().isLive()) opening().ends(failure)
    await clock.pass(20)
  }
  // At once, some times after 0.1 s, then 0.2, 0.4, ... 25.6, 30 s.
  expect(openings.length).toBeLessThanOrEqual(28)
  expect(tunnel.view().state).toBe('offline')
  // One that holds for half a minute counts as well: then it is at once again.
  await clock.pass(30_000)
  const count = openings.length
  await clock.pass(30_000)
  opening().ends(failure)
  await clock.pass(0)
  expect(openings).toHaveLength(count + 1)
})

it('is back at once each time when its server is started again ten times', async () => {
  const { tunnel, clock, opening, world } = await online()
  for (let restarts = 0; restarts < 10; restarts += 1) {
    world.opens = false
    opening().ends(new TunnelFailure('ended', 'The server closed all connections.'))
    await clock.pass(0)
    if (tunnel.view().state === 'offline') await clock.pass(100)
    // Down for two tries.
    opening().fails(new TunnelFailure('server_down', 'Down.'))
    await clock.pass(100)
    opening().fails(new TunnelFailure('server_down', 'Down.'))
    world.opens = true
    await clock.pass(200)
    expect(tunnel.view()).toMatchObject({ state: 'online', failures: 0 })
    await clock.pass(1000)
  }
})

it('stays offline, and tries nothing, where trying again is of no use', async () => {
  const { tunnel, clock, openings, opening } = scripted({ opens: false })
  await tunnel.open(wish, false)
  await clock.pass(0)
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
    reason: 'Trying Scripted now, as you asked.',
  })
  await clock.pass(0)
  expect(openings).toHaveLength(2)
})

it('gives up an opening after 15 s', async () => {
  const { tunnel, clock, openings, live } = scripted({ opens: false })
  await tunnel.open(wish, false)
  await clock.pass(14_999)
  expect(tunnel.view().state).toBe('opening')
  await clock.pass(1)
  expect(tunnel.view()).toMatchObject({ state: 'offline', cause: 'open_timeout' })
  expect(tunnel.view().reason).toMatch(/^Scripted gave no address within 15 s\./)
  expect(live()).toBe(0)
  await clock.pass(100)
  expect(openings).toHaveLength(2)
})

it('says what is its own fault, and keeps what was entered out of the log', async () => {
  const { tunnel, clock, opening, log } = scripted({ opens: false })
  await tunnel.open({ ...wish, options: { subdomain: 'hidden' } }, false)
  await clock.pass(0)
  opening().fails(new Error('cannot read hidden'))
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'offline', cause: 'internal' })
  expect(tunnel.view().reason).toContain('log-1')
  expect(log.join()).not.toContain('hidden')
})

it('tries at once when asked, and probes at once when asked', async () => {
  const { tunnel, clock, opening, openings, probes, world } = scripted({ opens: false })
  await tunnel.open(wish, false)
  await clock.pass(0)
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

it('looks at once when the computer wakes up', async () => {
  const { tunnel, clock, sleep, probes, world, states } = await online()
  world.probes = null
  await clock.pass(2000)
  sleep(180_000)
  await clock.pass(2000)
  expect(tunnel.view()).toMatchObject({
    state: 'degraded',
    cause: 'woke',
    reason: 'The computer was asleep for 3 min. Looking whether requests still arrive.',
  })
  expect(probes).toHaveLength(2)
  probes[1]?.answer(true)
  await clock.pass(0)
  expect(states()).toEqual(['opening asked', 'online probe_ok', 'degraded woke', 'online probe_ok'])
})

it('takes a computer that was only busy for awake', async () => {
  const { clock, sleep, states } = await online()
  sleep(9000)
  await clock.pass(2000)
  expect(states()).toEqual(['opening asked', 'online probe_ok'])
})

it('does not believe a probe that was on its way when the computer slept', async () => {
  const { tunnel, clock, sleep, probes, probing, world } = await online()
  world.probes = null
  await clock.pass(9000)
  const before = probing()
  sleep(60_000)
  await clock.pass(2000)
  expect(before.signal.aborted).toBe(true)
  before.answer(true)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', cause: 'woke' })
  expect(probes).toHaveLength(3)
})

it('looks at once when the network is another one', async () => {
  const { tunnel, clock, world } = await online()
  world.probes = false
  world.network = 'wlan0 192.168.7.7'
  await clock.pass(5000)
  expect(tunnel.view()).toMatchObject({ state: 'degraded', reason: 'No answer came.' })
  world.probes = true
  await clock.pass(1000)
  expect(tunnel.view()).toMatchObject({ state: 'online' })
})

it.each(['woke', 'network_changed'] as const)(
  'does not wait any longer for the next try when the computer %s',
  async (cause) => {
    const { tunnel, clock, opening, openings, sleep, world } = scripted({ opens: false })
    await tunnel.open(wish, false)
    await clock.pass(0)
    for (let tries = 0; tries < 9; tries += 1) {
      opening().fails(new TunnelFailure('server_down', 'Down.'))
      await clock.pass(0)
      if (tries < 8) await tunnel.check()
      await clock.pass(0)
    }
    const count = openings.length
    if (cause === 'woke') sleep(60_000)
    else world.network = 'another'
    await clock.pass(6000)
    expect(openings).toHaveLength(count + 1)
    expect(tunnel.view()).toMatchObject({ state: 'reconnecting', cause })
    expect(tunnel.view().reason).toMatch(/\. Trying Scripted again\.$/)
    opening().fails(new TunnelFailure('server_down', 'Down.'))
    await clock.pass(0)
    expect((tunnel.view().nextTryAt ?? 0) - clock.now()).toBe(100)
  },
)

it('needs a listener, and comes back by itself with it', async () => {
  const { tunnel, clock, openings, world, live } = scripted({ listening: false })
  expect(await tunnel.open(wish, false)).toMatchObject({
    state: 'offline',
    cause: 'listener_down',
    reason:
      'The listener does not listen, so a tunnel would lead to nothing. The tunnel opens by itself once the listener listens.',
    nextTryAt: null,
  })
  await clock.pass(60_000)
  expect(openings).toHaveLength(0)
  tunnel.listenerChanged(listening())
  expect(tunnel.view()).toMatchObject({ state: 'opening', cause: 'listener_down' })
  await clock.pass(0)
  expect(tunnel.view().state).toBe('online')
  expect(openings[0]?.wish.port).toBe(9999)
  expect(world.door).toBe('open')
  // Moving to another port is no interruption: the door stays where it is.
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
    reason: 'The listener has ended. The tunnel opens by itself once the listener listens.',
  })
  await clock.pass(0)
  expect([world.door, live()]).toEqual(['closed', 0])
  tunnel.listenerChanged(listening())
  expect(tunnel.view().state).toBe('reconnecting')
  await clock.pass(0)
  expect(tunnel.view().state).toBe('online')
})

it('opens anew what leads to the listener when that moves', async () => {
  const { tunnel, clock, openings, world, most } = await online({}, byHand)
  expect(openings[0]?.wish.port).toBe(4780)
  expect(world.door).toBe('closed')
  tunnel.listenerChanged(listening(5000))
  expect(tunnel.view()).toMatchObject({
    state: 'reconnecting',
    reason: 'The listener has moved to port 5000: opening By hand anew.',
  })
  await clock.pass(0)
  expect(openings[1]?.wish.port).toBe(5000)
  expect(most.live).toBe(1)
})

it('closes the door when another kind of tunnel takes its place', async () => {
  const { tunnel, clock, world } = await online()
  expect(world.door).toBe('open')
  await tunnel.open(byHand, false)
  await clock.pass(0)
  expect(world.door).toBe('closed')
  expect(tunnel.view()).toMatchObject({ state: 'online', using: byHand })
})

it('closes at once, also while it opens, and then nothing of it is left', async () => {
  const { tunnel, clock, opening, live, world } = scripted({ opens: false })
  await tunnel.open(wish, false)
  await clock.pass(0)
  const view = await tunnel.close()
  expect(view).toMatchObject({
    state: 'off',
    cause: 'stopped',
    reason: 'You closed it.',
    using: null,
    url: null,
  })
  expect([live(), world.door, opening().signal.aborted]).toEqual([0, 'closed', true])
  expect(clock.waiting()).toBe(0)
  expect(await tunnel.close()).toMatchObject({ reason: 'You closed it.' })
})

it('closes while it waits for the next try', async () => {
  const { tunnel, clock, opening, openings } = scripted({ opens: false })
  await tunnel.open(wish, false)
  await clock.pass(0)
  opening().fails(new TunnelFailure('server_down', 'Down.'))
  await clock.pass(0)
  await tunnel.close()
  expect(clock.waiting()).toBe(0)
  await clock.pass(60_000)
  expect(openings).toHaveLength(1)
})

it('never opens the next before its provider has let go of the last, and says who keeps it waiting', async () => {
  const { tunnel, clock, openings, most } = await online({ letsGo: false })
  await tunnel.open({ ...wish, options: { subdomain: 'next' } }, false)
  await clock.pass(9999)
  expect(openings).toHaveLength(1)
  await clock.pass(1)
  expect(tunnel.view()).toMatchObject({
    state: 'opening',
    reason:
      'Opening Scripted, as you asked. Scripted has not let go of the last tunnel for 10 s: its address may still lead here. The next one is opened when it has.',
  })
  await clock.pass(60_000)
  expect(openings).toHaveLength(1)
  openings[0]?.ends()
  await clock.pass(0)
  expect(openings).toHaveLength(2)
  expect(tunnel.view()).toMatchObject({ state: 'online', url: 'https://next.example.test' })
  expect(most.live).toBe(1)
})

it('says of a tunnel that is closed that its provider does not let go of it', async () => {
  const { tunnel, clock, openings } = await online({ letsGo: false })
  const closing = tunnel.close()
  await clock.pass(10_000)
  expect(await closing).toMatchObject({
    state: 'off',
    reason:
      'You closed it. Scripted has not let go of the last tunnel for 10 s: its address may still lead here. Close Tabscope to be sure.',
  })
  openings[0]?.ends()
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'off', reason: 'You closed it.' })
})

it('ends in the last wish, whoever wishes how quickly', async () => {
  const { tunnel, clock, most, live } = await online()
  const wishes = ['a', 'b', 'c'].map((subdomain) => ({ ...wish, options: { subdomain } }))
  await Promise.all([
    tunnel.open(wishes[0] ?? wish, false),
    tunnel.close(),
    tunnel.open(wishes[1] ?? wish, true),
    tunnel.close(),
    tunnel.close(),
    tunnel.open(wishes[2] ?? wish, false),
  ])
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({
    state: 'online',
    url: 'https://c.example.test',
    using: wishes[2],
  })
  expect([most.live, live()]).toEqual([1, 1])
  await Promise.all([tunnel.open(wish, false), tunnel.close()])
  await clock.pass(0)
  expect(tunnel.view().state).toBe('off')
  expect(live()).toBe(0)
})

it('ends with nothing left, and is wanted as before', async () => {
  const { tunnel, clock, live, written } = await online()
  await Promise.all([tunnel.end(), tunnel.end()])
  expect(clock.waiting()).toBe(0)
  expect(live()).toBe(0)
  expect(written.at(-1)?.wanted).toBe(true)
  expect(tunnel.view()).toMatchObject({ state: 'off', reason: 'Tabscope is being closed.' })
  await tunnel.open(wish, false)
  await tunnel.close()
  await clock.pass(60_000)
  expect([live(), clock.waiting()]).toEqual([0, 0])
})

it('ends also when a provider never lets go', async () => {
  const { tunnel, clock } = await online({ letsGo: false })
  const ending = tunnel.end()
  await clock.pass(10_000)
  await ending
  expect(clock.waiting()).toBe(0)
})

it('tells states at once, and the rest at most five times a second', async () => {
  const { clock, opening, views } = await online()
  const told = views.length
  for (let open = 0; open < 100; open += 1) {
    opening().signs.connections(open % 10, 10)
    await clock.pass(10)
  }
  await clock.pass(200)
  const connections = views.slice(told).map((view) => view.connections)
  expect(connections.length).toBeLessThanOrEqual(7)
  expect(connections.at(-1)).toEqual({ open: 9, most: 10 })
})

it('hears nothing of a tunnel that is gone', async () => {
  const { tunnel, clock, openings } = await online()
  await tunnel.open({ ...wish, options: { subdomain: 'next' } }, false)
  await clock.pass(0)
  openings[0]?.signs.trouble('Late.')
  openings[0]?.signs.connections(3, 10)
  await clock.pass(1000)
  expect(tunnel.view()).toMatchObject({ state: 'online', connections: null })
})
