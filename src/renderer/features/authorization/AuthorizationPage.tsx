import { type ReactNode, useEffect } from 'react'
import { Row, Stack, Grid, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { navigateAndRun } from '../../platform/navigate-and-run.ts'
import { useShell } from '../../state/app.ts'
import {
  refreshAddress,
  runAddress,
  setupAddress,
  tokensAddress,
  viewOf,
  type View,
} from '../../routes/authorization.ts'
import { RefreshView } from './refresh/RefreshView.tsx'
import { RunsView } from './runs/RunsView.tsx'
import { SetupView } from './setup/SetupView.tsx'
import { useIntegration, useTokens } from '../../state/authorization.ts'
import { Icons } from '../../ui/icons.tsx'
import type { Integration } from '#contract/integrations.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useNow } from '../../ui/use-now.ts'
import { byUse, nextStateChange } from './tokens/lifetime.ts'
import { TokenCard } from './tokens/TokenCard.tsx'
import '../../ui/Tabs.css'
import './AuthorizationPage.css'

interface Props {
  readonly integration: Integration
  readonly selectedId: number | null
}

function TokensView({ integration, selectedId }: Props) {
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
    <div className="auth-scroll">
      <Grid columns="1" gap={5} className="auth-page">
        <Grid as="ul" columns="1" gap={5} aria-label="Tokens">
          {byUse(tokens, now).map((token) => (
            <TokenCard
              key={token.id}
              token={token}
              rule={integration.refresh}
              now={now}
              historyOpen={tokens.length === 1 || token.id === selectedId}
            />
          ))}
        </Grid>
      </Grid>
    </div>
  )
}

/** The authorization code flow of one integration, and its tokens. */
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
    // The runs view registers this key itself.
    ...(view.name !== 'runs' && { authorize: () => navigateAndRun('authorize') }),
  })
  if (!integration) return null
  return (
    <Stack column full className="auth">
      <Row
        as="header"
        fixed
        collapse
        align="end"
        justify="between"
        gap={4}
        gapX={8}
        line="bottom"
        className="auth-head"
      >
        <Row as="h1" align="baseline" gap={4} shrink nowrap size="xl">
          Authorization{' '}
          <Text cut size="m" weight="medium" tone="dim">
            <Shown text={truncate(integration.name, 60)} />
          </Text>
        </Row>
        <nav className="tabs auth-views" aria-label="Authorization">
          <ViewLink to={runAddress(null)} name="runs" current={view.name}>
            Authorize
          </ViewLink>
          <ViewLink to={tokensAddress} name="tokens" current={view.name}>
            Tokens <span className="badge">{tokens.length}</span>
          </ViewLink>
          <ViewLink to={refreshAddress} name="refresh" current={view.name}>
            Refresh
          </ViewLink>
          <ViewLink to={setupAddress} name="setup" current={view.name}>
            Setup
          </ViewLink>
        </nav>
      </Row>
      <div className="grow shrink auth-body">
        {/* Keyed by integration, so that drafts are not carried over to another integration. */}
        {view.name === 'runs' && (
          <RunsView key={integration.id} integration={integration} view={view} />
        )}
        {view.name === 'tokens' && (
          <TokensView key={integration.id} integration={integration} selectedId={view.tokenId} />
        )}
        {view.name === 'refresh' && <RefreshView key={integration.id} integration={integration} />}
        {view.name === 'setup' && <SetupView key={integration.id} integration={integration} />}
      </div>
    </Stack>
  )
}

interface LinkProps {
  readonly to: string
  readonly name: View['name']
  readonly current: View['name']
  readonly children: ReactNode
}

function ViewLink({ to, name, current, children }: LinkProps) {
  return (
    <a href={to} aria-current={name === current ? 'page' : undefined}>
      {children}
    </a>
  )
}
