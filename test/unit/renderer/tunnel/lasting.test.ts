import { expect, it } from 'vitest'
import { lasting, leftUntil, nextLeft, nextLabelChange } from '#renderer/features/tunnel/lasting.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

it('says how long something lasts in whole units that have passed', () => {
  expect(lasting(-5)).toBe('0 s')
  expect(lasting(999)).toBe('0 s')
  expect(lasting(6_900)).toBe('6 s')
  expect(lasting(59_999)).toBe('59 s')
  expect(lasting(minute)).toBe('1 min')
  expect(lasting(hour - 1)).toBe('59 min')
  expect(lasting(3 * hour)).toBe('3 h')
  expect(lasting(3 * hour + 5 * minute)).toBe('3 h 5 min')
  expect(lasting(2 * day + 4 * hour + minute)).toBe('2 d 4 h')
})

it('knows when it would say something else, and not sooner', () => {
  const since = 1_000_000
  for (const passed of [0, 1, 999, 1000, 59_999, minute, hour - 1, hour, day, 3 * day + 7]) {
    const now = since + passed
    const next = nextLabelChange(since, now)
    expect(next).toBeGreaterThan(now)
    expect(lasting(next - 1 - since), String(passed)).toBe(lasting(passed))
    expect(lasting(next - since), String(passed)).not.toBe(lasting(passed))
  }
  // The clock of this page may be behind for a moment.
  expect(nextLabelChange(since, since - 50)).toBe(since + 1000)
})

it('counts down to a moment, and ends there', () => {
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
