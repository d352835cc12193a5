import type { TokenState, TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { useNow } from '../../components/use-now.ts'
import { useTokens } from '../authorization/store.ts'

/** The tokens of an integration that can still be sent, newest first, and the one that a request takes where none is chosen. */
export function useSendable(integrationId: number): {
  tokens: readonly TokenView[]
  usual: TokenView | null
} {
  const now = useNow() / 1000
  const tokens = useTokens(integrationId).filter(({ standing }) => canBeSent(standing))
  const alive = tokens.find((token) => isAlive(tokenStateAt(token, now)))
  return { tokens, usual: alive ?? tokens[0] ?? null }
}

/** One that is forgotten or cannot be unsealed has no value to send. */
function canBeSent(standing: TokenView['standing']): boolean {
  return standing !== 'forgotten' && standing !== 'unavailable'
}

function isAlive(state: TokenState): boolean {
  return state === 'active' || state === 'due'
}
