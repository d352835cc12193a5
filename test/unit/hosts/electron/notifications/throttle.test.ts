import { describe, expect, it } from 'vitest'
import { createThrottle } from '#hosts/electron/notifications/messages.ts'

describe('a throttle', () => {
  it('shows the first immediately, then one sum after the interval', () => {
    const throttle = createThrottle<string>(30_000)
    expect(throttle.dueAt).toBeNull()
    expect(throttle.add(['a'], 1000)).toEqual({ items: ['a'], since: 1000 })
    expect(throttle.add(['b'], 2000)).toBeNull()
    expect(throttle.add(['c', 'd'], 9000)).toBeNull()
    expect(throttle.dueAt).toBe(31_000)
    expect(throttle.due(30_999)).toBeNull()
    expect(throttle.due(31_000)).toEqual({ items: ['b', 'c', 'd'], since: 2000 })
    expect(throttle.dueAt).toBeNull()
    expect(throttle.due(90_000)).toBeNull()
    expect(throttle.add(['e'], 61_000)).toEqual({ items: ['e'], since: 61_000 })
  })

  it('drops cleared items, and still delays the next ones', () => {
    const throttle = createThrottle<string>(30_000)
    throttle.add(['a'], 0)
    throttle.add(['b'], 10)
    throttle.clear()
    expect(throttle.dueAt).toBeNull()
    expect(throttle.add(['c'], 20)).toBeNull()
    expect(throttle.due(30_000)).toEqual({ items: ['c'], since: 20 })
  })

  it('continues after the clock was set back', () => {
    const throttle = createThrottle<string>(30_000)
    throttle.add(['a'], 5_000_000)
    expect(throttle.add(['b'], 1000)).toEqual({ items: ['b'], since: 1000 })
  })

  it('ignores an empty list', () => {
    expect(createThrottle<string>(30_000).add([], 0)).toBeNull()
  })
})
