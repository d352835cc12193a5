import { KeyRound } from 'lucide-react'
import type { EventLog } from '#contract/logs.ts'
import { Button } from '../../../components/Button.tsx'
import { Empty } from '../../../components/Empty.tsx'
import { Note } from '../../../components/Note.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { RunRecord } from '../../authorization/runs/RunRecord.tsx'
import { LoggedIntegration } from './LoggedIntegration.tsx'
import { LoggedToken } from './LoggedToken.tsx'
import '../../authorization/AuthorizationPage.css'
import '../../authorization/runs/RunsView.css'
import '../../authorization/tokens/TokensView.css'
import './LogAuthorization.css'

/** What a log tells beside its deliveries: integrations and endpoints, the lives of the tokens, and each run with its record. */
export function LogAuthorization({ log }: { readonly log: EventLog }) {
  const { state, reload } = useQuery('logs.authorization', { log: log.id })
  if (state.phase === 'loading') {
    return <div className="detail-coming" role="status" aria-label="Loading" />
  }
  if (state.phase === 'failed') {
    return (
      <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
        {state.message}
      </Note>
    )
  }
  const { integrations, endpoints, tokens, runs } = state.value
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
                <LoggedToken
                  key={token.id}
                  token={token}
                  now={log.exportedAt ?? log.importedAt}
                  lively={tokens.length === 1}
                />
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
