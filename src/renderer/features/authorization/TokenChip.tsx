import { KeyRound } from '../../ui/icons.tsx'
import { Text } from '../../ui/Layout.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Shown } from '../../ui/Shown.tsx'
import { runAddress, tokensAddress } from '../../routes/authorization.ts'
import { useIntegration, useTokens } from '../../state/authorization.ts'
import { byUse, isUsable, nextStateChange, shortLeft, stateAt } from './tokens/lifetime.ts'
import { tokenStates } from './tokens/labels.tsx'

/** The token in the bar that requests use first: its last characters, its state and its remaining lifetime. */
export function TokenChip() {
  const integration = useIntegration()
  const tokens = useTokens(integration?.id)
  const now = useNow((at) => nextStateChange(tokens, at))
  const [token] = byUse(tokens, now)
  if (!token) {
    return (
      <a className="bar-chip bar-token" href={runAddress(null)}>
        <KeyRound className="tone-dim" aria-hidden />
        <span>No token</span>
      </a>
    )
  }
  const state = stateAt(token, now)
  const { word, tone, icon: Icon } = tokenStates[state]
  const left = isUsable(state) ? shortLeft(token, now) : null
  return (
    <a
      className="bar-chip bar-token"
      href={tokensAddress}
      data-testid="token-chip"
      data-state={state}
      data-tone={tone}
      title={token.label === '' ? 'Show tokens' : token.label}
    >
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={2.8} />
      </span>
      <span>
        Token{' '}
        {token.ending !== null && (
          <span className="mono">
            …<Shown text={token.ending} />
          </span>
        )}
      </span>
      <Text tone="mid" className="bar-token-state">
        {state === 'active' && left !== null ? (
          <>
            <span className="visually-hidden">{word}, </span>
            {left}
          </>
        ) : (
          [word, left].filter((part) => part !== null).join(', ')
        )}
      </Text>
    </a>
  )
}
