import { describe, expect, it } from 'vitest'
import type { TokenView } from '#contract/tokens.ts'
import { defaultToken } from '#hosts/node/output/token-text.ts'

describe('the default token of a call', () => {
  const now = Date.now()
  const seconds = Math.floor(now / 1000)
  const token = (id: number, change: Partial<TokenView>): TokenView => ({
    id,
    integrationId: 1,
    label: `Token ${id}`,
    ending: null,
    hasRefreshToken: false,
    initiated: seconds - 10,
    expires: seconds + 3600,
    expiresIn: 3610,
    obtainedAt: now + id,
    version: 1,
    status: 'good',
    dueBeforeSeconds: 60,
    refreshing: false,
    findings: [],
    events: [],
    ...change,
  })
  it.each<[string, TokenView[], number | null]>([
    ['the newest', [token(1, {}), token(2, {})], 2],
    ['a valid one before a newer expired one', [token(1, {}), token(2, { expires: 1 })], 1],
    [
      'an expired one before a refused one',
      [token(1, { expires: 1 }), token(2, { status: 'invalid' })],
      1,
    ],
    // Otherwise a call after a 403 would silently be sent without a token.
    ['a refused one, if there is no other', [token(1, { status: 'invalid' })], 1],
    [
      'none that is deleted or unavailable',
      [token(1, { status: 'forgotten' }), token(2, { status: 'unavailable' })],
      null,
    ],
  ])('is %s', (_, tokens, expected) => {
    expect(defaultToken(tokens, now)?.id ?? null).toBe(expected)
  })
})
