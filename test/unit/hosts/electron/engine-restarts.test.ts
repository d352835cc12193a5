import { describe, expect, it } from 'vitest'
import { planRestarts } from '#hosts/electron/engine/restarts.ts'

describe('a process that ended unexpectedly', () => {
  it('is restarted after 250 ms, 1 s and 5 s, and then only on request', () => {
    const plan = planRestarts()
    expect([0, 10, 2_000, 8_000].map((now) => plan.ended(now))).toEqual([250, 1_000, 5_000, null])
    plan.reset()
    expect(plan.ended(9_000)).toBe(250)
  })

  it('is restarted after 250 ms again once a minute has passed', () => {
    const plan = planRestarts()
    expect([0, 1_000, 60_500, 61_500, 200_000].map((now) => plan.ended(now))).toEqual([
      250, 1_000, 1_000, 1_000, 250,
    ])
  })
})
