import { describe, expect, it } from 'vitest'
import {
  backlogShare,
  intervalAfter,
  isCheckpointDue,
  nextBatch,
  pauseAfter,
} from '#engine/store/writer-pace.ts'

const KiB = 1024
const MiB = 1024 * KiB

describe('backlogShare', () => {
  it('is the larger share of 64 MiB and 5 seconds', () => {
    expect(backlogShare(0, 0)).toBe(0)
    expect(backlogShare(32 * MiB, 100)).toBe(0.5)
    expect(backlogShare(MiB, 5000)).toBe(1)
  })
})

describe('pauseAfter', () => {
  it('is nothing while capture is not busy', () => {
    expect(pauseAfter(10, 0.5, 0)).toBe(0)
  })

  it('leaves nine tenths of the time to a busy capture thread while the backlog is small', () => {
    expect(pauseAfter(10, 0.9, 0)).toBe(90)
    expect(pauseAfter(40, 0.9, 0)).toBe(150)
  })

  it('becomes shorter as the backlog grows, down to nothing at half of its limit', () => {
    const pauses = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 1, 7].map((share) => pauseAfter(10, 0.9, share))
    expect(pauses).toEqual(pauses.toSorted((a, b) => b - a))
    expect(pauses.slice(0, 5).every((ms) => ms > 0)).toBe(true)
    expect(pauses.slice(5)).toEqual([0, 0, 0])
  })
})

describe('isCheckpointDue', () => {
  it('is true after 20 deliveries and 20 ms, unless capture is busy', () => {
    expect(isCheckpointDue(20, 20, 0.5)).toBe(true)
    expect(isCheckpointDue(19, 1000, 0)).toBe(false)
    expect(isCheckpointDue(1000, 19, 0)).toBe(false)
    expect(isCheckpointDue(1000, 1000, 0.6)).toBe(false)
  })
})

describe('intervalAfter', () => {
  it('keeps the starts of short transactions apart, and delays nothing after a long one', () => {
    expect(intervalAfter(1) + 1).toBe(intervalAfter(0))
    expect(intervalAfter(0)).toBeGreaterThan(0)
    expect(intervalAfter(10)).toBe(0)
  })
})

describe('nextBatch', () => {
  it('approaches 10 ms while the backlog is small, and 50 ms beyond that', () => {
    expect(nextBatch(MiB, MiB, 20, 0)).toBe(512 * KiB)
    expect(nextBatch(MiB, MiB, 100, 0.5)).toBe(512 * KiB)
    expect(nextBatch(MiB, MiB, 40, 0.5)).toBe(1.25 * MiB)
  })

  it('grows at most twofold, and stays between 256 KiB and 4 MiB', () => {
    expect(nextBatch(MiB, MiB, 1, 0.5)).toBe(2 * MiB)
    expect(nextBatch(3 * MiB, 3 * MiB, 1, 0.5)).toBe(4 * MiB)
    expect(nextBatch(300 * KiB, 300 * KiB, 900, 0.5)).toBe(256 * KiB)
  })

  it('learns nothing from a small transaction', () => {
    expect(nextBatch(MiB, 1000, 1, 0.5)).toBe(MiB)
  })
})
