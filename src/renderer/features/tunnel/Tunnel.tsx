import { useEffect, useRef, useState } from 'react'
import type { TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import { formatElapsed } from '#shared/text/format.ts'
import { Row, Stack, Text } from '../../ui/Layout.tsx'
import { Card } from '../../ui/Page.tsx'
import { useClient, useQuery } from '../../platform/use-client.ts'
import { useKeys } from '../../platform/command-registry.ts'
import { SetupCard } from './setup/SetupCard.tsx'
import { StateCard } from './StateCard.tsx'
import { useTunnel } from '../../state/tunnel.ts'
import { Warnings } from './Warnings.tsx'
import './Tunnel.css'
import { Button } from '../../ui/Button.tsx'
import { ErrorNote } from '../../ui/Failure.tsx'
import { Table } from '../../ui/Table.tsx'
import { clockTimeSeconds, dayTime } from '../../ui/text/time.ts'
import { Time } from '../../ui/Time.tsx'
import { Since } from './Live.tsx'
import { StateTag } from './StateMark.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Note } from '../../ui/Note.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import { copyPublic, useTunnelCommands } from './commands.ts'
import { publicUrl } from '../../state/tunnel-labels.ts'

/** The tunnel: state, warnings, webhook URLs, history and setup. */
export function Tunnel() {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <TunnelContent view={view} />
}

function TunnelContent({ view }: { readonly view: TunnelView }) {
  const providers = useQuery('tunnel.providers', {})
  const label = (id: string): string =>
    (providers.state.phase === 'ready' &&
      providers.state.value.find((provider) => provider.id === id)?.label) ||
    id
  const heading = useRef<HTMLHeadingElement>(null)
  useKeys(useTunnelCommands())
  return (
    <>
      <StateCard view={view} heading={heading} label={label} />
      <Warnings view={view} focusTarget={heading} />
      {view.url !== null && <Addresses url={view.url} />}
      <HistoryCard view={view} />
      <SetupCard view={view} providers={providers.state} reload={providers.reload} />
    </>
  )
}

/** The webhook URL of each endpoint for the dashboard. `url`: the public origin. */
function Addresses({ url }: { readonly url: string }) {
  const client = useClient()
  const endpoints = useEndpoints((state) => state.endpoints)
  return (
    <Card
      title="Webhook URLs"
      note="Paste these on the service’s integrations dashboard. Nothing else in Tabscope is reachable from the internet."
    >
      {endpoints.length === 0 ? (
        <p className="dim">
          No endpoints: deliveries are stored and get 404. Create one under{' '}
          <a href="#/setup/endpoints">Endpoints</a>.
        </p>
      ) : (
        <Stack as="ul" lined aria-label="Public webhook URLs">
          {endpoints.map(({ id, name, slug }) => (
            <Row as="li" wrap align="center" gap={2} gapX={5} pad={[3, 0]} key={id}>
              <Text measure="key" anywhere>
                <Shown text={truncate(name, 80)} />
              </Text>
              <Text as="code" grow shrink mono selectable anywhere>
                <Shown text={truncate(publicUrl(url, slug), 400)} />
              </Text>
              <CopyButton
                text={publicUrl(url, slug)}
                label={`Copy URL of ${truncate(name, 60)}`}
                words="Copy URL"
                copy={(text) => copyPublic(client, text)}
              />
            </Row>
          ))}
        </Stack>
      )}
      <Note tone="info">
        An OAuth redirect cannot come through this address. Use a redirect URL on this machine for{' '}
        <a href="#/authorization/runs">Authorization</a>.
      </Note>
    </Card>
  )
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const initialRows = 8
const additionalRows = 50

function HistoryCard({ view }: { readonly view: TunnelView }) {
  const [openedAt] = useState(Date.now)
  const { state: history, reload } = useQuery('tunnel.history', { since: openedAt - dayMs })
  const [shown, setShown] = useState(initialRows)
  const { state, since } = view
  // A new state of the tunnel is a new row.
  useEffect(reload, [reload, state, since])
  const spans = history.phase === 'ready' ? history.value : []
  const rest = spans.length - shown
  return (
    <Card
      title="Last 24 hours"
      note="Gaps mean that the tunnel was closed or Tabscope was not running."
    >
      {history.phase === 'failed' && <ErrorNote error={history.message} />}
      {spans.length === 0 ? (
        history.phase === 'ready' && (
          <p className="dim">
            When you open a tunnel, its state changes and their reasons appear here.
          </p>
        )
      ) : (
        <Table label="Last changes" columns={['From', 'State', 'Duration', 'Reason']}>
          {spans
            .slice(-shown)
            .toReversed()
            .map((span, index) => (
              <ChangeRow
                key={span.id}
                span={span}
                isCurrent={index === 0 && span.state === state}
                now={openedAt}
              />
            ))}
        </Table>
      )}
      {rest > 0 && (
        <div>
          <Button kind="quiet" onClick={() => setShown((before) => before + additionalRows)}>
            Show {Math.min(additionalRows, rest)} earlier
          </Button>
        </div>
      )}
    </Card>
  )
}

interface ChangeRowProps {
  readonly span: TunnelSpan
  /** The tunnel is still in this state. */
  readonly isCurrent: boolean
  /** The time when the page was opened. */
  readonly now: number
}

function ChangeRow({ span, isCurrent, now }: ChangeRowProps) {
  const { startedAt: from, endedAt: to, state, reason } = span
  const isRecent = now - from < 12 * hourMs
  return (
    <tr data-testid="tunnel-change" data-state={state}>
      <td>
        <Time at={from}>{isRecent ? clockTimeSeconds(from) : dayTime(from, now)}</Time>
      </td>
      <td>
        <StateTag state={state} />
      </td>
      <td>{durationOf()}</td>
      <td className="selectable">
        <Shown text={truncate(reason, 400)} />
      </td>
    </tr>
  )

  function durationOf() {
    if (state === 'off') return '–'
    return isCurrent ? <Since at={from} /> : formatElapsed(to - from)
  }
}
