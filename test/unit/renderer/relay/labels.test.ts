import { expect, it } from 'vitest'
import { expiresSoon } from '#client/state/relay-labels.ts'
import { bringsEndpoint, lagText, relayFilter } from '#pages/setup/reach/relay/RelayCard.tsx'
import { shortDate, dayTime } from '#kit/text/time.ts'
import { liveRelay, offlineRelay } from '../../../support/sample-relays.ts'

const now = Date.UTC(2026, 10, 28, 9)
const hour = 3_600_000
const live = liveRelay(now)

it('says how far behind a relay is, since when, and when the rest is deleted', () => {
  const behindSince = now - 7 * hour
  const expiresAt = now + 5 * 24 * hour
  const behind = { ...live, behind: 412 }
  expect(lagText(live, now)).toBe('Up to date')
  expect(lagText({ ...live, state: 'offline' }, now)).toBe('Up to date when it was last connected')
  expect(lagText({ ...live, behind: null, state: 'paused' }, now)).toBe('Unknown until it connects')
  expect(lagText({ ...live, behind: null, state: 'replaced' }, now)).toBe('Unknown')
  expect(lagText({ ...behind, behind: 1 }, now)).toBe('1 message behind')
  expect(lagText({ ...behind, behindSince, expiresAt }, now)).toBe(
    `412 messages behind, the oldest from ${dayTime(behindSince, now)}; deleted on ${shortDate(expiresAt)} if not read`,
  )
})

it('counts down the last day before unread messages are deleted', () => {
  const offline = offlineRelay(now)
  const at = (expiresAt: number) => lagText({ ...offline, expiresAt }, now)
  expect(at(now + 24 * hour)).toContain('deleted on')
  expect(at(now + 24 * hour - 1)).toContain('deleted in 23 h if not read')
  expect(at(now + 40_000)).toContain('deleted in 40 s if not read')
  expect(at(now)).toContain('the relay deletes the oldest now')
  expect(expiresSoon({ ...offline, expiresAt: now + 24 * hour }, now)).toBe(false)
  expect(expiresSoon({ ...offline, expiresAt: now + 24 * hour - 1 }, now)).toBe(true)
  expect(expiresSoon({ ...offline, behind: 0 }, now)).toBe(false)
})

it('quotes the name of a relay in a filter, so that none and wildcards are literal', () => {
  expect(relayFilter({ name: 'none' })).toBe('relay:"none"')
  expect(relayFilter({ name: 'a "b" *' })).toBe(String.raw`relay:"a \"b\" *"`)
})

it('knows which endpoints a relay brings', () => {
  expect(bringsEndpoint(live, 'terrace')).toBe(true)
  expect(bringsEndpoint(live, 'bar')).toBe(false)
  expect(bringsEndpoint({ endpoints: ['*'] }, 'bar')).toBe(true)
})
