import type { TokenEvent } from '#contract/tokens.ts'
import type { StoredToken } from './store.ts'
import { event, ofThisVersion } from './timeline.ts'

/** This soon after a refresh, a 401 means that the new token is rejected, not that it has expired. */
const freshMs = 60_000

/** Returns the new status of the token (not the response's), and the events to record (API documentation, "Errors"). */
export function applyResponse(
  token: Pick<StoredToken, 'status' | 'expires' | 'expiresIn' | 'obtainedAt' | 'events'>,
  /** `now`: milliseconds since the epoch, by our clock. */
  response: { status: number; now: number },
): { status: StoredToken['status']; events: TokenEvent[] } {
  const { status } = token
  const { now } = response
  if (status === 'forgotten') return { status, events: [] }
  if (response.status >= 200 && response.status < 300) return { status: 'good', events: [] }
  if (response.status === 403) {
    const detail = 'The token is invalid (API documentation, "Errors").'
    const forbidden = event('forbidden', now, { detail })
    return {
      status: 'invalid',
      events: status === 'invalid' ? unlessRepeated(token, forbidden) : [forbidden],
    }
  }
  if (response.status !== 401) return { status, events: [] }
  if (isExpired(token, now)) {
    const detail = 'The token has expired. Refresh it (API documentation, "Errors").'
    return { status, events: unlessRepeated(token, event('unauthorized', now, { detail })) }
  }
  const unauthorized = event('unauthorized', now, { detail: describeEarly401(token, now) })
  // A single 401 may be caused by a fault of the service or a wrong clock. Only a second one counts as a revocation.
  if (status === 'good') return { status: 'suspect', events: [unauthorized] }
  if (status !== 'suspect')
    return { status: 'revoked', events: unlessRepeated(token, unauthorized) }
  const revoked = event('revoked', now, {
    detail:
      'A second call got 401. The token is treated as revoked and is not refreshed automatically. Authorize again.',
  })
  return { status: 'revoked', events: [unauthorized, revoked] }
}

/** Never true right after a refresh: with a wrong clock, each 401 would cause another refresh. */
export function isExpired(
  {
    expires,
    expiresIn,
    obtainedAt,
    events,
  }: Pick<StoredToken, 'expires' | 'expiresIn' | 'obtainedAt' | 'events'>,
  now: number,
): boolean {
  if (expires === null) return false
  const refreshed = ofThisVersion(events)[0]?.kind === 'refreshed'
  if (refreshed && now - obtainedAt < Math.min(freshMs, (expiresIn ?? Infinity) * 1000))
    return false
  return now >= expires * 1000
}

function describeEarly401({ expires }: Pick<StoredToken, 'expires'>, now: number): string {
  const when =
    expires === null
      ? ', and its expiry is not known'
      : now < expires * 1000
        ? ' before the token expired'
        : ' right after a refresh'
  return `The service responded with 401${when}. The token may have been revoked, or a clock is wrong. If another call gets 401, authorize again (API documentation, "Authentication" 5).`
}

/** Omits an event with the same result as the last response: a loop of calls would remove all other events from the timeline. */
function unlessRepeated(token: Pick<StoredToken, 'events'>, next: TokenEvent): TokenEvent[] {
  const last = ofThisVersion(token.events).findLast(
    ({ kind }) => kind === 'unauthorized' || kind === 'forbidden',
  )
  return last?.kind === next.kind ? [] : [next]
}
