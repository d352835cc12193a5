import type { ReactNode } from 'react'
import { Shown } from '../../components/Shown.tsx'
import { cut } from '../../components/text/visible.ts'
import { useKeys } from '../shell/command-registry.ts'
import { goAndRun } from '../shell/navigate-and-run.ts'
import { useShell } from '../shell/store.ts'
import { refreshAddress, runAddress, setupAddress, tokensAddress, viewOf } from './address.ts'
import type { View } from './address.ts'
import { RefreshView } from './refresh/RefreshView.tsx'
import { RunsView } from './runs/RunsView.tsx'
import { SetupView } from './setup/SetupView.tsx'
import { useIntegration, useTokens } from './store.ts'
import { TokensView } from './tokens/TokensView.tsx'
import './AuthorizationPage.css'

/** The authorization code flow of one integration, and the tokens that came of it. */
export function AuthorizationPage() {
  const hash = useShell((state) => state.hash)
  const integration = useIntegration()
  const tokens = useTokens(integration?.id)
  const view = viewOf(hash)
  useKeys({
    runs: () => location.assign(runAddress(null)),
    tokens: () => location.assign(tokensAddress),
    refresh: () => location.assign(refreshAddress),
    setup: () => location.assign(setupAddress),
    // The view of the runs does this itself.
    ...(view.name !== 'runs' && { authorize: () => goAndRun('authorize') }),
  })
  if (!integration) return null
  return (
    <div className="auth">
      <header className="auth-head">
        <h1>
          Authorization{' '}
          <span className="auth-of">
            <Shown text={cut(integration.name, 60)} />
          </span>
        </h1>
        <nav className="auth-views" aria-label="Authorization">
          <ViewLink to={runAddress(null)} name="runs" here={view.name}>
            Authorize
          </ViewLink>
          <ViewLink to={tokensAddress} name="tokens" here={view.name}>
            Tokens <span className="auth-count">{tokens.length}</span>
          </ViewLink>
          <ViewLink to={refreshAddress} name="refresh" here={view.name}>
            Refresh
          </ViewLink>
          <ViewLink to={setupAddress} name="setup" here={view.name}>
            Setup
          </ViewLink>
        </nav>
      </header>
      <div className="auth-body">
        {/* What was being written belongs to one integration alone. */}
        {view.name === 'runs' && (
          <RunsView key={integration.id} integration={integration} view={view} />
        )}
        {view.name === 'tokens' && (
          <TokensView key={integration.id} integration={integration} chosen={view.tokenId} />
        )}
        {view.name === 'refresh' && <RefreshView key={integration.id} integration={integration} />}
        {view.name === 'setup' && <SetupView key={integration.id} integration={integration} />}
      </div>
    </div>
  )
}

interface LinkProps {
  readonly to: string
  readonly name: View['name']
  readonly here: View['name']
  readonly children: ReactNode
}

function ViewLink({ to, name, here, children }: LinkProps) {
  return (
    <a href={to} aria-current={name === here ? 'page' : undefined}>
      {children}
    </a>
  )
}
