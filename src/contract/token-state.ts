import type { TokenState, TokenView } from './tokens.ts'

/** `now`: in seconds since the epoch. A token without expiry stays active until the service rejects it. */
export function tokenStateAt(
  {
    standing,
    expires,
    dueBeforeSeconds,
  }: Pick<TokenView, 'standing' | 'expires' | 'dueBeforeSeconds'>,
  now: number,
): TokenState {
  const open = standing === 'good' || standing === 'suspect'
  if (!open) return standing
  if (expires === null) return standing === 'good' ? 'active' : standing
  if (now >= expires) return 'expired'
  if (standing === 'suspect') return standing
  return now >= expires - dueBeforeSeconds ? 'due' : 'active'
}
