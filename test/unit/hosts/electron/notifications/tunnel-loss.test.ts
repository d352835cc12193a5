import { describe, expect, it } from 'vitest'
import type { TunnelStateName } from '#contract/tunnel.ts'
import { createTunnelLoss } from '#hosts/electron/notifications/tunnel-loss.ts'

const url = 'https://pier9.loca.lt'

/** Each step is a state, or only passing time, followed by the expected news. */
function follow(steps: readonly (readonly [ms: number, TunnelStateName | null])[]): string[] {
  const loss = createTunnelLoss()
  return steps.flatMap(([now, state]) => {
    const news = state === null ? loss.due(now) : loss.update({ state, url }, now)
    return news === null ? [] : [`${now} ${news.kind}`]
  })
}

describe('a lost tunnel', () => {
  it('is reported after five seconds, and again when it is back', () => {
    expect(
      follow([
        [0, 'opening'],
        [1000, 'online'],
        [2000, 'reconnecting'],
        [6999, null],
        [7000, null],
        [8000, 'offline'],
        [9000, 'online'],
      ]),
    ).toEqual(['7000 lost', '9000 back'])
  })

  it('is not reported while degraded, and immediately when the tunnel then goes offline', () => {
    expect(
      follow([
        [0, 'online'],
        [1000, 'degraded'],
        [600_000, null],
      ]),
    ).toEqual([])
    expect(
      follow([
        [0, 'online'],
        [1000, 'degraded'],
        [9000, 'degraded'],
        [14_000, 'reconnecting'],
        [17_000, 'online'],
      ]),
    ).toEqual(['14000 lost', '17000 back'])
  })

  it('is reported at most once a minute for a flapping tunnel, and then with its state', () => {
    const steps: (readonly [number, TunnelStateName | null])[] = [[0, 'online']]
    for (let at = 1000; at < 121_000; at += 10_000) {
      steps.push([at, 'offline'], [at + 5000, null], [at + 8000, 'online'])
    }
    steps.push([121_500, 'offline'], [125_000, null], [126_000, null], [126_500, null])
    expect(follow(steps)).toEqual([
      '6000 lost',
      '9000 back',
      '66000 lost',
      '69000 back',
      '126500 lost',
    ])
  })

  it('is reported later if it lasts, and not if the clock was set back', () => {
    const loss = createTunnelLoss()
    const lose = (at: number): void => {
      loss.update({ state: 'online', url }, at)
      loss.update({ state: 'offline', url }, at)
    }
    lose(100_000)
    expect(loss.due(105_000)).toEqual({ kind: 'lost' })
    lose(110_000)
    expect(loss.dueAt).toBe(165_000)
    expect(loss.due(115_000)).toBeNull()
    expect(loss.due(165_000)).toEqual({ kind: 'lost' })
    lose(10_000)
    expect(loss.due(15_000)).toEqual({ kind: 'lost' })
  })

  it('is not reported as back if the loss was not', () => {
    const loss = createTunnelLoss()
    loss.update({ state: 'online', url }, 0)
    loss.update({ state: 'offline', url }, 1000)
    expect(loss.due(6000)).toEqual({ kind: 'lost' })
    loss.notNotified()
    expect(loss.dueAt).toBeNull()
    expect(loss.update({ state: 'online', url }, 7000)).toBeNull()
    // It does not count towards the next interval either.
    loss.update({ state: 'offline', url }, 8000)
    expect(loss.due(13_000)).toEqual({ kind: 'lost' })
  })

  it.each([
    [
      'is back in time',
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
      'is closed and reopened',
      [
        [0, 'online'],
        [9000, 'off'],
        [9500, 'opening'],
        [9900, 'online'],
      ],
    ],
  ] as const)('is not reported when it %s', (_what, steps) => {
    expect(follow(steps)).toEqual([])
  })

  it('counts from the first problem, not from the last', () => {
    const loss = createTunnelLoss()
    loss.update({ state: 'online', url }, 0)
    loss.update({ state: 'degraded', url }, 1000)
    loss.update({ state: 'offline', url }, 5000)
    expect(loss.dueAt).toBe(6000)
    expect(loss.due(6000)).toEqual({ kind: 'lost' })
    expect(loss.dueAt).toBeNull()
  })
})
