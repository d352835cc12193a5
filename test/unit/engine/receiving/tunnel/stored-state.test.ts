import { expect, it } from 'vitest'
import { defaultTunnel, type StoredTunnel } from '#engine/receiving/tunnel/record.ts'
import { opened, scripted, type ScriptedOptions, setup } from './scripted.ts'

const pier9 = { provider: 'scripted', options: { subdomain: 'pier9' } }

function restarted(written: readonly StoredTunnel[], options: ScriptedOptions = {}) {
  return scripted({ ...options, stored: written.at(-1) ?? defaultTunnel })
}

it('reopens the tunnel that was open when Tabscope was last closed, and requests the same name', async () => {
  const first = await opened()
  expect(first.openings[0]?.options.previousName).toBeNull()
  await first.tunnel.end()

  const second = restarted(first.written)
  second.tunnel.resume()
  expect(second.tunnel.view()).toMatchObject({
    state: 'opening',
    cause: 'asked',
    reason: 'Reopening Scripted: it was open when Tabscope was last closed.',
    setup,
    using: setup,
    temporary: false,
  })
  await second.clock.pass(0)
  expect(second.openings[0]?.options.previousName).toBe('name1')
  expect(second.tunnel.view().state).toBe('online')
  await second.tunnel.close()

  const third = restarted(second.written)
  third.tunnel.resume()
  await third.clock.pass(0)
  expect(third.tunnel.view()).toMatchObject({ state: 'off', setup })
  await third.tunnel.open(null, false)
  await third.clock.pass(0)
  expect(third.openings[0]?.options.previousName).toBe('name1')
})

it('reports why this version cannot use a stored setup', async () => {
  const record = { ...defaultTunnel.record, setup: { provider: 'gone', options: {} } }
  const { tunnel, clock, openings } = scripted({ stored: { wanted: true, record } })
  tunnel.resume()
  await clock.pass(1000)
  expect(tunnel.view()).toMatchObject({
    state: 'offline',
    cause: 'bad_options',
    reason: 'This version of Tabscope has no tunnel provider "gone". Select another.',
    nextTryAt: null,
  })
  expect(openings).toEqual([])
  await tunnel.open(setup, false)
  await clock.pass(0)
  expect(tunnel.view().state).toBe('online')
})

it('does not store a setup of the command line, but the name that was assigned', async () => {
  const { tunnel, clock, written } = scripted()
  await tunnel.configure(pier9)
  expect(await tunnel.open(setup, true)).toMatchObject({
    temporary: true,
    using: setup,
    setup: pier9,
  })
  await clock.pass(0)
  expect(written.at(-1)).toMatchObject({ wanted: false, record: { setup: pier9 } })
  const second = restarted(written)
  second.tunnel.resume()
  expect(second.tunnel.view().state).toBe('off')
  await second.tunnel.open(setup, true)
  await second.clock.pass(0)
  expect(second.openings[0]?.options.previousName).toBe('name1')
})

it('does not request the name of another setup', async () => {
  const { tunnel, clock, openings } = await opened()
  await tunnel.open({ provider: 'scripted', options: { host: 'https://b.example.test' } }, false)
  await clock.pass(0)
  expect(openings[1]?.options.previousName).toBeNull()
  await tunnel.open(setup, false)
  await clock.pass(0)
  expect(openings[2]?.options.previousName).toBe('name1')
})

it('refuses an invalid setup, and keeps the open tunnel', async () => {
  const { tunnel, written } = await opened()
  const before = written.length
  const bad = { provider: 'scripted', options: { bad: '' } }
  await expect(tunnel.open(bad, false)).rejects.toMatchObject({ code: 'bad_input' })
  await expect(tunnel.configure(bad)).rejects.toMatchObject({ code: 'bad_input' })
  const none = { provider: 'none', options: {} }
  await expect(tunnel.open(none, true)).rejects.toMatchObject({ code: 'bad_input' })
  await expect(tunnel.copied('javascript:alert(1)')).rejects.toMatchObject({ code: 'bad_input' })
  await expect(tunnel.copied('no address')).rejects.toMatchObject({ code: 'bad_input' })
  expect(tunnel.view()).toMatchObject({ state: 'online', using: setup, setup })
  expect(written).toHaveLength(before)
})

it('warns about another name than requested until the user has seen it, even after a restart', async () => {
  const first = scripted({ opens: false })
  await first.tunnel.open(pier9, false)
  await first.clock.pass(0)
  first
    .opening()
    .opens({ url: 'https://abc.example.test', requestedName: 'pier9', nextName: 'abc' })
  await first.clock.pass(0)
  const warning = { kind: 'assigned', requested: 'pier9', assigned: 'abc', by: 'user' }
  expect(first.tunnel.view()).toMatchObject({ state: 'online', warnings: [warning] })
  await first.tunnel.close()
  expect(first.tunnel.view().warnings).toMatchObject([warning])

  const second = restarted(first.written, { opens: false })
  expect(second.tunnel.view().warnings).toMatchObject([warning])
  await second.tunnel.open(null, false)
  await second.clock.pass(0)
  second
    .opening()
    .opens({ url: 'https://def.example.test', requestedName: 'pier9', nextName: 'def' })
  await second.clock.pass(0)
  expect(second.tunnel.view().warnings).toMatchObject([{ ...warning, assigned: 'def' }])
  expect((await second.tunnel.dismiss('assigned')).warnings).toEqual([])

  const third = restarted(second.written, { opens: false })
  await third.tunnel.open(null, false)
  await third.clock.pass(0)
  third.opening().opens({ requestedName: null, nextName: 'pier9' })
  await third.clock.pass(0)
  expect(third.tunnel.view().warnings).toEqual([])
})

it('keeps requesting the previous name, until the user acknowledges the other one', async () => {
  const { tunnel, clock, openings, opening, world } = await opened()
  const taken = async (nextName: string) => {
    world.opens = false
    opening().ends()
    await clock.pass(200)
    opening().opens({ url: `https://${nextName}.example.test`, requestedName: 'name1', nextName })
    await clock.pass(0)
  }
  await taken('abc')
  expect(tunnel.view().warnings).toMatchObject([
    { requested: 'name1', assigned: 'abc', by: 'last_time' },
  ])
  await taken('def')
  expect(openings.map(({ options: { previousName } }) => previousName)).toEqual([
    null,
    'name1',
    'name1',
  ])
  await tunnel.dismiss('assigned')
  opening().ends()
  await clock.pass(200)
  expect(opening().options.previousName).toBe('def')
})

it('requests the name of the copied address', async () => {
  const { tunnel, clock, opening, world } = await opened()
  world.opens = false
  opening().ends()
  await clock.pass(200)
  opening().opens({ url: 'https://abc.example.test', requestedName: 'name1', nextName: 'abc' })
  await clock.pass(0)
  await tunnel.copied('https://abc.example.test/hooks/kitchen')
  opening().ends()
  await clock.pass(200)
  expect(opening().options.previousName).toBe('abc')
})

it('warns when the URL differs from the copied one, until the new one is copied', async () => {
  const { tunnel, clock, written } = scripted()
  const at = async (subdomain: string) => {
    await tunnel.open({ provider: 'scripted', options: { subdomain } }, false)
    await clock.pass(0)
    return tunnel.view().warnings
  }
  expect(await at('a')).toEqual([])
  expect(await at('b')).toEqual([])
  expect((await tunnel.copied('https://b.example.test/hooks/kitchen')).warnings).toEqual([])
  const warning = {
    kind: 'address_changed',
    old: 'https://b.example.test',
    now: 'https://a.example.test',
  }
  expect(await at('a')).toMatchObject([warning])
  await tunnel.close()
  const second = restarted(written)
  expect(second.tunnel.view().warnings).toMatchObject([warning])
  // The old URL is assigned again.
  expect(await at('b')).toEqual([])
  expect(await at('c')).toMatchObject([{ ...warning, now: 'https://c.example.test' }])
  expect((await tunnel.copied('https://c.example.test')).warnings).toEqual([])
  expect(await at('a')).toHaveLength(1)
  expect((await tunnel.dismiss('address_changed')).warnings).toEqual([])
  expect(await at('a')).toEqual([])
  expect(await at('b')).toHaveLength(1)
  // Copied while no tunnel is open: still the new URL.
  expect(await at('a')).toHaveLength(0)
  await tunnel.copied('https://b.example.test')
  expect(await at('c')).toHaveLength(1)
  await tunnel.close()
  expect((await tunnel.copied('https://c.example.test')).warnings).toEqual([])
  await tunnel.copied('https://a.example.test')
  expect(await at('b')).toHaveLength(1)
  // Copied right after it changed: the dashboard gets the old URL.
  expect((await tunnel.copied('https://old.example.test')).warnings).toMatchObject([
    { old: 'https://old.example.test', now: 'https://b.example.test' },
  ])
})

it('keeps working while the store cannot be written', async () => {
  const { tunnel, clock, world, log, opening } = scripted()
  world.storeFails = true
  const secretive = { provider: 'scripted', options: { subdomain: 'hidden' } }
  await tunnel.open(secretive, false)
  await clock.pass(0)
  expect(tunnel.view()).toMatchObject({ state: 'online', setup: secretive })
  await tunnel.copied('https://other.example.test')
  expect(tunnel.view().warnings).toHaveLength(1)
  opening().ends()
  await clock.pass(60_000)
  expect(tunnel.view().state).toBe('online')
  await expect(tunnel.configure(setup)).rejects.toThrow('the disk is full')
  expect(log.length).toBeGreaterThan(0)
  expect(log.join()).not.toContain('hidden')
})
