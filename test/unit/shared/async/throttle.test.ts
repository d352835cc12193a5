import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { steadyClock } from '#engine/platform/clock.ts'
import { throttle } from '#shared/async/throttle.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance', 'hrtime'] }))
afterEach(() => vi.useRealTimers())

it('reports immediately, then at most five times a second, and always the last change', () => {
  let changes = 0
  const reports: { changes: number; at: number }[] = []
  const telling = throttle(steadyClock, 200, () => reports.push({ changes, at: performance.now() }))
  for (let ms = 0; ms < 1000; ms += 1) {
    changes += 1
    telling.wanted()
    vi.advanceTimersByTime(1)
  }
  expect(reports[0]?.changes).toBe(1)
  vi.advanceTimersByTime(5000)
  expect(reports.at(-1)?.changes).toBe(1000)
  const gaps = reports.slice(1).map(({ at }, index) => at - (reports[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200)
  expect(reports.length).toBeGreaterThanOrEqual(5)
})
