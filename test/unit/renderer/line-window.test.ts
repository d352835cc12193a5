import { describe, expect, it } from 'vitest'
import { linesSeen, scrollTo } from '#kit/VirtualLines.tsx'

const view = { lineHeight: 20, height: 200 }

describe('the visible lines', () => {
  it('are those in the viewport and a few more', () => {
    expect(linesSeen({ ...view, count: 1000, top: 0 })).toEqual({
      from: 0,
      to: 20,
      offset: 0,
      totalHeight: 20_000,
    })
    expect(linesSeen({ ...view, count: 1000, top: 4010 })).toMatchObject({
      from: 190,
      to: 221,
      offset: 3800,
    })
    expect(linesSeen({ ...view, count: 0, top: 0 })).toMatchObject({ from: 0, to: 0 })
    expect(linesSeen({ ...view, count: 3, top: 99 })).toMatchObject({ from: 0, to: 3, offset: 0 })
  })

  it('reach from the first to the last even beyond the height limit of browsers', () => {
    const count = 20_000_000
    const { totalHeight } = linesSeen({ ...view, count, top: 0 })
    expect(totalHeight).toBe(30_000_000)
    const end = linesSeen({ ...view, count, top: totalHeight - view.height })
    expect(end.to).toBe(count)
    expect(end.offset + (count - end.from) * 20).toBe(totalHeight)
  })
})

describe('scrolling to a line', () => {
  it('moves only as far as needed', () => {
    expect(scrollTo(5, { ...view, count: 1000, top: 0 })).toBeNull()
    expect(scrollTo(10, { ...view, count: 1000, top: 0 })).toBe(20)
    expect(scrollTo(5, { ...view, count: 1000, top: 400 })).toBe(100)
    expect(scrollTo(2, { ...view, count: 5, top: 0 })).toBeNull()
  })

  it('finds any of 20 million', () => {
    const count = 20_000_000
    for (const line of [0, 9_999_999, count - 1]) {
      const top = scrollTo(line, { ...view, count, top: 15_000_000 }) ?? 15_000_000
      const { from, to } = linesSeen({ ...view, count, top })
      expect(from <= line && line < to, String(line)).toBe(true)
    }
  })
})
