import { expect, it } from 'vitest'
import type { SizeProbe } from '#contract/tunnel.ts'
import { scripted, wish } from './scripted.ts'

const found = (sizes: number[]): SizeProbe => ({
  at: 0,
  running: true,
  url: 'https://name1.example.test',
  steps: sizes.map((bytes) => ({
    bytes,
    outcome: 'passed',
    status: 200,
    ms: 1,
    reason: null,
    ownLimit: null,
  })),
  largest: sizes.at(-1) ?? null,
  stopsAt: null,
})

it('requires a working tunnel', async () => {
  const { tunnel, clock } = scripted({ probes: null })
  expect(() => tunnel.probeSizes()).toThrow('No working tunnel is open.')
  await tunnel.open(wish, false)
  await clock.pass(0)
  expect(() => tunnel.probeSizes()).toThrow('No working tunnel is open.')
})

it('runs once at a time, reports progress, and stays in the view', async () => {
  const { tunnel, clock, world, views } = scripted()
  await tunnel.open(wish, false)
  await clock.pass(0)
  expect(tunnel.probeSizes().sizes).toEqual({
    at: clock.now(),
    running: true,
    url: 'https://name1.example.test',
    steps: [],
    largest: null,
    stopsAt: null,
  })
  const run = world.sizes
  run?.report(found([1024]))
  expect(tunnel.probeSizes().sizes).toMatchObject({ running: true, largest: 1024 })
  expect(world.sizes).toBe(run)
  await clock.pass(200)
  expect(views.at(-1)?.sizes?.steps).toHaveLength(1)
  expect(tunnel.stopSizes().sizes).toMatchObject({ running: false, largest: 1024 })
  expect(run?.signal.aborted).toBe(true)
  run?.report(found([1024, 4096]))
  expect(tunnel.view().sizes).toMatchObject({ running: false, largest: 1024 })
  tunnel.probeSizes()
  expect(world.sizes).not.toBe(run)
  expect(tunnel.view().sizes?.steps).toEqual([])
  // It uses all of the bandwidth, so a failed probe does not mean that the tunnel is dead.
  world.probes = null
  for (let seconds = 0; seconds < 30; seconds += 1) {
    world.sizes?.report(found([1024]))
    await clock.pass(1000)
  }
  expect(tunnel.view().state).not.toBe('reconnecting')
})

it.each([
  ['it is closed', (script: ReturnType<typeof scripted>) => script.tunnel.close()],
  ['another is opened', (script) => script.tunnel.open(wish, false)],
  ['it ends', async (script) => script.opening().ends()],
  ['Tabscope is closed', (script) => script.tunnel.end()],
] satisfies [string, (script: ReturnType<typeof scripted>) => Promise<unknown>][])(
  'ends with the tunnel: %s',
  async (_how, end) => {
    const script = scripted()
    const { tunnel, clock, world } = script
    await tunnel.open(wish, false)
    await clock.pass(0)
    tunnel.probeSizes()
    world.sizes?.report(found([1024]))
    await end(script)
    await clock.pass(0)
    expect(world.sizes?.signal.aborted).toBe(true)
    expect(tunnel.view().sizes).toMatchObject({ running: false, largest: 1024 })
  },
)
