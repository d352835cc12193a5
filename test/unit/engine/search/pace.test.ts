import { describe, expect, it } from 'vitest'
import { blockSize, Pace } from '#engine/search/scan.ts'

/** Scans `ids` IDs with a given cost per ID and a fixed cost per statement (`begin`). Returns the time and the number of statements. */
function walk(pace: Pace, ids: number, each: number, begin: number) {
  let longest = 0
  let statements = 0
  for (let left = ids; left > 0; statements += 1) {
    const span = Math.min(pace.span, left)
    const took = begin + span * each
    pace.record(span, took)
    // The first statements measure the cost.
    if (statements > 3) longest = Math.max(longest, took)
    left -= span
  }
  return { longest, statements }
}

describe('the pace', () => {
  it('grows up to its limit if the scan is free', () => {
    const pace = new Pace(false)
    const { statements } = walk(pace, 1_000_000, 0, 0.1)
    expect(pace.span).toBe(blockSize * 16)
    expect(statements).toBeLessThan(14)
  })

  it('scans a few IDs at a time if each has many megabytes', () => {
    const { longest } = walk(new Pace(true), 1000, 5, 0.1)
    expect(longest).toBeLessThanOrEqual(10)
  })

  it('does not shrink if statements have a high fixed cost', () => {
    const { statements } = walk(new Pace(true), 100_000, 0.005, 20)
    // 500 ms of scanning, and at most four times that for fixed costs.
    expect(statements).toBeLessThan(100)
  })

  it('scans at least a block if no content is read', () => {
    const pace = new Pace(false)
    walk(pace, 100_000, 0.1, 5)
    expect(pace.span).toBe(blockSize)
  })
})
