import type { TokenEvent } from '#contract/tokens.ts'
import { clockNote, hasEnded, type CheckedAt } from '../platform/clock.ts'
import type { StoredToken } from './store.ts'
import { event, ofThisVersion } from './timeline.ts'

/** So long after a refresh a 401 speaks of the new token itself, not of its age, in milliseconds. */
const fresh = 60_000

export interface Answered {
  readonly status: number
  /** Milliseconds since the epoch, by our clock. */
  readonly now: number
  /** Seconds since the epoch: the answer's `Date`; null when it had none. */
  readonly serverDate: number | null
}

/** What an answer to a call with this very token makes of it (API documentation, "Errors"). */
export function applyResponse(
  token: Pick<StoredToken, 'standing' | 'expires' | 'expiresIn' | 'obtainedAt' | 'events'>,
  answered: Answered,
): { standing: StoredToken['standing']; events: TokenEvent[] } {
  const { standing } = token
  const { status, now } = answered
  if (standing === 'forgotten') return { standing, events: [] }
  if (status >= 200 && status < 300) return { standing: 'good', events: [] }
  if (status === 403) {
    const detail =
      'The service responded with 403: the token is invalid. Do not send the request again unchanged (API documentation, "Errors").'
    const forbidden = event('forbidden', now, { detail })
    return {
      standing: 'invalid',
      events: standing === 'invalid' ? told(token, forbidden) : [forbidden],
    }
  }
  if (status !== 401) return { standing, events: [] }
  if (isOver(token, answered)) {
    const detail = `The service responded with 401 after the token’s expiry. Refresh it to get a new one (API documentation, "Errors").${clockNote(inSeconds(answered))}`
    return { standing, events: told(token, event('unauthorized', now, { detail })) }
  }
  const unauthorized = event('unauthorized', now, { detail: early(token, answered) })
  // One answer may be a fault of the service or of a clock: only the second is taken as a fact.
  if (standing === 'good') return { standing: 'suspect', events: [unauthorized] }
  if (standing !== 'suspect') return { standing: 'revoked', events: told(token, unauthorized) }
  const revoked = event('revoked', now, {
    detail:
      'A second call met 401: treated as revoked, and not refreshed automatically. Authorize again.',
  })
  return { standing: 'revoked', events: [unauthorized, revoked] }
}

/**
 * Whether the token's end has passed, by our clock or by the service's: `expires` is the service's word. A token that has just come of a
 * refresh is not over, whatever a clock says: else each 401 would bring another refresh.
 */
export function isOver(
  {
    expires,
    expiresIn,
    obtainedAt,
    events,
  }: Pick<StoredToken, 'expires' | 'expiresIn' | 'obtainedAt' | 'events'>,
  { now, serverDate }: Omit<Answered, 'status'>,
): boolean {
  if (expires === null) return false
  const refreshed = ofThisVersion(events)[0]?.kind === 'refreshed'
  if (refreshed && now - obtainedAt < Math.min(fresh, (expiresIn ?? Infinity) * 1000)) return false
  return hasEnded(expires, { now: now / 1000, serverDate })
}

/** Why a 401 may have come before the end. */
function early(token: Pick<StoredToken, 'expires'>, answered: Answered): string {
  if (token.expires === null) {
    return 'The service responded with 401. The token has no known expiry, so it may have expired or been revoked. If another call gets 401, authorize again (API documentation, "Authentication" 5).'
  }
  const when =
    answered.now < token.expires * 1000 ? 'before the end of the token' : 'right after a refresh'
  return `The service answered 401 ${when}: it may have been revoked, or a clock is wrong. If another call gets 401, authorize again (API documentation, "Authentication" 5).${clockNote(inSeconds(answered))}`
}

function inSeconds({ now, serverDate }: Answered): CheckedAt {
  return { now: now / 1000, serverDate }
}

/** The event, unless the timeline's last answer said the same: a loop of calls would push all else out. */
function told(token: Pick<StoredToken, 'events'>, next: TokenEvent): TokenEvent[] {
  const last = ofThisVersion(token.events).findLast(
    ({ kind }) => kind === 'unauthorized' || kind === 'forbidden',
  )
  return last?.kind === next.kind ? [] : [next]
}
