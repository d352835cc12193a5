import { describe, expect, it } from 'vitest'
import { createBehind } from '#engine/search/indexer/behind.ts'
import type { Indexer } from '#engine/search/indexer/indexer.ts'

/** An index of `left` deliveries, each of which takes a millisecond, at a clock of the test's. */
function scene(left: number) {
  const state = { now: 1000, left, busy: 0, arrived: false, fails: false, batches: [] as number[] }
  const told: (string | null)[] = []
  const indexer: Indexer = {
    indexedId: () => 0,
    level: () => state.left === 0,
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
  const behind = createBehind({
    indexer,
    busy: () => state.busy,
    arrived: () => state.arrived,
    now: () => state.now,
    moved: () => undefined,
    failing: (reason) => told.push(reason),
  })
  return { state, told, behind }
}

describe('behind the capture', () => {
  it('has nothing to do where the index is level', () => {
    expect(scene(0).behind.turn()).toBeNull()
  })

  it('continues while idle, in small batches, one right after the other', () => {
    const { state, behind } = scene(20)
    expect([behind.turn(), behind.turn(), behind.turn(), behind.turn(), behind.turn()]).toEqual([
      0,
      0,
      0,
      0,
      null,
    ])
    expect(state.batches).toEqual([6, 6, 6, 2])
  })

  it('stops immediately when something arrives', () => {
    const { state, behind } = scene(20)
    state.arrived = true
    behind.turn()
    expect(state.batches).toEqual([1])
  })

  it('does nothing while the capture thread is busy, and looks again', () => {
    const { state, behind } = scene(20)
    state.busy = 0.4
    expect(behind.turn()).toBe(100)
    expect(state.batches).toEqual([])
    state.busy = 0.1
    expect(behind.turn()).toBe(0)
  })

  it('does a batch now and then while deliveries keep arriving, so that it follows', () => {
    const { state, behind } = scene(1000)
    state.arrived = true
    const begun = state.now
    while (state.now < begun + 1000) {
      behind.took()
      const wait = behind.turn()
      // The next one arrives after 2 ms.
      state.now += Math.min(wait ?? 2, 2)
    }
    expect(state.batches.length).toBeGreaterThanOrEqual(3)
    expect(state.batches.length).toBeLessThanOrEqual(4)
    expect(new Set(state.batches)).toEqual(new Set([6]))
  })

  it('reports a failure once, retries later, and reports when it is over', () => {
    const { state, told, behind } = scene(3)
    state.fails = true
    expect(behind.turn()).toBe(0)
    expect(behind.turn()).toBe(5000)
    state.now += 5000
    expect(behind.turn()).toBe(0)
    expect(told).toEqual(['the disk is full'])
    state.fails = false
    expect(behind.turn()).toBe(5000)
    state.now += 5000
    expect(behind.turn()).toBe(0)
    expect(told).toEqual(['the disk is full', null])
    expect(behind.turn()).toBeNull()
  })
})
