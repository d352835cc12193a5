import { expect, it } from 'vitest'
import { TunnelFailure } from '#engine/receiving/tunnel/provider.ts'
import { online, opened, scripted, setup } from './scripted.ts'

it('closes immediately, also while it opens, and leaves nothing', async () => {
  const { tunnel, clock, opening, live, world } = await opened({ opens: false })
  const view = await tunnel.close()
  expect(view).toMatchObject({
    state: 'off',
    cause: 'stopped',
    reason: 'You closed it.',
    using: null,
    url: null,
  })
  expect([live(), world.tunnelListener, opening().signal.aborted]).toEqual([0, 'closed', true])
  expect(clock.waiting()).toBe(0)
  expect(await tunnel.close()).toMatchObject({ reason: 'You closed it.' })
})

it('closes while it waits for the next retry', async () => {
  const { tunnel, clock, opening, openings } = await opened({ opens: false })
  opening().fails(new TunnelFailure('server_down', 'Down.'))
  await clock.pass(0)
  await tunnel.close()
  expect(clock.waiting()).toBe(0)
  await clock.pass(60_000)
  expect(openings).toHaveLength(1)
})

it('never opens the next tunnel before its provider has closed the previous one', async () => {
  const { tunnel, clock, openings, most } = await online({ closesImmediately: false })
  await tunnel.open({ ...setup, options: { subdomain: 'next' } }, false)
  await clock.pass(60_000)
  expect(openings).toHaveLength(1)
  openings[0]?.ends()
  await clock.pass(0)
  expect(openings).toHaveLength(2)
  expect(tunnel.view()).toMatchObject({ state: 'online', url: 'https://next.example.test' })
  expect(most.live).toBe(1)
})

it('does not use the tunnel listener before it is needed: a command that opens no tunnel must not start a thread for it', async () => {
  const { tunnel, clock, tunnelListenerCalls } = scripted()
  await clock.pass(1000)
  await tunnel.close()
  await tunnel.end()
  expect(tunnelListenerCalls).toEqual([])
})

it('ends in the last requested state, however quickly requests change', async () => {
  const { tunnel, clock, most, live } = await online()
  const setups = ['a', 'b', 'c'].map((subdomain) => ({ ...setup, options: { subdomain } }))
  await Promise.all([
    tunnel.open(setups[0] ?? setup, false),
    tunnel.close(),
    tunnel.open(setups[1] ?? setup, true),
    tunnel.close(),
    tunnel.close(),
    tunnel.open(setups[2] ?? setup, false),
  ])
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({
    state: 'online',
    url: 'https://c.example.test',
    using: setups[2],
  })
  expect([most.live, live()]).toEqual([1, 1])
  await Promise.all([tunnel.open(setup, false), tunnel.close()])
  await clock.pass(0)
  expect(tunnel.view().state).toBe('off')
  expect(live()).toBe(0)
})

it('releases everything when it ends, and keeps the requested state', async () => {
  const { tunnel, clock, live, written } = await online()
  await Promise.all([tunnel.end(), tunnel.end()])
  expect(clock.waiting()).toBe(0)
  expect(live()).toBe(0)
  expect(written.at(-1)?.wanted).toBe(true)
  expect(tunnel.view()).toMatchObject({ state: 'off', reason: 'Tabscope is closing.' })
  await tunnel.open(setup, false)
  await tunnel.close()
  await clock.pass(60_000)
  expect([live(), clock.waiting()]).toEqual([0, 0])
})

it('ignores events of a closed tunnel', async () => {
  const { tunnel, clock, openings } = await online()
  await tunnel.open({ ...setup, options: { subdomain: 'next' } }, false)
  await clock.pass(0)
  openings[0]?.events.trouble('Late.')
  openings[0]?.events.connections(3, 10)
  await clock.pass(1000)
  expect(tunnel.view()).toMatchObject({ state: 'online', connections: null })
})
