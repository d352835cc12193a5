import { getHeapStatistics } from 'node:v8'
import { expect, it, vi } from 'vitest'
import { collectGarbage, createMemoryRelease } from '#engine/platform/release-memory.ts'
import { fakeClock } from '#test/support/fake-clock.ts'

function setUp() {
  const clock = fakeClock()
  const limit = vi.fn<() => boolean>(() => false)
  const endLimit = vi.fn<() => void>()
  const release = vi.fn<() => void>()
  const memory = createMemoryRelease(clock, { limit, endLimit, release })
  return { clock, limit, endLimit, release, memory }
}

async function afterStart(): Promise<ReturnType<typeof setUp>> {
  const parts = setUp()
  await parts.clock.pass(5000)
  parts.release.mockClear()
  return parts
}

it('releases what the start took once nothing arrives for five seconds', async () => {
  const { clock, release, memory } = setUp()
  await clock.pass(3000)
  memory.arrived(7)
  await clock.pass(4999)
  expect(release).not.toHaveBeenCalled()
  await clock.pass(60_000)
  expect(release).toHaveBeenCalledTimes(1)
})

it('releases memory once, five seconds after the last of 10,000 deliveries', async () => {
  const { clock, release, memory } = await afterStart()
  for (let id = 1; id <= 20_001; id += 1000) {
    memory.arrived(id)
    await clock.pass(4999)
  }
  expect(release).not.toHaveBeenCalled()
  await clock.pass(1)
  expect(release).toHaveBeenCalledTimes(1)
  memory.arrived(20_002)
  await clock.pass(59_999)
  expect(release).toHaveBeenCalledTimes(1)
})

it('releases memory a minute after few deliveries, whatever their first ID, but not after it was stopped', async () => {
  const { clock, release, memory } = await afterStart()
  memory.arrived(500_000)
  memory.arrived(509_999)
  await clock.pass(59_999)
  expect(release).not.toHaveBeenCalled()
  await clock.pass(60_000)
  expect(release).toHaveBeenCalledTimes(1)
  memory.arrived(510_000)
  await clock.pass(10_000)
  memory.stop()
  // A thread reports its last step when it ends.
  memory.arrived(520_000)
  await clock.pass(60_000)
  expect(release).toHaveBeenCalledTimes(1)
})

it('returns the pages of collected objects to the system', async () => {
  const clock = fakeClock()
  const memory = createMemoryRelease(clock, {
    limit: () => false,
    endLimit: () => undefined,
    release: collectGarbage,
  })
  let kept: unknown[] | null = Array.from({ length: 500_000 }, (_, id) => ({ id }))
  const before = getHeapStatistics().total_heap_size
  expect(kept).toHaveLength(500_000)
  kept = null
  memory.arrived(1)
  memory.arrived(10_001)
  await clock.pass(5000)
  expect(getHeapStatistics().total_heap_size).toBeLessThan(before - 10 * 1024 * 1024)
})
