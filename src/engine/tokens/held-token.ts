import type { TokenView } from '#contract/tokens.ts'
import { AppError } from '../platform/errors.ts'
import type { Log, SecretBox } from '../platform/ports.ts'
import { endingOf, openSecret } from '../platform/secrets.ts'
import type { StoredToken } from './store.ts'
import type { RefreshRule } from '#contract/integrations.ts'
import { ofThisVersion } from './timeline.ts'

/** A token in memory, its values opened: null is what it does not have, or cannot be opened here. */
export interface HeldToken {
  readonly stored: StoredToken
  readonly access: string | null
  readonly refresh: string | null
}

/** Opens a token as stored. One that cannot be opened is held without its values. */
export async function openToken(box: SecretBox, log: Log, stored: StoredToken): Promise<HeldToken> {
  const open = async (which: string, sealed: Uint8Array | null): Promise<string | null> => {
    if (!sealed) return null
    const secret = await openSecret(box, log, `the ${which} token of token ${stored.id}`, sealed)
    return secret.clear
  }
  return {
    stored,
    access: await open('access', stored.sealedAccess),
    refresh: await open('refresh', stored.sealedRefresh),
  }
}

/** True for what is stored but cannot be unsealed on this machine. */
export function isUnavailable({ stored, access }: HeldToken): boolean {
  return stored.sealedAccess !== null && access === null
}

export function viewOf(
  held: HeldToken,
  { dueBefore, refreshing }: Pick<TokenView, 'dueBefore' | 'refreshing'>,
): TokenView {
  const { sealedAccess: _, sealedRefresh, findings, events, ...fields } = held.stored
  return {
    ...fields,
    ending: held.access === null ? null : endingOf(held.access),
    hasRefreshToken: sealedRefresh !== null,
    standing: isUnavailable(held) ? 'unavailable' : fields.standing,
    dueBefore,
    refreshing,
    findings: [...findings],
    events: [...events],
  }
}

/** The value that is asked for. Throws `token_unusable` with what to do. */
export function valueOf(held: HeldToken, which: 'access' | 'refresh'): string {
  const { label, standing, sealedRefresh } = held.stored
  if (standing === 'forgotten') {
    throw unusable(`The token "${label}" was revoked here, and its values are gone.`)
  }
  if (which === 'refresh' && sealedRefresh === null) {
    throw unusable(`There is no refresh token for the token "${label}".`)
  }
  const value = held[which]
  if (value === null) {
    throw unusable(`The token "${label}" was encrypted with a key that is no longer available.`)
  }
  return value
}

function unusable(what: string): AppError {
  return new AppError('token_unusable', `${what} Authorize again.`, {
    retry: 'after-reauthorize',
  })
}

/** "Token 1", "Token 2" and so on: one more than the greatest there is. */
export function nextLabel(labels: readonly string[]): string {
  const numbers = labels.map((label) => Number(/^Token (\d{1,9})$/.exec(label)?.[1] ?? 0))
  return `Token ${Math.max(0, ...numbers) + 1}`
}

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
  if (token.sealedRefresh === null) return 'It has no refresh token. Authorize again.'
  if (rule.provenAt === null) {
    return 'The refresh template is not proven yet: refresh the token manually once, since the API documentation does not describe the request.'
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
