import { type ComponentType, useEffect } from 'react'
import { useShell } from '#client/state/app.ts'
import { runAddress, tokenOf } from '#client/addresses/authorization.ts'
import { RefreshView } from './refresh/RefreshView.tsx'
import { RunsView } from './runs/RunsView.tsx'
import { SetupView } from './setup/SetupView.tsx'
import { useIntegration, useTokens } from '#client/state/authorization.ts'
import { Icons } from '#kit/icons.tsx'
import type { Integration } from '#contract/integrations.ts'
import { Empty } from '#kit/Note.tsx'
import { Page } from '#kit/Page.tsx'
import { useNow } from '#kit/Time.tsx'
import { byUse, nextStateChange } from './tokens/lifetime.tsx'
import { TokenCard } from './tokens/TokenCard.tsx'
import './AuthorizationPage.css'

function TokensView({ integration }: { integration: Integration }) {
  const selectedId = tokenOf(useShell((state) => state.hash))
  const tokens = useTokens(integration.id)
  const now = useNow((at) => nextStateChange(tokens, at))
  useEffect(() => {
    if (selectedId !== null) document.getElementById(`token-${selectedId}`)?.scrollIntoView()
  }, [selectedId])
  if (tokens.length === 0) {
    return (
      <Empty
        icon={Icons.KeyRound}
        title="No tokens yet"
        actions={
          <a className="button" data-kind="primary" href={runAddress(null)}>
            Authorize
          </a>
        }
      >
        A user approves the integration, and Tabscope exchanges the returned code for a token.
      </Empty>
    )
  }
  return (
    <Page>
      <ul className="grid grid-cols-1 gap-5" aria-label="Tokens">
        {byUse(tokens, now).map((token) => (
          <TokenCard
            key={token.id}
            token={token}
            rule={integration.refresh}
            now={now}
            historyOpen={tokens.length === 1 || token.id === selectedId}
          />
        ))}
      </ul>
    </Page>
  )
}

/** A view of the current integration. Keyed by it, so that drafts are not carried over to another one. */
function viewOf(View: ComponentType<{ readonly integration: Integration }>): ComponentType {
  return function CurrentIntegration() {
    const integration = useIntegration()
    return integration ? <View key={integration.id} integration={integration} /> : null
  }
}

export const RunsPage = viewOf(RunsView)
export const TokensPage = viewOf(TokensView)
export const RefreshPage = viewOf(RefreshView)
export const SetupPage = viewOf(SetupView)
