import type { TokenView } from '#contract/tokens.ts'
import { quoteForeign } from '#shared/text/format.ts'
import { AppError } from '../../platform/errors.ts'
import type { Log, SecretBox } from '../../platform/ports.ts'
import { endingOf, openSecret } from '../../platform/secrets.ts'
import type { StoredToken } from './store.ts'
import type { RefreshRule } from '#contract/integrations.ts'
import { ofThisVersion } from './timeline.ts'

/** Values in clear text; null if the token has none, or it cannot be decrypted here. */
export interface HeldToken {
  readonly stored: StoredToken
  readonly access: string | null
  readonly refresh: string | null
}

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

/** The access token is stored but cannot be decrypted on this machine. */
export function isUnavailable({ stored, access }: HeldToken): boolean {
  return stored.sealedAccess !== null && access === null
}

export function viewOf(
  held: HeldToken,
  { dueBeforeSeconds, refreshing }: Pick<TokenView, 'dueBeforeSeconds' | 'refreshing'>,
): TokenView {
  const { sealedAccess: _, sealedRefresh, findings, events, ...fields } = held.stored
  return {
    ...fields,
    ending: held.access === null ? null : endingOf(held.access),
    hasRefreshToken: sealedRefresh !== null,
    status: isUnavailable(held) ? 'unavailable' : fields.status,
    dueBeforeSeconds,
    refreshing,
    findings: [...findings],
    events: [...events],
  }
}

/** Throws `token_unusable` if the value is not available. */
export function valueOf(held: HeldToken, which: 'access' | 'refresh'): string {
  const { label, status, sealedRefresh } = held.stored
  if (status === 'forgotten') {
    throw unusable(
      `The token ${quoteForeign(label)} was revoked in Tabscope, which deleted its values.`,
    )
  }
  if (which === 'refresh' && sealedRefresh === null) {
    throw unusable(`The token ${quoteForeign(label)} has no refresh token.`)
  }
  const value = held[which]
  if (value === null) {
    throw unusable(
      `The token ${quoteForeign(label)} was encrypted with a key that is no longer available.`,
    )
  }
  return value
}

function unusable(reason: string): AppError {
  return new AppError('token_unusable', `${reason} Authorize again.`, {
    retry: 'after-reauthorize',
  })
}

/** "Token 1", "Token 2" and so on: one more than the highest existing number. */
export function nextLabel(labels: readonly string[]): string {
  const numbers = labels.map((label) => Number(/^Token (\d{1,9})$/.exec(label)?.[1] ?? 0))
  return `Token ${Math.max(0, ...numbers) + 1}`
}

/** A token is not refreshed automatically before this age, however short its lifetime. */
const minAgeMs = 30_000

/** Why a token may not be refreshed automatically, as a sentence; null if it may. */
export function obstacleTo(
  token: Pick<StoredToken, 'status' | 'sealedRefresh' | 'events'>,
  rule: RefreshRule,
): string | null {
  if (token.status === 'suspect') {
    return 'A call got 401 before the token expired, so it may have been revoked. Call again, refresh it manually, or authorize again.'
  }
  if (token.status === 'revoked') {
    return 'The token was probably revoked together with its refresh token. Authorize again.'
  }
  if (token.status === 'invalid') {
    return 'The service refused the token as invalid (403). Authorize again.'
  }
  if (token.status === 'forgotten') return 'The token was revoked in Tabscope. Authorize again.'
  if (token.sealedRefresh === null) return 'The token has no refresh token. Authorize again.'
  if (!rule.provenAt) {
    return 'The refresh template has not been tested yet. Refresh the token manually once, since the API documentation does not describe the request.'
  }
  if (!rule.automatic) return 'Automatic refresh is turned off. Refresh the token manually.'
  if (ofThisVersion(token.events).some(({ kind }) => kind === 'refresh_failed')) {
    return 'The last refresh of this token failed. Check its record, then refresh it manually or authorize again.'
  }
  return null
}

/**
 * In milliseconds since the epoch: when the token is due, or halfway through a lifetime that is too short for that. Null if it has no expiry or had
 * already expired when it was received (a clock is wrong): refreshes would never end.
 */
export function refreshesAt(
  { expires, obtainedAt }: Pick<StoredToken, 'expires' | 'obtainedAt'>,
  dueBefore: number,
): number | null {
  if (expires === null) return null
  const lifetime = expires * 1000 - obtainedAt
  if (lifetime <= 0) return null
  return Math.max((expires - dueBefore) * 1000, obtainedAt + Math.max(lifetime / 2, minAgeMs))
}

export function throwTokenNotFound(id: number): never {
  throw new AppError('not_found', `Token ${id} does not exist. It may have been deleted.`)
}
