import type { RunSummary } from '#contract/authorization.ts'
import type { Integration } from '#contract/integrations.ts'
import { useMemo } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Note } from '../../../components/Note.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { useKeys } from '../../shell/bound.ts'
import { runAddress } from '../address.ts'
import type { View } from '../address.ts'
import { isUnderWay, useAuthorization } from '../store.ts'
import { AuthorizePanel } from './AuthorizePanel.tsx'
import { Comparison } from './Comparison.tsx'
import { RunList } from './RunList.tsx'
import { RunRecord } from './RunRecord.tsx'
import { WaitingPanel } from './WaitingPanel.tsx'
import { WithRun } from './WithRun.tsx'
import './RunsView.css'

interface Props {
  readonly integration: Integration
  readonly view: Extract<View, { name: 'runs' }>
}

/** Begins runs, and shows what became of each. */
export function RunsView({ integration, view }: Props) {
  const { runs, failure, reload } = useRuns(integration.id)
  const underWay = useAuthorization((state) =>
    state.runs.find((run) => run.integrationId === integration.id && isUnderWay(run)),
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
