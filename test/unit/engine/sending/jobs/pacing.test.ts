import { describe, expect, it } from 'vitest'
import { pacingOf, Schedule } from '#engine/sending/jobs/pacing.ts'

const ms = (value: number): number => value * 1000

describe('when the next one is due', () => {
  it('keeps the received interval divided by the speed', () => {
    const schedule = new Schedule(pacingOf({ how: 'spacing', speed: 4, longestGap: 60_000 }))
    expect(schedule.due(ms(10_000), 0)).toBe(0)
    schedule.started(ms(10_000), 0)
    expect(schedule.due(ms(12_000), 0)).toBe(500)
    schedule.started(ms(12_000), 500)
    expect(schedule.due(ms(12_040), 500)).toBe(510)
  })

  it('is never further away than the longest gap, as it is waited for', () => {
    const schedule = new Schedule(pacingOf({ how: 'spacing', speed: 2, longestGap: 1000 }))
    schedule.started(0, 0)
    expect(schedule.due(ms(3_600_000), 0)).toBe(1000)
    expect(schedule.due(ms(1800), 0)).toBe(900)
  })

  it('is sent immediately if the previous one was received later, because the clock was set back', () => {
    const schedule = new Schedule(pacingOf({ how: 'spacing', speed: 1, longestGap: 1000 }))
    schedule.started(ms(5000), 0)
    expect(schedule.due(ms(4000), 0)).toBe(0)
  })

  it('makes up for a timer that was late, and not for a stall', () => {
    const schedule = new Schedule(pacingOf({ how: 'rate', perSecond: 20 }))
    schedule.started(null, 0)
    expect(schedule.due(null, 53)).toBe(50)
    schedule.started(null, 53)
    expect(schedule.due(null, 53), 'no later for it').toBe(100)
    // After a stall of ten seconds: not a burst of two hundred, but the few of 100 ms.
    let burst = 0
    while (schedule.due(null, 10_000) <= 10_000) {
      schedule.started(null, 10_000)
      burst += 1
    }
    expect(burst).toBeLessThanOrEqual(3)
  })

  it('counts how many are due by a time, and at least one', () => {
    const schedule = new Schedule(pacingOf({ how: 'rate', perSecond: 100 }))
    const next = Array.from({ length: 50 }, () => null)
    expect(schedule.dueBy(0, next, 0)).toBe(1)
    schedule.started(null, 0)
    expect(schedule.dueBy(100, next, 0)).toBe(10)
    expect(schedule.dueBy(5, next, 0), 'the next, however far').toBe(1)
    const far = new Schedule(pacingOf({ how: 'spacing', speed: 1, longestGap: 86_400_000 }))
    far.started(0, 0)
    expect(far.dueBy(250, [ms(100), ms(200), ms(9000), ms(9001)], 0)).toBe(2)
  })
})
