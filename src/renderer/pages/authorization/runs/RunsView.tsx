import { plural, formatDuration } from '#shared/text/format.ts'
import type { RunSummary } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import { useEffect, useMemo, useRef } from 'react'
import { cx } from '#kit/cx.ts'
import { Empty, LoadFailure } from '#kit/Note.tsx'
import { IconButton } from '#kit/Button.tsx'
import { useClient, useQuery } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { runAddress, runOf } from '#client/addresses/authorization.ts'
import { useShell } from '#client/state/app.ts'
import { dropRuns, isRunActive, useAuthorization } from '#client/state/authorization.ts'
import { AuthorizePanel } from './AuthorizePanel.tsx'
import { RunRecord } from './RunRecord.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'
import { Icons } from '#kit/icons.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { clockTimeSeconds, shortDate } from '#kit/text/time.ts'
import { useNow, Time } from '#kit/Time.tsx'
import { agentLabel, runLabel, RunStateMark } from './labels.tsx'

/** Starts runs and shows their records. */
export function RunsView({ integration }: { integration: Integration }) {
  const runId = runOf(useShell((state) => state.hash))
  const { runs, failure, reload } = useRuns(integration.id)
  const activeRun = useAuthorization((state) =>
    state.runs.find((run) => run.integrationId === integration.id && isRunActive(run)),
  )
  const selectedId = runId ?? runs[0]?.id ?? null
  const index = runs.findIndex(({ id }) => id === selectedId)
  const shown = runs[index]

  useKeys({
    'run-older': () => open(runs[index + 1]),
    'run-newer': () => open(runs[index - 1]),
  })

  return (
    <div
      className={cx('runs grid h-full', runs.length === 0 ? 'grid-cols-1' : 'grid-cols-aside-1')}
    >
      {runs.length > 0 && (
        <RunList
          runs={runs}
          selectedId={selectedId}
          integrationId={integration.id}
          onCleared={reload}
        />
      )}
      <div className="relative flex h-full flex-col gap-6 overflow-auto px-9 pt-6 pb-10 *:w-full *:max-w-(--measure-page) *:flex-none below-620:px-5 below-620:pt-5 below-620:pb-8">
        {failure !== null && <LoadFailure onRetry={reload}>{failure}</LoadFailure>}
        {activeRun ? (
          <WaitingPanel key={`waiting ${activeRun.id}`} run={activeRun} />
        ) : (
          <AuthorizePanel
            integration={integration}
            first={runs.length === 0}
            quiet={shown?.state === 'failed'}
          />
        )}
        {selectedId !== null && <SelectedRun key={`record ${selectedId}`} id={selectedId} />}
      </div>
    </div>
  )
}

function open(run: RunSummary | undefined): void {
  if (run) location.assign(runAddress(run.id))
}

const none: readonly RunSummary[] = []

function useRuns(integrationId: number) {
  const { state, reload } = useQuery('authorization.runs', { integrationId, limit: 500 })
  const recent = useAuthorization((store) => store.runs)
  const stored = state.phase === 'ready' ? state.value : none
  const runs = useMemo(() => {
    const all = new Map<number, RunSummary>(stored.map((run) => [run.id, run]))
    for (const run of recent) if (run.integrationId === integrationId) all.set(run.id, run)
    return [...all.values()].toSorted((a, b) => b.id - a.id)
  }, [stored, recent, integrationId])
  return { runs, failure: state.phase === 'failed' ? state.message : null, reload }
}

interface RunListProps {
  runs: readonly RunSummary[]
  selectedId: number | null
  integrationId: number
  onCleared: () => void
}

function RunList({ runs, selectedId, integrationId, onCleared }: RunListProps) {
  const client = useClient()
  const clear = (): void =>
    confirm({
      title: 'Clear runs?',
      description:
        'Deletes the records of all finished runs of this integration, with their masked values. Tokens are kept. This cannot be undone.',
      action: 'Clear',
      async run() {
        await client.call('authorization.clearRuns', { integrationId })
        dropRuns(integrationId)
        onCleared()
        location.assign(runAddress(null))
      },
    })
  return (
    <aside
      className="run-list flex min-h-0 min-w-0 flex-col border-r border-r-line below-620:max-h-(--measure-field) below-620:border-r-0 below-620:border-b below-620:border-b-line"
      aria-label="Runs"
    >
      <header className="flex items-center justify-between border-b border-line px-5 py-3 text-s text-mid">
        <h2 className="font-semibold">{plural(runs.length, 'run', 'runs')}</h2>
        <IconButton label="Clear runs" onClick={clear}>
          <Icons.Trash2 />
        </IconButton>
      </header>
      <ol className="lined min-h-0 min-w-0 flex-1 overflow-auto">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} current={run.id === selectedId} />
        ))}
      </ol>
    </aside>
  )
}

function RunRow({ run, current }: { run: RunSummary; current: boolean }) {
  const now = useNow()
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const Icon = run.kind === 'refresh' ? Icons.RefreshCw : Icons.KeyRound
  const today = new Date(run.startedAt).toDateString() === new Date(now).toDateString()
  return (
    <li>
      <a
        ref={row}
        className="list-row"
        href={runAddress(run.id)}
        aria-current={current || undefined}
        data-testid="run-row"
        data-state={run.state}
      >
        <span className="flex items-center justify-between gap-4">
          <RunStateMark run={run} />
          <Time className="mono text-mid" at={run.startedAt}>
            {today ? clockTimeSeconds(run.startedAt) : shortDate(run.startedAt)}
          </Time>
        </span>
        <span className="flex items-center justify-between gap-4 pl-7 text-s text-dim icon-xs [&_svg]:mr-2 [&_svg]:align-[-1px]">
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
          {run.endedAt !== null && <span>{formatDuration(run.endedAt - run.startedAt)}</span>}
        </span>
      </a>
    </li>
  )
}

function SelectedRun({ id }: { id: number }) {
  const known = useAuthorization((state) => state.runs.find((run) => run.id === id))
  const { state } = useQuery('authorization.run', known ? null : { id })
  if (known) return <RunRecord run={known} />
  switch (state.phase) {
    case 'loading':
      return <div className="h-(--measure-aside)" role="status" aria-label="Loading the record" />
    case 'failed':
      return (
        <Empty
          icon={Icons.FileQuestionMark}
          title="Run not found"
          actions={
            <a className="button" href={runAddress(null)}>
              Show the latest run
            </a>
          }
        >
          {state.message}
        </Empty>
      )
    case 'ready':
      return <RunRecord run={state.value} />
  }
}
