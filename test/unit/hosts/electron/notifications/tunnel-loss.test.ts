import { describe, expect, it } from 'vitest'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { createTunnelLoss } from '#hosts/electron/notifications/tunnel-loss.ts'

const url = 'https://pier9.loca.lt'

/** Each step: a state, or nothing but time that passes; then what is told. */
function follow(steps: readonly (readonly [ms: number, TunnelStateName | null])[]): string[] {
  const loss = createTunnelLoss()
  return steps.flatMap(([now, state]) => {
    const news = state === null ? loss.due(now) : loss.see({ state, url }, now)
    return news === null ? [] : [`${now} ${news.kind}`]
  })
}

describe('a lost tunnel', () => {
  it('is told after five seconds, and told again when it is back', () => {
    expect(
      follow([
        [0, 'opening'],
        [1000, 'online'],
        [2000, 'degraded'],
        [6999, null],
        [7000, null],
        [8000, 'reconnecting'],
        [9000, 'online'],
      ]),
    ).toEqual(['7000 lost', '9000 back'])
  })

  it.each([
    [
      'was back in time',
      [
        [0, 'online'],
        [10, 'offline'],
        [4000, 'online'],
        [9000, null],
      ],
    ],
    [
      'was closed by the user',
      [
        [0, 'online'],
        [10, 'offline'],
        [4000, 'off'],
        [9000, null],
      ],
    ],
    [
      'was never online',
      [
        [0, 'opening'],
        [10, 'offline'],
        [9000, null],
        [9500, 'reconnecting'],
      ],
    ],
    [
      'is closed and opened again',
      [
        [0, 'online'],
        [9000, 'off'],
        [9500, 'opening'],
        [9900, 'online'],
      ],
    ],
  ] as const)('is not told when it %s', (_what, steps) => {
    expect(follow(steps)).toEqual([])
  })

  it('counts from the first sign, not from the last', () => {
    const loss = createTunnelLoss()
    loss.see({ state: 'online', url }, 0)
    loss.see({ state: 'degraded', url }, 1000)
    loss.see({ state: 'offline', url }, 5000)
    expect(loss.dueAt).toBe(6000)
    expect(loss.due(6000)).toEqual({ kind: 'lost' })
    expect(loss.dueAt).toBeNull()
  })
})
