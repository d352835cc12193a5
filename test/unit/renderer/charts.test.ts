import { describe, expect, it } from 'vitest'
import type { Timeline } from '#contract/deliveries.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { atLeast, barsOf, bucketAt, totalsOf } from '#renderer/features/deliveries/charts/layout.ts'
import { ticksOf } from '#renderer/features/deliveries/charts/Chart.tsx'
import { readout } from '#renderer/features/deliveries/charts/readout.ts'
import { hasTerm, toggledTerm, withRange } from '#renderer/features/deliveries/charts/Charts.tsx'

const from = Date.parse('2026-03-14T21:00:00.000Z')

function timelineOf(...series: number[][]): Timeline {
  return {
    from,
    bucketMs: 60_000,
    complete: true,
    searched: 1,
    series: series.map((counts, index) => ({
      key: `k${index}`,
      label: `L${index}`,
      term: `verdict:valid`,
      counts,
    })),
  }
}

describe('bars', () => {
  it('are stacked, with the largest bucket at full height', () => {
    const timeline = timelineOf([1, 0, 30], [1, 0, 70])
    expect(totalsOf(timeline)).toEqual([2, 0, 100])
    const bars = barsOf(timeline)
    expect(bars.filter(({ bucket }) => bucket === 1)).toEqual([])
    const [low, high] = bars.filter(({ bucket }) => bucket === 2)
    expect(low?.top).toBeCloseTo(0.7)
    expect(high).toMatchObject({ series: 1 })
    expect(high?.top).toBeCloseTo(0)
    expect((low?.height ?? 0) + (high?.height ?? 0)).toBeCloseTo(1)
  })

  it('stay visible for one delivery among a thousand, and never exceed the chart', () => {
    const bars = barsOf(timelineOf([999], [1]))
    expect(bars[1]?.height).toBeGreaterThan(0.02)
    expect(Math.min(...bars.map(({ top }) => top))).toBeGreaterThanOrEqual(-1e-9)
    expect(bars.reduce((sum, { height }) => sum + height, 0)).toBeLessThanOrEqual(1 + 1e-9)
  })

  it('are padded with empty buckets at the start, with correct times', () => {
    const few = timelineOf([3, 4], [0, 1])
    const more = atLeast(few, 5)
    expect(more.series.map(({ counts }) => counts)).toEqual([
      [0, 0, 0, 3, 4],
      [0, 0, 0, 0, 1],
    ])
    expect(more.from).toBe(few.from - 3 * few.bucketMs)
    expect(atLeast(few, 2)).toBe(few)
  })

  it('are found by a position in the chart', () => {
    expect([-1, 0, 0.49, 0.5, 0.99, 1, 7].map((share) => bucketAt(share, 2))).toEqual([
      0, 0, 0, 1, 1, 1, 1,
    ])
  })

  it('are described by name, largest first', () => {
    expect(readout(timelineOf([1], [4], [0]), 0)).toMatch(/: 5 deliveries; L1 4, L0 1$/)
    expect(readout(timelineOf([0]), 0)).toMatch(/: 0 deliveries$/)
    expect(readout(timelineOf(), 0)).toBe('No deliveries')
    expect(readout(timelineOf(...Array.from({ length: 6 }, () => [1])), 0)).toMatch(/, 2 more$/)
  })
})

describe('the axis', () => {
  it('has few ticks, within the chart, in order', () => {
    for (const length of [1000, 60_000, 3_600_000, 86_400_000, 9e9, 4e11]) {
      for (const most of [1, 3, 8]) {
        const ticks = ticksOf(from + 1234, from + 1234 + length, most)
        expect(ticks.length).toBeLessThanOrEqual(most + 1)
        for (const { at } of ticks) expect(at >= 0 && at <= 1).toBe(true)
      }
    }
    expect(ticksOf(from, from + 3_600_000, 6).length).toBeGreaterThan(3)
  })
})

describe('the filter term of a chart', () => {
  it('is a time range that replaces an earlier one', () => {
    const first = withRange('type:OPEN_TAB', from, from + 60_000)
    expect(first).toBe(
      'type:OPEN_TAB since:2026-03-14T21:00:00.000Z before:2026-03-14T21:01:00.000Z',
    )
    expect(parseFilter(first).ok).toBe(true)
    expect(withRange(first, from + 1000, from + 2000)).toBe(
      'type:OPEN_TAB since:2026-03-14T21:00:01.000Z before:2026-03-14T21:00:02.000Z',
    )
  })

  it('is the term of a series, and is removed completely', () => {
    for (const term of ['verdict:invalid', 'lag:>=1s lag:<5s', 'type:"a b"', '-type:A,B']) {
      for (const text of ['', 'location:"Pier 9"', '"free text" size:>1kb']) {
        const added = toggledTerm(text, term)
        expect(parseFilter(added).ok, added).toBe(true)
        expect(hasTerm(added, term), added).toBe(true)
        expect(hasTerm(text, term)).toBe(false)
        expect(toggledTerm(added, term)).toBe(text)
      }
    }
    expect(hasTerm('lag:>=1s', 'lag:>=1s lag:<5s')).toBe(false)
  })
})
