import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Integration } from '#contract/integrations.ts'
import { Empty } from '../../../components/Empty.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { counted } from '../../../components/text/numbers.ts'
import { useNow } from '../../../components/use-now.ts'
import { runAddress } from '../address.ts'
import { useTokens } from '../store.ts'
import { byUse, isUsable, nextOf, stateAt } from './lifetime.ts'
import { TokenCard } from './TokenCard.tsx'
import './TokensView.css'

interface Props {
  readonly integration: Integration
  /** The token that the address names. */
  readonly chosen: number | null
}

/** From this many on they are told apart by a choice above them. */
const many = 6

/** The tokens of an integration: those that can be used first. */
export function TokensView({ integration, chosen }: Props) {
  const tokens = useTokens(integration.id)
  const now = useNow((at) => nextOf(tokens, at))
  const [which, setWhich] = useState<'all' | 'usable' | 'over'>('all')
  useEffect(() => {
    if (chosen !== null) document.getElementById(`token-${chosen}`)?.scrollIntoView()
  }, [chosen])
  if (tokens.length === 0) {
    return (
      <Empty
        icon={<KeyRound aria-hidden />}
        title="No token yet"
        actions={
          <a className="button" data-kind="primary" href={runAddress(null)}>
            Authorize
          </a>
        }
      >
        A token comes of the authorization code flow: a user approves the integration, and the code
        that comes back is exchanged for it.
      </Empty>
    )
  }
  const usable = tokens.filter((token) => isUsable(stateAt(token, now)))
  const shown = byUse(tokens, now).filter(
    (token) => which === 'all' || (which === 'usable') === isUsable(stateAt(token, now)),
  )
  return (
    <div className="auth-scroll">
      <div className="auth-page">
        {tokens.length >= many && (
          <Segments
            label="Which tokens"
            value={which}
            options={[
              { value: 'all', label: `All ${tokens.length}` },
              { value: 'usable', label: `Usable ${usable.length}` },
              { value: 'over', label: `Over ${tokens.length - usable.length}` },
            ]}
            onChange={setWhich}
          />
        )}
        <ul className="tokens" aria-label="Tokens">
          {shown.map((token) => (
            <TokenCard
              key={token.id}
              token={token}
              rule={integration.refresh}
              now={now}
              lively={tokens.length === 1 || token.id === chosen}
            />
          ))}
        </ul>
        {shown.length === 0 && (
          <p className="dim">
            None of {counted(tokens.length, 'token', 'tokens')} is{' '}
            {which === 'usable' ? 'usable: refresh one, or authorize again.' : 'over.'}
          </p>
        )}
      </div>
    </div>
  )
}
