import { describe, expect, it } from 'vitest'
import type { TokenEvent } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import {
  appended,
  event,
  ofThisVersion,
  passedMilestones,
} from '#engine/authorization/tokens/timeline.ts'

const issued = event('issued', 1_000_000)
const token = (expires: number | null, ...events: TokenEvent[]) => ({ expires, events })
const kinds = (events: readonly TokenEvent[]) => events.map(({ kind }) => kind)

describe('passedMilestones', () => {
  const tokenUntil2000 = token(2000, issued)

  it('finds each milestone as soon as it passes, with its exact time', () => {
    expect(passedMilestones(tokenUntil2000, 400, 1_599_999)).toEqual([])
    expect(passedMilestones(tokenUntil2000, 400, 1_600_000)).toEqual([event('due', 1_600_000)])
    expect(passedMilestones(tokenUntil2000, 400, 9_000_000)).toEqual([
      event('due', 1_600_000),
      event('expired', 2_000_000),
    ])
  })

  it('finds each once for each version', () => {
    const due = event('due', 1_600_000)
    expect(passedMilestones(token(2000, issued, due), 400, 1_700_000)).toEqual([])
    const refreshed = event('refreshed', 1_700_000)
    const next = token(3000, issued, due, refreshed)
    expect(passedMilestones(next, 400, 2_600_000)).toEqual([event('due', 2_600_000)])
  })

  it('finds no milestone without an expiry, and is never due if dueBeforeSeconds is 0', () => {
    expect(passedMilestones(token(null, issued), 400, 9e12)).toEqual([])
    expect(kinds(passedMilestones(tokenUntil2000, 0, 9_000_000))).toEqual(['expired'])
  })

  it('starts with the token: no milestone is earlier', () => {
    expect(passedMilestones(tokenUntil2000, 86_400, 1_000_000)).toEqual([event('due', 1_000_000)])
    expect(passedMilestones(token(900, issued), 400, 1_000_000)).toEqual([
      event('due', 1_000_000),
      event('expired', 1_000_000),
    ])
  })
})

describe('appended', () => {
  it('keeps the newest 100 events', () => {
    let events: TokenEvent[] = []
    for (let at = 1; at <= 150; at += 1) events = appended(events, event('issued', at))
    expect(events.map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, i) => i + 51))
  })

  it('keeps required events of this version, however many refusals follow', () => {
    const first = [issued, event('due', 2), event('expired', 3)]
    const kept = [event('refreshed', 4), event('due', 5), event('refresh_failed', 6)]
    let events = [...first, ...kept]
    for (let at = 7; at < 500; at += 1)
      events = appended(events, event(at % 2 ? 'forbidden' : 'unauthorized', at))
    expect(events).toHaveLength(100)
    expect(events.slice(0, 3)).toEqual(kept)
    expect(events.at(-1)?.at).toBe(499)
    expect(kinds(ofThisVersion(events)).slice(0, 3)).toEqual(['refreshed', 'due', 'refresh_failed'])
  })
})

describe('tokenStateAt', () => {
  const good = { status: 'good' as const, expires: 2000, dueBeforeSeconds: 400 }

  it.each([
    [1599.999, 'active'],
    [1600, 'due'],
    [1999.999, 'due'],
    [2000, 'expired'],
  ] as const)('at %d s it is %s', (now, state) => expect(tokenStateAt(good, now)).toBe(state))

  it('is active without an expiry, and never due if dueBeforeSeconds is 0', () => {
    expect(tokenStateAt({ ...good, expires: null }, 9e9)).toBe('active')
    expect(tokenStateAt({ ...good, dueBeforeSeconds: 0 }, 1999.999)).toBe('active')
  })

  it('is suspect after one early 401 until it expires', () => {
    expect(tokenStateAt({ ...good, status: 'suspect' }, 1999.999)).toBe('suspect')
    expect(tokenStateAt({ ...good, status: 'suspect' }, 2000)).toBe('expired')
    expect(tokenStateAt({ ...good, status: 'suspect', expires: null }, 9e9)).toBe('suspect')
  })

  it.each(['revoked', 'invalid', 'forgotten', 'unavailable'] as const)(
    'is %s at any time once it is',
    (status) => {
      expect(tokenStateAt({ ...good, status }, 0)).toBe(status)
      expect(tokenStateAt({ ...good, status }, 9e9)).toBe(status)
    },
  )
})
