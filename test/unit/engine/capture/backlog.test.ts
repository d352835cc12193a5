import { describe, expect, it } from 'vitest'
import { Backlog } from '#engine/capture/backlog.ts'
import { Progress } from '#engine/capture/progress.ts'

const MiB = 1024 * 1024

/** A backlog with a clock that the test advances, and a journal that grows by `publish`. */
function setUp() {
  let now = 1000
  const progress = new Progress()
  const backlog = new Backlog(progress, () => now)
  return {
    progress,
    delays: (heldBytes = 0) => backlog.delays(heldBytes),
    advance: (ms: number) => void (now += ms),
    publish: (position: number) => {
      progress.publish(position, 1)
      backlog.published(position)
    },
  }
}

describe('Backlog', () => {
  it('delays nothing while the store follows', () => {
    const { progress, delays, advance, publish } = setUp()
    for (let position = MiB; position < 500 * MiB; position += MiB) {
      publish(position)
      advance(50)
      expect(delays()).toBe(false)
      progress.storedPosition = position
    }
  })

  it('delays beyond 64 MiB until the store has caught up', () => {
    const { progress, delays, publish } = setUp()
    publish(64 * MiB)
    expect(delays()).toBe(false)
    publish(64 * MiB + 1)
    expect(delays()).toBe(true)
    progress.storedPosition = 1
    expect(delays()).toBe(false)
  })

  it('delays when a delivery was not stored for 5 seconds, however small', () => {
    const { progress, delays, advance, publish } = setUp()
    let position = 0
    for (let ms = 0; ms <= 5000; ms += 100) {
      position += 10
      publish(position)
      // The store advances, but never as far as the first deliveries.
      progress.storedPosition = Math.floor(ms / 1000)
      expect(delays()).toBe(false)
      advance(100)
    }
    progress.storedPosition = 9
    expect(delays()).toBe(true)
    progress.storedPosition = 20
    expect(delays()).toBe(false)
  })

  it('does not count an idle time as an age', () => {
    const { progress, delays, advance, publish } = setUp()
    publish(10)
    progress.storedPosition = 10
    advance(3_600_000)
    publish(20)
    expect(delays()).toBe(false)
  })

  it('delays a group by a second at most', () => {
    const { progress, delays, advance, publish } = setUp()
    publish(65 * MiB)
    for (let group = 0; group < 3; group += 1) {
      progress.storedPosition += 1
      expect(delays()).toBe(true)
      advance(999)
      expect(delays()).toBe(true)
      advance(1)
      expect(delays()).toBe(false)
    }
  })

  it('does not delay while the store is not writable', () => {
    const { progress, delays, publish } = setUp()
    publish(65 * MiB)
    progress.isStoreFailing = true
    expect(delays()).toBe(false)
    progress.isStoreFailing = false
    expect(delays()).toBe(true)
  })

  it('stops delaying when the store makes no progress for 5 seconds, until it does', () => {
    const { progress, delays, advance, publish } = setUp()
    publish(65 * MiB)
    expect(delays()).toBe(true)
    advance(5001)
    expect(delays()).toBe(false)
    publish(200 * MiB)
    expect(delays()).toBe(false)
    progress.storedPosition = 1
    expect(delays()).toBe(true)
  })

  it('does not delay when the waiting requests use much memory, since new ones would be refused', () => {
    const { delays, publish } = setUp()
    publish(65 * MiB)
    expect(delays(64 * MiB)).toBe(true)
    expect(delays(64 * MiB + 1)).toBe(false)
  })
})
