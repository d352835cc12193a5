import { KeyRound } from 'lucide-react'
import type { CallOutput } from '#contract/calls.ts'
import { Empty } from '../../../components/Empty.tsx'
import { RunRecord } from '../../authorization/runs/RunRecord.tsx'
import '../../authorization/AuthorizationPage.css'
import '../../authorization/runs/RunsView.css'
import '../../authorization/tokens/TokensView.css'
import './LogAuthorization.css'
import type { LogEndpoint, LogIntegration, LogToken } from '#contract/event-log.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { cut, visible } from '../../../components/text/visible.ts'
import { Shown } from '../../../components/Shown.tsx'
import { LifetimeBar } from '../../authorization/tokens/LifetimeBar.tsx'
import { TokenStateMark } from '../../authorization/tokens/StateIcon.tsx'
import { TokenFindings, TokenStory } from '../../authorization/tokens/TokenStory.tsx'
import { HeaderTable } from '../../../components/HeaderTable.tsx'
import { Card } from '../../../components/Page.tsx'

interface Props {
  readonly told: CallOutput<'logs.authorization'>
  /** When the log was written, in milliseconds since the epoch. */
  readonly at: number
}

/** Integrations and endpoints, the lives of the tokens, and each run with its record, as a log tells of them. */
export function AuthorizationView({ told, at }: Props) {
  const { integrations, endpoints, tokens, runs } = told
  if ([integrations, endpoints, tokens, runs].every(({ length }) => length === 0)) {
    return (
      <Empty icon={<KeyRound aria-hidden />} title="The log holds deliveries alone">
        It was exported without integrations, tokens and runs, or it is of a format that has none.
      </Empty>
    )
  }
  return (
    <div
      className="log-authorization"
      // It scrolls: then it must be reached by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Authorization"
      data-scrolls
    >
      <div className="log-authorization-inner">
        {integrations.map((integration) => (
          <LoggedIntegration
            key={integration.id}
            integration={integration}
            endpoints={endpoints.filter(({ integrationId }) => integrationId === integration.id)}
          />
        ))}
        {tokens.length > 0 && (
          <section aria-labelledby="log-tokens">
            <h2 id="log-tokens">Tokens</h2>
            <p className="dim">Their lives up to when the log was written. No token is in a log.</p>
            <ul className="tokens" aria-label="Tokens">
              {tokens.map((token) => (
                <LoggedToken key={token.id} token={token} now={at} lively={tokens.length === 1} />
              ))}
            </ul>
          </section>
        )}
        {runs.length > 0 && (
          <section aria-labelledby="log-runs">
            <h2 id="log-runs">Runs</h2>
            {runs.map((run) => (
              <RunRecord key={run.id} run={run} others={[]} />
            ))}
          </section>
        )}
      </div>
    </div>
  )
}

interface LoggedTokenProps {
  readonly token: LogToken
  /** When the log was written, in milliseconds since the epoch: what it is now, the log cannot tell. */
  readonly now: number
  /** Whether its life is unfolded from the start. */
  readonly lively: boolean
}

/** The life of a token that a log tells of, without the token. */
function LoggedToken({ token, now, lively }: LoggedTokenProps) {
  // When it is due, is a setting of whoever had it.
  const known = { ...token, dueBefore: 0 }
  const state = tokenStateAt(known, now / 1000)
  const name = token.label === '' ? `Token ${token.id}` : cut(token.label, 80)
  return (
    <li className="panel token" data-state={state} aria-label={name}>
      <header className="token-head">
        <h3>
          <Shown text={name} />
        </h3>
        <TokenStateMark state={state} />
      </header>
      <LifetimeBar token={known} now={now} state={state} />
      <TokenFindings findings={token.findings} />
      <TokenStory events={token.events} open={lively} />
    </li>
  )
}

interface LoggedIntegrationProps {
  readonly integration: LogIntegration
  readonly endpoints: readonly LogEndpoint[]
}

/** An integration that a log tells of, with its endpoints. Neither is ours. */
function LoggedIntegration({ integration, endpoints }: LoggedIntegrationProps) {
  const { name, brand, baseUrl, sandbox } = integration
  return (
    <Card title={visible(cut(name, 120))} note={sandbox ? 'In the sandbox' : ''}>
      <dl className="log-integration">
        <dt>Brand</dt>
        <dd>
          <Shown text={cut(brand, 120)} />
        </dd>
        <dt>Base URL</dt>
        <dd className="mono selectable">
          <Shown text={cut(baseUrl, 1000)} />
        </dd>
      </dl>
      {endpoints.map((endpoint) => (
        <section
          key={endpoint.id}
          className="log-endpoint"
          aria-label={`Endpoint ${visible(cut(endpoint.name, 80))}`}
        >
          <h3>
            <Shown text={cut(endpoint.name, 120)} />{' '}
            <code className="mono dim">
              /hooks/
              <Shown text={cut(endpoint.slug, 120)} />
            </code>
          </h3>
          <p className="dim">
            {endpoint.applicationId === '' ? (
              'Any application id'
            ) : (
              <>
                Application id{' '}
                <code className="mono selectable">
                  <Shown text={cut(endpoint.applicationId, 200)} />
                </code>
              </>
            )}
          </p>
          {endpoint.customHeaders.length > 0 && (
            <HeaderTable
              label="Custom headers"
              nameWord="Custom header"
              headers={endpoint.customHeaders}
            />
          )}
        </section>
      ))}
    </Card>
  )
}
