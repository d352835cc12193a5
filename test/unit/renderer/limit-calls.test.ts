import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttled } from '#client/limit-calls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs immediately, then at most once per interval, and never loses the last request', () => {
  const work = vi.fn<() => void>()
  const { run, stop } = throttled(1000, work)
  run()
  expect(work).toHaveBeenCalledTimes(1)
  for (let i = 0; i < 5; i += 1) run()
  vi.advanceTimersByTime(999)
  expect(work).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(5000)
  expect(work).toHaveBeenCalledTimes(2)
  run()
  run()
  expect(work).toHaveBeenCalledTimes(3)
  stop()
  vi.advanceTimersByTime(5000)
  expect(work).toHaveBeenCalledTimes(3)
})
