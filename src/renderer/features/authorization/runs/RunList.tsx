import { KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { RunSummary } from '#contract/authorization.ts'
import { IconButton } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { counted } from '../../../components/text/numbers.ts'
import {
  clockTimeSeconds,
  fullTime,
  shortDate,
  span,
  utcTime,
} from '../../../components/text/time.ts'
import { useNow } from '../../../components/use-now.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { runAddress } from '../address.ts'
import { dropRuns } from '../store.ts'
import { RunStateMark } from './StateIcon.tsx'
import { agentWords, runWords } from './words.ts'

interface Props {
  readonly runs: readonly RunSummary[]
  readonly chosen: number | null
  readonly integrationId: number
  readonly onCleared: () => void
}

/** The runs, newest first. */
export function RunList({ runs, chosen, integrationId, onCleared }: Props) {
  const client = useClient()
  const [asking, setAsking] = useState(false)
  const clear = useAction(async () => {
    await client.call('authorization.clearRuns', { integrationId })
    dropRuns(integrationId)
    setAsking(false)
    onCleared()
    location.assign(runAddress(null))
  })
  return (
    <aside className="run-list" aria-label="Runs">
      <header className="run-list-head">
        <h2>{counted(runs.length, 'run', 'runs')}</h2>
        <IconButton label="Clear the runs" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden />
        </IconButton>
      </header>
      <ol>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} here={run.id === chosen} />
        ))}
      </ol>
      <Confirm
        open={asking}
        onClose={() => {
          setAsking(false)
          clear.reset()
        }}
        title="Clear the runs?"
        description="The records of all runs of this integration that are over go for good, with the values they hold back. Tokens stay."
        action="Clear"
        busy={clear.busy}
        error={clear.error === null ? null : sentence(clear.error)}
        onConfirm={() => clear.start()}
      />
    </aside>
  )
}

function RunRow({ run, here }: { readonly run: RunSummary; readonly here: boolean }) {
  const now = useNow()
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (here) row.current?.scrollIntoView({ block: 'nearest' })
  }, [here])
  const Icon = run.kind === 'refresh' ? RefreshCw : KeyRound
  const today = new Date(run.startedAt).toDateString() === new Date(now).toDateString()
  return (
    <li>
      <a
        ref={row}
        className="run-row"
        href={runAddress(run.id)}
        aria-current={here || undefined}
        data-testid="run-row"
        data-state={run.state}
      >
        <span className="run-row-line">
          <RunStateMark run={run} />
          <time className="mono" dateTime={utcTime(run.startedAt)} title={fullTime(run.startedAt)}>
            {today ? clockTimeSeconds(run.startedAt) : shortDate(run.startedAt)}
          </time>
        </span>
        <span className="run-row-line run-row-more">
          <span className="cut">
            <Icon aria-hidden />
            {run.failure && runWords(run).tone === 'invalid' ? (
              <span className="mono">{run.failure.code}</span>
            ) : run.kind === 'refresh' ? (
              'Refresh'
            ) : (
              `Authorize ${agentWords(run.agent)}`
            )}
          </span>
          {run.endedAt !== null && <span>{span(run.endedAt - run.startedAt)}</span>}
        </span>
      </a>
    </li>
  )
}
