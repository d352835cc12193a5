import { useEffect, useState } from 'react'
import type { TunnelSpan, TunnelView } from '#contract/tunnel.ts'
import { formatElapsed } from '#shared/text/format.ts'
import { useQuery } from '../../platform/use-client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Page.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { Table } from '../../ui/Table.tsx'
import { clockTimeSeconds, dayTime } from '../../ui/text/time.ts'
import { cut } from '../../ui/text/visible.ts'
import { Time } from '../../ui/Time.tsx'
import { ErrorNote } from '../../ui/Failure.tsx'
import { Since } from './Live.tsx'
import { StateTag } from './StateMark.tsx'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const initialRows = 8
const additionalRows = 50

/** The states of the tunnel in the last 24 hours, newest first, each with its reason. */
export function HistoryCard({ view }: { readonly view: TunnelView }) {
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
        <Shown text={cut(reason, 400)} />
      </td>
    </tr>
  )

  function durationOf() {
    if (state === 'off') return '–'
    return isCurrent ? <Since at={from} /> : formatElapsed(to - from)
  }
}
