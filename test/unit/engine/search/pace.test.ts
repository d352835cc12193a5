import { describe, expect, it } from 'vitest'
import { blockSize, Pace } from '#engine/search/scan.ts'

/** Looks at `ids` ids, each of which takes so many milliseconds, after `begin`; returns the time and the number of statements. */
function walk(pace: Pace, ids: number, each: number, begin: number) {
  let longest = 0
  let statements = 0
  for (let left = ids; left > 0; statements += 1) {
    const span = Math.min(pace.span, left)
    const took = begin + span * each
    pace.record(span, took)
    // The first ones are tries.
    if (statements > 3) longest = Math.max(longest, took)
    left -= span
  }
  return { longest, statements }
}

describe('the pace', () => {
  it('grows over what costs nothing, up to its bound', () => {
    const pace = new Pace(false)
    const { statements } = walk(pace, 1_000_000, 0, 0.1)
    expect(pace.span).toBe(blockSize * 16)
    expect(statements).toBeLessThan(14)
  })

  it('looks at a few at a time where each is many megabytes', () => {
    const { longest } = walk(new Pace(true), 1000, 5, 0.1)
    expect(longest).toBeLessThanOrEqual(10)
  })

  it('does not look at ever fewer where a statement takes long to begin', () => {
    const { statements } = walk(new Pace(true), 100_000, 0.005, 20)
    // 500 ms of work, and no more than four times that to begin.
    expect(statements).toBeLessThan(100)
  })

  it('takes a block at least where no content is read', () => {
    const pace = new Pace(false)
    walk(pace, 100_000, 0.1, 5)
    expect(pace.span).toBe(blockSize)
  })
})
