import type { RefreshRule } from '#contract/integrations.ts'
import { ofThisVersion } from './timeline.ts'
import type { StoredToken } from '../store/tokens.ts'

/** A token is not refreshed by itself sooner than this after it came, in milliseconds, however short its life. */
const leastAge = 30_000

/** Why a token may not be refreshed without being asked, as a sentence; null when it may. */
export function obstacleTo(
  token: Pick<StoredToken, 'standing' | 'sealedRefresh' | 'events'>,
  rule: RefreshRule,
): string | null {
  if (token.standing === 'suspect') {
    return 'A call met 401 before the end of the token, so it may be revoked. Call again, refresh it by hand, or authorize again.'
  }
  if (token.standing === 'revoked') {
    return 'The token was probably revoked, and its refresh token with it. Authorize again.'
  }
  if (token.standing === 'invalid') {
    return 'The service refused the token as invalid (403). Authorize again.'
  }
  if (token.standing === 'forgotten') return 'The token was revoked here. Authorize again.'
  if (token.sealedRefresh === null) return 'No refresh token came with it. Authorize again.'
  if (rule.provenAt === null) {
    return 'The refresh template has not brought a token yet: refresh the token by hand once, since the document does not show the request.'
  }
  if (!rule.automatic) return 'Automatic refresh is switched off. Refresh the token by hand.'
  if (ofThisVersion(token.events).some(({ kind }) => kind === 'refresh_failed')) {
    return 'The last refresh of this token failed. Look at its record, and refresh it by hand or authorize again.'
  }
  return null
}

/**
 * When a token is refreshed without being asked, in milliseconds since the epoch; null: not by the clock. That is when it is due; one that
 * lives no longer than that is refreshed half-way, and one that was over when it came (a clock is off) never: it would go on for ever.
 */
export function refreshesAt(
  { expires, obtainedAt }: Pick<StoredToken, 'expires' | 'obtainedAt'>,
  dueBefore: number,
): number | null {
  if (expires === null) return null
  const life = expires * 1000 - obtainedAt
  if (life <= 0) return null
  return Math.max((expires - dueBefore) * 1000, obtainedAt + Math.max(life / 2, leastAge))
}
