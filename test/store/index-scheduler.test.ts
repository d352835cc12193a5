import { describe, expect, it } from 'vitest'
import { createIndexScheduler } from '#engine/search/indexer/index-scheduler.ts'
import type { Indexer } from '#engine/search/indexer/indexer.ts'

/** An index with `left` pending deliveries, each of which takes a millisecond, with a fake clock. */
function scene(left: number) {
  const state = { now: 1000, left, busy: 0, arrived: false, fails: false, batches: [] as number[] }
  const reasons: (string | null)[] = []
  let breaks = 0
  const indexer: Indexer = {
    indexedId: () => 0,
    isUpToDate: () => state.left === 0,
    step: (enough) => {
      if (state.fails) throw new Error('the disk is full')
      let done = 0
      do {
        state.left -= 1
        state.now += 1
        done += 1
      } while (state.left > 0 && !enough())
      state.batches.push(done)
      return []
    },
    reload: () => undefined,
  }
  const scheduler = createIndexScheduler({
    indexer,
    busy: () => state.busy,
    arrived: () => state.arrived,
    now: () => state.now,
    giveWay: () => (breaks += 1),
    advanced: () => undefined,
    failing: (reason) => reasons.push(reason),
  })
  return { state, reasons, scheduler, breaks: () => breaks }
}

describe('the index scheduler', () => {
  it('has nothing to do if the index is up to date', () => {
    expect(scene(0).scheduler.turn()).toBeNull()
  })

  it('continues without pauses while idle, in small batches', () => {
    const { state, scheduler, breaks } = scene(20)
    expect([
      scheduler.turn(),
      scheduler.turn(),
      scheduler.turn(),
      scheduler.turn(),
      scheduler.turn(),
    ]).toEqual([0, 0, 0, 0, null])
    expect(state.batches).toEqual([6, 6, 6, 2])
    expect(breaks()).toBe(0)
  })

  it('stops immediately when something arrives', () => {
    const { state, scheduler } = scene(20)
    state.arrived = true
    scheduler.turn()
    expect(state.batches).toEqual([1])
  })

  it('does nothing while the capture thread is busy, and checks again', () => {
    const { state, scheduler } = scene(20)
    state.busy = 0.4
    expect(scheduler.turn()).toBe(100)
    expect(state.batches).toEqual([])
    state.busy = 0.1
    expect(scheduler.turn()).toBe(0)
  })

  it('indexes a short batch at an interval while deliveries keep arriving, with breaks', () => {
    const { state, scheduler, breaks } = scene(1000)
    state.arrived = true
    const begun = state.now
    while (state.now < begun + 1000) {
      scheduler.ingested()
      const wait = scheduler.turn()
      // The next one arrives after 2 ms.
      state.now += Math.min(wait ?? 2, 2)
    }
    expect(state.batches.length).toBeGreaterThanOrEqual(10)
    expect(state.batches.length).toBeLessThanOrEqual(13)
    expect(new Set(state.batches)).toEqual(new Set([2]))
    expect(breaks()).toBe(state.batches.length * 2)
  })

  it('reports a failure once, retries later, and reports when it is over', () => {
    const { state, reasons, scheduler } = scene(3)
    state.fails = true
    expect(scheduler.turn()).toBe(0)
    expect(scheduler.turn()).toBe(5000)
    state.now += 5000
    expect(scheduler.turn()).toBe(0)
    expect(reasons).toEqual(['the disk is full'])
    state.fails = false
    expect(scheduler.turn()).toBe(5000)
    state.now += 5000
    expect(scheduler.turn()).toBe(0)
    expect(reasons).toEqual(['the disk is full', null])
    expect(scheduler.turn()).toBeNull()
  })
})
