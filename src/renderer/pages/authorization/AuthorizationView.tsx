import { Icons } from '#kit/icons.tsx'
import type { CallOutput } from '#contract/calls.ts'
import { Fact } from '#kit/Table.tsx'
import { Empty } from '#kit/Note.tsx'
import { RunRecord } from './runs/RunRecord.tsx'
import { LifetimeText } from './tokens/lifetime.tsx'
import { TokenStateMark } from './tokens/labels.tsx'
import { Findings } from '#parts/Findings.tsx'
import { TokenHistory } from './tokens/TokenHistory.tsx'
import './AuthorizationPage.css'
import type { LogEndpoint, LogIntegration, LogToken } from '#contract/event-log.ts'
import { tokenStateAt } from '#contract/token-state.ts'
import { truncate, shortText } from '#kit/text/visible.ts'
import { Shown } from '#kit/Shown.tsx'
import { HeaderTable } from '#parts/exchange/HeaderTable.tsx'
import { Card } from '#kit/Page.tsx'

interface Props {
  data: CallOutput<'logs.authorization'>
  /** When the log was written, in milliseconds since the epoch. */
  at: number
}

/** The integrations, endpoints, token histories and run records in an event log. */
export function AuthorizationView({ data, at }: Props) {
  const { integrations, endpoints, tokens, runs } = data
  if ([integrations, endpoints, tokens, runs].every(({ length }) => length === 0)) {
    return (
      <Empty icon={Icons.KeyRound} title="This log contains only deliveries">
        It was exported without integrations, tokens and runs, or its format does not support them.
      </Empty>
    )
  }
  return (
    <div
      className="h-full overflow-auto [&_.record+.record]:border-t [&_.record+.record]:border-t-line [&_.record+.record]:pt-8"
      // A scrollable region must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Authorization"
      data-scrolls
    >
      <div className="mx-auto my-0 grid max-w-(--measure-page) gap-8 px-6 pt-6 pb-9">
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
            <p className="text-dim">Token history up to the export. Logs never contain tokens.</p>
            <ul className="mt-5 grid gap-5" aria-label="Tokens">
              {tokens.map((token) => (
                <LoggedToken key={token.id} token={token} now={at} />
              ))}
            </ul>
          </section>
        )}
        {runs.length > 0 && (
          <section className="grid gap-5" aria-labelledby="log-runs">
            <h2 id="log-runs">Runs</h2>
            {runs.map((run) => (
              <RunRecord key={run.id} run={run} />
            ))}
          </section>
        )}
      </div>
    </div>
  )
}

interface LoggedTokenProps {
  token: LogToken
  /** When the log was written, in milliseconds since the epoch. The log does not know later changes. */
  now: number
}

function LoggedToken({ token, now }: LoggedTokenProps) {
  // When a token is due is a setting on the machine that wrote the log, which the log does not contain.
  const withoutDue = { ...token, dueBeforeSeconds: 0 }
  const state = tokenStateAt(withoutDue, now / 1000)
  const name = token.label === '' ? `Token ${token.id}` : truncate(token.label, 80)
  return (
    <li
      className="framed token grid scroll-mt-6 gap-5 p-6 data-[state=expired]:bg-transparent data-[state=forgotten]:bg-transparent"
      data-state={state}
      aria-label={name}
    >
      <header className="flex items-center gap-5">
        <h3>
          <Shown text={name} />
        </h3>
        <TokenStateMark state={state} />
      </header>
      <LifetimeText token={withoutDue} now={now} state={state} />
      <Findings findings={token.findings} />
      <TokenHistory events={token.events} open />
    </li>
  )
}

function LoggedIntegration(props: {
  integration: LogIntegration
  endpoints: readonly LogEndpoint[]
}) {
  const { name, brand, baseUrl, sandbox } = props.integration
  return (
    <Card title={shortText(name, 120)} note={sandbox ? 'In the sandbox' : ''}>
      <dl className="grid grid-cols-auto-1 gap-1 gap-x-5">
        <Fact name="Brand">
          <Shown text={brand} max={120} />
        </Fact>
        <Fact name="Base URL" mono>
          <Shown text={baseUrl} max={1000} />
        </Fact>
      </dl>
      {props.endpoints.map((endpoint) => (
        <section
          className="grid gap-1 border-t border-line-soft py-5"
          key={endpoint.id}
          aria-label={`Endpoint ${shortText(endpoint.name, 80)}`}
        >
          <h3>
            <Shown text={endpoint.name} max={120} />{' '}
            <code className="mono text-dim">
              /hooks/
              <Shown text={endpoint.slug} max={120} />
            </code>
          </h3>
          <p className="text-dim">
            {endpoint.applicationId === '' ? (
              'Any application ID'
            ) : (
              <>
                Application ID{' '}
                <code className="mono select-text">
                  <Shown text={endpoint.applicationId} max={200} />
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
