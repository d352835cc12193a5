import type { TokenView } from '#contract/tokens.ts'
import { stateOf } from './token-text.ts'

/**
 * The token of a call that names none, of those of its integration: the newest that is good, else the newest that has ended or may be revoked, else one that the
 * service has refused. Without that one a call after a single 403 would go without a token, and nobody would know why.
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
