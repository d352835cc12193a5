import { useEffect, useMemo, useState } from 'react'
import type { TokenState, TokenView } from '#contract/tokens.ts'
import { tokenStateAt } from '#contract/tokens.ts'
import { useNow } from '../../components/use-now.ts'
import { useClient, useQuery } from '../../platform/use-client.ts'

/** The tokens of an integration that can still be sent, and the one that a request takes where none is chosen. */
export function useTokens(integrationId: number): {
  tokens: readonly TokenView[]
  usual: TokenView | null
} {
  const client = useClient()
  const { state } = useQuery('tokens.list', {})
  const [pushed, setPushed] = useState<readonly TokenView[] | null>(null)
  useEffect(() => client.on('tokens.changed', setPushed), [client])
  const all = pushed ?? (state.phase === 'ready' ? state.value : none)
  const now = useNow() / 1000
  return useMemo(() => {
    const tokens = all.filter(
      (token) => token.integrationId === integrationId && canBeSent(token.standing),
    )
    const alive = tokens.filter((token) => isAlive(tokenStateAt(token, now)))
    const newest = (alive.length > 0 ? alive : tokens).toSorted(
      (first, second) => second.obtainedAt - first.obtainedAt,
    )
    return { tokens, usual: newest[0] ?? null }
  }, [all, integrationId, now])
}

const none: readonly TokenView[] = []

/** One that is forgotten or cannot be unsealed has no value to send. */
function canBeSent(standing: TokenView['standing']): boolean {
  return standing !== 'forgotten' && standing !== 'unavailable'
}

function isAlive(state: TokenState): boolean {
  return state === 'active' || state === 'due'
}

/** The state of a token in a word. */
export function stateWord(state: TokenState): string {
  switch (state) {
    case 'active':
      return 'active'
    case 'due':
      return 'due for a refresh'
    case 'expired':
      return 'expired'
    case 'revoked':
      return 'probably revoked'
    case 'invalid':
      return 'invalid'
    case 'forgotten':
      return 'forgotten'
    case 'unavailable':
      return 'cannot be read'
  }
}
