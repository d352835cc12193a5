import type { TokenState, TokenView } from './tokens.ts'

/** `now`: in seconds since the epoch. A token without expiry stays active until the service rejects it. */
export function tokenStateAt(
  { status, expires, dueBeforeSeconds }: Pick<TokenView, 'status' | 'expires' | 'dueBeforeSeconds'>,
  now: number,
): TokenState {
  const open = status === 'good' || status === 'suspect'
  if (!open) return status
  if (expires === null) return status === 'good' ? 'active' : status
  if (now >= expires) return 'expired'
  if (status === 'suspect') return status
  return now >= expires - dueBeforeSeconds ? 'due' : 'active'
}
