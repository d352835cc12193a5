import { expect, it } from 'vitest'
import {
  byUse,
  lifetimeOf,
  nextStateChange,
  shortLeft,
  stateAt,
} from '#pages/authorization/tokens/lifetime.tsx'
import { token } from './samples.ts'

const hour = 3_600_000
const issued = 1_000_000_000
const end = 1_086_400_000

it('knows when a token was issued or obtained, is due, and expires', () => {
  expect(lifetimeOf(token())).toEqual({ start: issued, dueAt: end - hour, end })
  expect(lifetimeOf(token({ initiated: null }))?.start).toBe(issued)
  expect(lifetimeOf(token({ initiated: null, expiresIn: null }))?.start).toBe(issued + 500)
  expect(lifetimeOf(token({ dueBeforeSeconds: 200_000 }))?.dueAt).toBe(issued)
})

it('knows no lifetime without an expiry, or with an expiry before the issue time', () => {
  expect(lifetimeOf(token({ expires: null }))).toBeNull()
  expect(lifetimeOf(token({ expires: 1_000_000 }))).toBeNull()
})

it('formats the remaining time for the chip, and how long ago it ended', () => {
  expect(shortLeft(token(), end - 17.9 * hour)).toBe('17 h left')
  expect(shortLeft(token(), end - 59_000)).toBe('59 s left')
  expect(shortLeft(token(), end + 3 * hour)).toBe('3 h ago')
  expect(shortLeft(token({ expires: null }), end)).toBeNull()
})

it('is due an hour before expiry and expired at it, and reports when that is', () => {
  expect(stateAt(token(), end - hour - 1)).toBe('active')
  expect(stateAt(token(), end - hour)).toBe('due')
  expect(stateAt(token(), end)).toBe('expired')
  expect(stateAt(token({ status: 'revoked' }), issued)).toBe('revoked')
  expect(nextStateChange([token()], issued)).toBe(end - hour)
  expect(
    nextStateChange([token(), token({ expires: 1_000_010, dueBeforeSeconds: 0 })], issued),
  ).toBe(1_000_010_000)
  expect(nextStateChange([token()], end - hour)).toBe(end)
  expect(nextStateChange([token(), token({ status: 'invalid' })], end)).toBeNull()
})

it('sorts usable tokens first, and keeps the order of equal ones', () => {
  const all = [
    token({ id: 1, status: 'forgotten' }),
    token({ id: 2, expires: 1_000_100 }),
    token({ id: 3 }),
    token({ id: 4 }),
    token({ id: 5, status: 'revoked' }),
  ]
  expect(byUse(all, issued + 200_000).map(({ id }) => id)).toEqual([3, 4, 2, 5, 1])
})
