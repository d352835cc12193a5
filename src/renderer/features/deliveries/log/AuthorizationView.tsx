import { KeyRound } from 'lucide-react'
import type { CallOutput } from '#contract/calls.ts'
import { Empty } from '../../../components/Empty.tsx'
import { RunRecord } from '../../authorization/runs/RunRecord.tsx'
import { LoggedIntegration } from './LoggedIntegration.tsx'
import { LoggedToken } from './LoggedToken.tsx'
import '../../authorization/AuthorizationPage.css'
import '../../authorization/runs/RunsView.css'
import '../../authorization/tokens/TokensView.css'
import './LogAuthorization.css'

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
