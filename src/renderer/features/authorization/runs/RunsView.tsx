import type { RunSummary } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button, IconButton } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { useKeys } from '../../shell/command-registry.ts'
import { runAddress, type View } from '../address.ts'
import { dropRuns, isRunActive, useAuthorization } from '../store.ts'
import { AuthorizePanel } from './AuthorizePanel.tsx'
import { Comparison } from './Comparison.tsx'
import { RunRecord } from './RunRecord.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'
import { WithRun } from './WithRun.tsx'
import './RunsView.css'
import { KeyRound, RefreshCw, Trash2 } from 'lucide-react'
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
import { RunStateMark } from './StateIcon.tsx'
import { agentLabel, runLabel } from './labels.ts'

interface Props {
  readonly integration: Integration
  readonly view: Extract<View, { name: 'runs' }>
}

/** Begins runs, and shows what became of each. */
export function RunsView({ integration, view }: Props) {
  const { runs, failure, reload } = useRuns(integration.id)
  const underWay = useAuthorization((state) =>
    state.runs.find((run) => run.integrationId === integration.id && isRunActive(run)),
  )
  const chosen = view.runId ?? runs[0]?.id ?? null
  const place = runs.findIndex(({ id }) => id === chosen)
  const shown = runs[place]

  useKeys({
    'run-older': () => go(runs[place + 1]),
    'run-newer': () => go(runs[place - 1]),
  })

  return (
    <div className="runs" data-empty={runs.length === 0 || undefined}>
      {runs.length > 0 && (
        <RunList runs={runs} chosen={chosen} integrationId={integration.id} onCleared={reload} />
      )}
      <div className="auth-scroll runs-main">
        {failure !== null && (
          <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
            {failure}
          </Note>
        )}
        {underWay ? (
          <WaitingPanel key={`waiting ${underWay.id}`} run={underWay} />
        ) : (
          <AuthorizePanel
            integration={integration}
            first={runs.length === 0}
            quiet={shown?.state === 'failed'}
          />
        )}
        {chosen !== null && view.against !== null && (
          <Comparison leftId={view.against} rightId={chosen} />
        )}
        {chosen !== null && view.against === null && (
          <WithRun key={`record ${chosen}`} id={chosen}>
            {(run) => <RunRecord run={run} others={runs} />}
          </WithRun>
        )}
      </div>
    </div>
  )
}

function go(to: RunSummary | undefined): void {
  if (to) location.assign(runAddress(to.id))
}

const none: readonly RunSummary[] = []

/** The runs of an integration, newest first: those that are kept, and what came since by itself. */
function useRuns(integrationId: number): {
  readonly runs: readonly RunSummary[]
  readonly failure: string | null
  readonly reload: () => void
} {
  const { state, reload } = useQuery('authorization.runs', { integrationId, limit: 500 })
  const recent = useAuthorization((store) => store.runs)
  const kept = state.phase === 'ready' ? state.value : none
  const runs = useMemo(() => {
    const all = new Map<number, RunSummary>(kept.map((run) => [run.id, run]))
    for (const run of recent) if (run.integrationId === integrationId) all.set(run.id, run)
    return [...all.values()].toSorted((a, b) => b.id - a.id)
  }, [kept, recent, integrationId])
  return { runs, failure: state.phase === 'failed' ? state.message : null, reload }
}

interface RunListProps {
  readonly runs: readonly RunSummary[]
  readonly chosen: number | null
  readonly integrationId: number
  readonly onCleared: () => void
}

/** The runs, newest first. */
function RunList({ runs, chosen, integrationId, onCleared }: RunListProps) {
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
            {run.failure && runLabel(run).tone === 'invalid' ? (
              <span className="mono">{run.failure.code}</span>
            ) : run.kind === 'refresh' ? (
              'Refresh'
            ) : (
              `Authorize ${agentLabel(run.agent)}`
            )}
          </span>
          {run.endedAt !== null && <span>{span(run.endedAt - run.startedAt)}</span>}
        </span>
      </a>
    </li>
  )
}
