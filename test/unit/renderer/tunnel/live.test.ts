import { expect, it } from 'vitest'
import { formatElapsed } from '#shared/text/format.ts'
import { leftUntil, nextLeft, nextLabelChange } from '#pages/setup/reach/Live.tsx'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

it('returns the time of the next text change', () => {
  const since = 1_000_000
  for (const passed of [
    0,
    1,
    999,
    1000,
    59_999,
    minute,
    hour - 1,
    hour,
    day,
    2 * day - 1,
    3 * day + 7,
  ]) {
    const now = since + passed
    const next = nextLabelChange(since, now)
    expect(next).toBeGreaterThan(now)
    expect(formatElapsed(next - 1 - since), String(passed)).toBe(formatElapsed(passed))
    expect(formatElapsed(next - since), String(passed)).not.toBe(formatElapsed(passed))
  }
  // The page’s clock can be behind for a moment.
  expect(nextLabelChange(since, since - 50)).toBe(since + 1000)
})

it('counts down to a time, and stops there', () => {
  expect(leftUntil(8000, 0)).toBe('8 s')
  expect(leftUntil(8000, 1)).toBe('8 s')
  expect(leftUntil(8000, 7001)).toBe('1 s')
  expect(leftUntil(8000, 8000)).toBe('now')
  expect(leftUntil(8000, 9000)).toBe('now')
  expect(nextLeft(8000, 0)).toBe(1000)
  expect(nextLeft(8000, 1)).toBe(1000)
  expect(nextLeft(8000, 7001)).toBe(8000)
  expect(nextLeft(8000, 8000)).toBeNull()
})
