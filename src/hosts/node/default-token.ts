import type { TokenView } from '#contract/tokens.ts'
import { stateOf } from './token-text.ts'

/**
 * The default token of a call, among those of its integration: the newest valid one, else the newest that has expired or may be revoked, else one
 * that the service has refused. Without the last, a call after a single 403 would silently be sent without a token.
 */
export function defaultToken(tokens: readonly TokenView[], nowMs: number): TokenView | null {
  const rank = (token: TokenView): number => {
    if (token.standing === 'suspect') return 1
    if (token.standing !== 'good') return 2
    return stateOf(token, nowMs) === 'expired' ? 1 : 0
  }
  const [first] = tokens
    .filter(({ standing }) => standing !== 'forgotten' && standing !== 'unavailable')
    .toSorted((a, b) => rank(a) - rank(b) || b.obtainedAt - a.obtainedAt || b.id - a.id)
  return first ?? null
}
