import { describe, expect, it } from 'vitest'
import { isExpired, applyResponse } from '#engine/authorization/tokens/apply-response.ts'
import { event } from '#engine/authorization/tokens/timeline.ts'

type Token = Parameters<typeof applyResponse>[0]

/** Issued at 1000 s, ends at 2000 s. */
const token: Token = {
  status: 'good',
  expires: 2000,
  expiresIn: 1000,
  obtainedAt: 1_000_000,
  events: [event('issued', 1_000_000)],
}
const at = (now: number, status: number) => ({ now: now * 1000, status })

describe('applyResponse', () => {
  it.each([
    // [what, change, answer, status, events]
    ['401 before its end', {}, at(1999, 401), 'suspect', ['unauthorized']],
    [
      'a second 401 before its end',
      { status: 'suspect' as const },
      at(1999, 401),
      'revoked',
      ['unauthorized', 'revoked'],
    ],
    ['200 after a 401', { status: 'suspect' as const }, at(1500, 200), 'good', []],
    ['500 after a 401', { status: 'suspect' as const }, at(1500, 500), 'suspect', []],
    ['401 at its end', {}, at(2000, 401), 'good', ['unauthorized']],
    ['401 without an end', { expires: null }, at(1500, 401), 'suspect', ['unauthorized']],
    ['403', {}, at(1500, 403), 'invalid', ['forbidden']],
    ['403 after its end', {}, at(2500, 403), 'invalid', ['forbidden']],
    ['403 when revoked', { status: 'revoked' as const }, at(1500, 403), 'invalid', ['forbidden']],
    ['200', {}, at(1500, 200), 'good', []],
    ['204 after a 403', { status: 'invalid' as const }, at(1500, 204), 'good', []],
    ['404', {}, at(1500, 404), 'good', []],
    ['500 after a 403', { status: 'invalid' as const }, at(1500, 500), 'invalid', []],
    ['302', {}, at(1500, 302), 'good', []],
    ['401 when forgotten', { status: 'forgotten' as const }, at(1500, 401), 'forgotten', []],
    ['200 when forgotten', { status: 'forgotten' as const }, at(1500, 200), 'forgotten', []],
  ])('%s', (_, change, answer, status, kinds) => {
    const result = applyResponse({ ...token, ...change }, answer)
    expect(result.status).toBe(status)
    expect(result.events.map(({ kind }) => kind)).toEqual(kinds)
    for (const { at } of result.events) expect(at).toBe(answer.now)
  })

  it('interprets an early 401 as a revocation, or a wrong clock', () => {
    const [unauthorized] = applyResponse(token, at(1500, 401)).events
    expect(unauthorized?.detail).toContain('before the token expired')
    expect(unauthorized?.detail).toContain('may have been revoked, or a clock is wrong')
    expect(unauthorized?.detail).toContain('API documentation, "Authentication" 5')
  })

  it('interprets a 401 right after a refresh as a revocation, whatever a clock shows', () => {
    const events = [...token.events, event('refreshed', 3_000_000)]
    const fresh = { ...token, events, obtainedAt: 3_000_000 }
    const result = applyResponse(fresh, at(3059, 401))
    expect(result.status).toBe('suspect')
    expect(result.events[0]?.detail).toContain('right after a refresh')
    expect(applyResponse(fresh, at(3060, 401)).status).toBe('good')
    // Its lifetime was not longer.
    expect(applyResponse({ ...fresh, expiresIn: 10 }, at(3010, 401)).status).toBe('good')
  })

  it('records the same refusal once, and again after a different response', () => {
    const over = applyResponse(token, at(2000, 401))
    const next = { ...token, events: [...token.events, ...over.events] }
    expect(applyResponse(next, at(2001, 401)).events).toEqual([])
    const forbidden = applyResponse(next, at(2002, 403))
    const third = { ...next, events: [...next.events, ...forbidden.events] }
    expect(applyResponse(third, at(2003, 401)).events).toHaveLength(1)
    expect(applyResponse({ ...third, status: 'invalid' }, at(2003, 403)).events).toEqual([])
    expect(applyResponse({ ...third, status: 'good' }, at(2003, 403)).events).toHaveLength(1)
  })
})

it('isExpired is never true without an expiry', () => {
  expect(isExpired({ ...token, expires: null }, 9e12)).toBe(false)
})
