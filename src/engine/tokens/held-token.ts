import type { TokenView } from '#contract/tokens.ts'
import { AppError } from '../errors.ts'
import type { Log, SecretBox } from '../ports.ts'
import { endingOf, openSecret } from '../secrets/held-secret.ts'
import type { StoredToken } from '../store/tokens.ts'

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
    throw unusable(`No refresh token came with the token "${label}".`)
  }
  const value = held[which]
  if (value === null) {
    throw unusable(`The token "${label}" was sealed with a key that is not here any more.`)
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
