import { expect, it } from 'vitest'
import type { TunnelSpan, TunnelStateName } from '#contract/tunnel.ts'
import {
  isMoment,
  periodsOf,
  totalsOf,
  uptimeOf,
  within,
  type Period,
} from '#renderer/features/tunnel/history/spans.ts'
import { readoutOf, describeUptime } from '#renderer/features/tunnel/history/readout.ts'
import { heights, segmentsOf, periodAt } from '#renderer/features/tunnel/history/Strip.tsx'

function stretch(from: number, to: number, state: TunnelStateName): Period {
  return { begun: from, from, to, state, reason: 'why', url: null, now: false }
}

function span(from: number, to: number, state: TunnelStateName): TunnelSpan {
  return { id: from + 1, from, to, state, cause: 'asked', reason: 'why', url: null, provider: 'x' }
}

it('adds the current state after the past ones, up to now', () => {
  const view = { state: 'offline', since: 500, reason: 'gone', url: null } as const
  // The history also contains the current state up to its last update.
  const history = [span(0, 100, 'online'), span(300, 500, 'online'), span(500, 510, 'offline')]
  expect(periodsOf(history, view, 900)).toEqual([
    stretch(0, 100, 'online'),
    stretch(300, 500, 'online'),
    { begun: 500, from: 500, to: 900, state: 'offline', reason: 'gone', url: null, now: true },
  ])
})

it('continues an outage through its retries', () => {
  const view = { state: 'offline', since: 700, reason: 'still gone', url: null } as const
  const history = [span(0, 100, 'online'), span(100, 750, 'offline')]
  expect(periodsOf(history, view, 900)).toEqual([
    stretch(0, 100, 'online'),
    { ...stretch(100, 900, 'offline'), reason: 'still gone', now: true },
  ])
  // The history was loaded before this state began.
  expect(periodsOf([span(100, 650, 'offline')], view, 900).map(({ from }) => from)).toEqual([
    100, 700,
  ])
})

it('includes when it was closed, and no period without a duration', () => {
  const view = { state: 'off', since: 300, reason: 'closed', url: null } as const
  const history = [
    span(0, 100, 'online'),
    span(100, 100, 'off'),
    span(200, 300, 'online'),
    span(300, 300, 'off'),
  ]
  const all = periodsOf(history, view, 900)
  expect(all.map(({ state, from, to }) => [state, from, to])).toEqual([
    ['online', 0, 100],
    ['off', 100, 100],
    ['online', 200, 300],
    ['off', 300, 300],
  ])
  expect(within(all, 50, 900)).toHaveLength(4)
  expect(within(all, 301, 900)).toEqual([])
  expect(all.filter(isMoment)).toHaveLength(2)
  expect([...totalsOf(all)]).toEqual([['online', 200]])
})

it('has no segment where no data exists', () => {
  const pieces = segmentsOf([stretch(0, 100, 'online'), stretch(300, 400, 'online')], 0, 400, 40)
  expect(pieces).toEqual([
    { x: 0, width: 10, state: 'online' },
    { x: 30, width: 10, state: 'online' },
  ])
  expect(segmentsOf([], 0, 400, 40)).toEqual([])
  expect(segmentsOf([stretch(0, 1, 'online')], 0, 0, 40)).toEqual([])
  expect(segmentsOf([stretch(0, 1, 'online')], 0, 1, 0)).toEqual([])
})

it('shows an outage of one second in seven days, and merges adjacent segments', () => {
  const week = 7 * 86_400_000
  const at = 400_000_000
  const pieces = segmentsOf(
    [
      stretch(0, at, 'online'),
      stretch(at, at + 1000, 'offline'),
      stretch(at + 1000, week, 'online'),
    ],
    0,
    week,
    600,
  )
  expect(pieces.map(({ state }) => state)).toEqual(['online', 'offline', 'online'])
  expect(pieces[1]?.width).toBe(2)
  expect(pieces.reduce((sum, { width }) => sum + width, 0)).toBe(600)
})

it('shows the worst state of each pixel', () => {
  const states = ['off', 'opening', 'online', 'reconnecting', 'degraded', 'offline'] as const
  const all = states.map((state, index) => stretch(index, index + 1, state))
  expect(segmentsOf(all, 0, 6_000, 6)).toEqual([{ x: 0, width: 2, state: 'offline' }])
})

it('cuts periods at both ends of the range', () => {
  expect(segmentsOf([stretch(-50, 1000, 'online')], 0, 100, 10)).toEqual([
    { x: 0, width: 10, state: 'online' },
  ])
  expect(within([stretch(-50, 30, 'online'), stretch(200, 300, 'off')], 0, 100)).toEqual([
    { ...stretch(-50, 30, 'online'), from: 0 },
  ])
})

it('gives each state a different height, except the two transient ones', () => {
  expect(heights.opening).toBe(heights.reconnecting)
  expect(new Set(Object.values(heights)).size).toBe(5)
})

it('finds the period at the pointer, and narrow ones nearby', () => {
  const all = [stretch(0, 500, 'online'), stretch(500, 501, 'offline'), stretch(501, 800, 'online')]
  expect(periodAt(all, 0, 1000, 100, 0.1)).toBe(all[0])
  expect(periodAt(all, 0, 1000, 100, 0.52)).toBe(all[1])
  expect(periodAt(all, 0, 1000, 100, 0.48)).toBe(all[1])
  expect(periodAt(all, 0, 1000, 100, 0.6)).toBe(all[2])
  expect(periodAt(all, 0, 1000, 100, 0.9)).toBeNull()
})

it('computes the online share of the requested time', () => {
  const totals = totalsOf([stretch(0, 60_000, 'online'), stretch(120_000, 180_000, 'offline')])
  expect(uptimeOf(totals)).toEqual({ online: 60_000, wanted: 120_000 })
  expect(describeUptime({ online: 60_000, wanted: 120_000 }, 'the last hour')).toBe(
    'Online 50.0% of the requested time (1 min of 2 min).',
  )
  expect(describeUptime({ online: 0, wanted: 0 }, 'the last hour')).toBe(
    'No tunnel was open in the last hour.',
  )
  expect(describeUptime({ online: 60_000, wanted: 60_000 }, '')).toContain('100%')
  expect(describeUptime({ online: 0, wanted: 9000 }, 'the last hour')).toBe(
    'Never online in the last hour.',
  )
  // Almost 100% is not rounded up.
  expect(describeUptime({ online: 9_999_999, wanted: 10_000_000 }, '')).toContain('99.9%')
})

it('describes a period in one line, with control characters escaped', () => {
  const line = readoutOf({ ...stretch(0, 120_000, 'offline'), reason: 'x\u202ey' }, 200_000)
  expect(line).toMatch(/^Offline for 2 min, \S+ to \S+: x\\u202ey$/)
  expect(readoutOf({ ...stretch(0, 1000, 'online'), now: true }, 1000)).toContain('to now')
  // A cut period is described with its full duration.
  expect(readoutOf({ ...stretch(0, 120_000, 'off'), from: 60_000 }, 200_000)).toContain('2 min')
})
