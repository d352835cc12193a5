import { describe, expect, it } from 'vitest'
import { defaultRefreshRule } from '#contract/default-refresh.ts'
import { obstacleTo, refreshesAt } from '#engine/authorization/tokens/held-token.ts'
import { event } from '#engine/authorization/tokens/timeline.ts'

const rule = { ...defaultRefreshRule, provenAt: 5 }
const token = { status: 'good' as const, sealedRefresh: Buffer.of(1), events: [event('issued', 1)] }

describe('obstacleTo', () => {
  it('is null for a good token and a tested template', () => {
    expect(obstacleTo(token, rule)).toBeNull()
  })

  it.each([
    ['not tested', token, { ...rule, provenAt: null }, 'manually once'],
    ['turned off', token, { ...rule, automatic: false }, 'turned off'],
    ['no refresh token', { ...token, sealedRefresh: null }, rule, 'no refresh token'],
    ['suspect', { ...token, status: 'suspect' as const }, rule, 'may have been revoked'],
    ['revoked', { ...token, status: 'revoked' as const }, rule, 'revoked'],
    ['invalid', { ...token, status: 'invalid' as const }, rule, '403'],
    ['forgotten', { ...token, status: 'forgotten' as const }, rule, 'revoked in Tabscope'],
    ['failed', { ...token, events: [...token.events, event('refresh_failed', 2)] }, rule, 'failed'],
  ])('reports why: %s', (_, of, by, why) => expect(obstacleTo(of, by)).toContain(why))

  it('ignores a failure of an earlier version', () => {
    const events = [...token.events, event('refresh_failed', 2), event('refreshed', 3)]
    expect(obstacleTo({ ...token, events }, rule)).toBeNull()
  })
})

const at = (expires: number | null, obtainedAt: number, dueBefore = 3600) =>
  refreshesAt({ expires, obtainedAt }, dueBefore)

describe('refreshesAt', () => {
  it('is the time at which the token is due', () => {
    expect(at(86_400, 0)).toBe((86_400 - 3600) * 1000)
    expect(at(86_400, 0, 0)).toBe(86_400_000)
  })

  it('is halfway through a shorter lifetime, but not earlier than half a minute', () => {
    expect(at(1000, 0)).toBe(500_000)
    expect(at(10, 0)).toBe(30_000)
  })

  it('is null without an expiry, or for a token that had expired when it was received', () => {
    expect(at(null, 0)).toBeNull()
    expect(at(100, 100_000)).toBeNull()
    expect(at(100, 200_000)).toBeNull()
  })
})
