import { useNow } from '#kit/Time.tsx'
import { tokensAddress } from '#client/addresses/authorization.ts'
import { useIntegration, useTokens } from '#client/state/authorization.ts'
import {
  byUse,
  isUsable,
  nextStateChange,
  shortLeft,
  stateAt,
} from '#pages/authorization/tokens/lifetime.tsx'
import { tokenStates } from '#pages/authorization/tokens/labels.tsx'

/** The token that requests use first. In the bar while it needs attention, otherwise in the footer. */
export function TokenChip({ place }: { place: 'bar' | 'footer' }) {
  const integration = useIntegration()
  const tokens = useTokens(integration?.id)
  const now = useNow((at) => nextStateChange(tokens, at))
  const [token] = byUse(tokens, now)
  if (!token) return null
  const state = stateAt(token, now)
  const isQuiet = state === 'active' || state === 'forgotten'
  if (isQuiet !== (place === 'footer')) return null
  const { word, tone, icon: Icon } = tokenStates[state]
  const left = isUsable(state) ? shortLeft(token, now) : null
  const words = (state === 'active' && left === null ? [word] : [state !== 'active' && word, left])
    .filter((part) => typeof part === 'string')
    .join(', ')
  const given = {
    href: tokensAddress,
    'data-testid': 'token-chip',
    'data-state': state,
    title: `${token.label || 'Token'}${token.ending === null ? '' : `, ends in ${token.ending}`}`,
  }
  if (place === 'footer') return <a {...given}>token {words.toLowerCase()}</a>
  return (
    <a {...given} className="bar-chip bar-token flex-none" data-tone={tone} data-alert>
      <Icon className="text-tone" aria-hidden />
      <span className="flex-none font-semibold text-tone">Token {words.toLowerCase()}</span>
    </a>
  )
}
