import type { RunSummary } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Text, Grid, Row, Stack } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useAction, useClient, useQuery } from '../../../platform/use-client.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { runAddress, type View } from '../../../routes/authorization.ts'
import { dropRuns, isRunActive, useAuthorization } from '../../../state/authorization.ts'
import { AuthorizePanel } from './AuthorizePanel.tsx'
import { Comparison } from './Comparison.tsx'
import { RunRecord } from './RunRecord.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'
import { WithRun } from './WithRun.tsx'
import { KeyRound, RefreshCw, Trash2 } from 'lucide-react'
import { Confirm } from '../../../ui/Confirm.tsx'
import { counted } from '../../../ui/text/numbers.ts'
import { clockTimeSeconds, fullTime, shortDate, span, utcTime } from '../../../ui/text/time.ts'
import { useNow } from '../../../ui/use-now.ts'
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
    <Grid columns={runs.length === 0 ? '1' : 'aside 1'} full className="runs">
      {runs.length > 0 && (
        <RunList runs={runs} chosen={chosen} integrationId={integration.id} onCleared={reload} />
      )}
      <Stack column gap={6} className="auth-scroll runs-main">
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
      </Stack>
    </Grid>
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
    <Stack as="aside" column shrink className="run-list" aria-label="Runs">
      <Row
        as="header"
        align="center"
        justify="between"
        pad={[3, 5]}
        line="bottom"
        tone="mid"
        size="s"
      >
        <Text as="h2" weight="semibold">
          {counted(runs.length, 'run', 'runs')}
        </Text>
        <IconButton label="Clear runs" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden />
        </IconButton>
      </Row>
      <ol className="lined grow shrink scroll">
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
        title="Clear runs?"
        description="Deletes the records of all finished runs of this integration, with their masked values. Tokens are kept. This cannot be undone."
        action="Clear"
        busy={clear.busy}
        error={clear.error === null ? null : sentence(clear.error)}
        onConfirm={() => clear.start()}
      />
    </Stack>
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
        className="list-row"
        href={runAddress(run.id)}
        aria-current={here || undefined}
        data-testid="run-row"
        data-state={run.state}
      >
        <Row as="span" align="center" justify="between" gap={4}>
          <RunStateMark run={run} />
          <Text
            as="time"
            tone="mid"
            mono
            dateTime={utcTime(run.startedAt)}
            title={fullTime(run.startedAt)}
          >
            {today ? clockTimeSeconds(run.startedAt) : shortDate(run.startedAt)}
          </Text>
        </Row>
        <Row
          as="span"
          align="center"
          justify="between"
          gap={4}
          tone="dim"
          size="s"
          className="run-row-more"
        >
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
        </Row>
      </a>
    </li>
  )
}
