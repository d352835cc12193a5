import { useEffect, useState } from 'react'
import type { CallOutput } from '#contract/calls.ts'
import type { ScenarioDelivery, ScenarioResult, ScenarioRun } from '#contract/scenarios.ts'
import { countsText, isSuccess, leftOutText, paceText } from '#contract/scenario-texts.ts'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { toastError } from '#kit/toasts.ts'
import { useKeys } from '#client/command-registry.ts'
import { useClient, useQuery, useRefresh } from '#client/use-client.ts'
import { AttemptView } from '#parts/send/on-demand.ts'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { scenarioAddress } from '#client/addresses/pages.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorText, Note, WhenLoaded } from '#kit/Note.tsx'
import { Checkbox } from '#kit/Field.tsx'
import { Icons } from '#kit/icons.tsx'
import { Progress } from '#kit/Progress.tsx'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { shortDate } from '#kit/text/time.ts'
import { Countdown, Time } from '#kit/Time.tsx'
import { RunScenario } from './RunScenario.tsx'

type Detail = CallOutput<'scenarios.get'>
type Results = ReadonlyMap<number, ReadonlyMap<number, ScenarioResult>>

const pushes = ['jobs.changed'] as const
/** Minimum milliseconds between two requests during a run. */
export const refreshMs = 500
const maxRuns = 4
const pageSize = 200
const maxItems = 10_000

export const stateLabels = {
  running: 'Running',
  done: 'Complete',
  interrupted: 'Interrupted',
} as const satisfies Record<ScenarioRun['state'], string>

/** A scenario with its deliveries, and which response each got in the last runs. Keyed by its name. */
export function ScenarioDetail({ name }: { name: string }) {
  const query = useQuery('scenarios.get', { name })
  useRefresh(null, pushes, refreshMs, query.reload)
  return (
    <section className="min-w-0 overflow-auto" aria-label={`Scenario ${name}`} data-scrolls>
      <div className="grid grid-cols-1 gap-5 px-7 py-6 *:max-w-(--measure-page)">
        <WhenLoaded query={query}>
          {(detail) => <Loaded detail={detail} onChange={query.reload} />}
        </WhenLoaded>
      </div>
    </section>
  )
}

interface LoadedProps {
  detail: Detail
  onChange: () => void
}

function Loaded({ detail, onChange }: LoadedProps) {
  const { scenario, runs, deliveries } = detail
  const [last] = runs
  return (
    <>
      <Head detail={detail} onChange={onChange} />
      <p>
        {plural(scenario.deliveries, 'delivery', 'deliveries')}, {formatSize(scenario.bytes)},
        received from {shortDate(scenario.firstAt)} to {shortDate(scenario.lastAt)}.
        {leftOutText(scenario)}
      </p>
      {last && <LastRun run={last} deliveries={deliveries} />}
      <Matrix deliveries={deliveries} runs={runs.slice(0, maxRuns).toReversed()} />
    </>
  )
}

function Head({ detail: { scenario, runs }, onChange }: LoadedProps) {
  const client = useClient()
  const [starting, setStarting] = useState(false)
  const running = runs.find(({ state }) => state === 'running')
  const remove = (): void =>
    confirm({
      title: 'Delete this scenario?',
      description:
        'Deletes its copies of the deliveries, and its runs. The deliveries themselves stay.',
      action: 'Delete',
      async run() {
        await client.call('scenarios.remove', { name: scenario.name })
        location.assign(scenarioAddress(null))
      },
    })
  useKeys({ ...(!running && { 'scenario-run': () => setStarting(true) }) })
  return (
    <header className="flex flex-wrap items-start justify-between gap-4 gap-x-6">
      <h2 className="text-xl wrap-anywhere">
        <Shown text={scenario.name} />
      </h2>
      <div className="flex flex-none items-center gap-3">
        {running ? (
          <Button
            icon={Icons.X}
            onClick={() =>
              void client.call('jobs.cancel', { id: running.id }).then(onChange, toastError)
            }
          >
            Stop
          </Button>
        ) : (
          <Button kind="primary" icon={Icons.Play} onClick={() => setStarting(true)}>
            Run…
          </Button>
        )}
        <Button
          icon={Icons.FileOutput}
          onClick={() => openExportDialog({ log: scenario.id, which: 'all' })}
        >
          Export…
        </Button>
        <Button kind="quiet" icon={Icons.Trash2} onClick={remove}>
          Delete…
        </Button>
      </div>
      {starting && (
        <RunScenario
          scenario={scenario}
          runs={runs}
          onStarted={onChange}
          onClose={() => setStarting(false)}
        />
      )}
    </header>
  )
}

function StateOf({ run: { state, failed } }: { run: ScenarioRun }) {
  const word = stateLabels[state]
  if (state === 'running') return <StateMark tone="info" icon={Icons.Play} word={word} />
  if (state === 'interrupted')
    return <StateMark tone="warning" icon={Icons.CircleAlert} word={word} />
  if (failed > 0) return <StateMark tone="invalid" icon={Icons.X} word="Failed" />
  return <StateMark tone="valid" icon={Icons.Check} word={word} />
}

function nextAt({ startedAt, speed, ok, failed }: ScenarioRun, of: readonly ScenarioDelivery[]) {
  const [first] = of
  const next = of[ok + failed]
  if (!first || !next || speed === null) return null
  return startedAt + (next.receivedAt - first.receivedAt) / speed
}

type LastRunProps = Pick<Detail, 'deliveries'> & { run: ScenarioRun }

function LastRun({ run, deliveries }: LastRunProps) {
  const { state, ok, failed, total, changed, comparedTo, unsigned, problem, speed, url } = run
  const done = ok + failed
  const next = nextAt(run, deliveries)
  return (
    <div className="grid gap-4" role="group" aria-label={`Run ${run.id}`}>
      <div className="flex flex-wrap items-center gap-4">
        <StateOf run={run} />
        <span>
          {countsText(run)}.{' '}
          {comparedTo !== null &&
            state !== 'running' &&
            (changed === 0
              ? `The same responses as in run ${comparedTo}.`
              : `${plural(changed, 'response', 'responses')} changed since run ${comparedTo}.`)}
        </span>
      </div>
      {state === 'running' && (
        <Progress
          label="Progress"
          share={total === 0 ? null : done / total}
          words={`${formatCount(done)} of ${formatCount(total)}`}
        />
      )}
      {state === 'running' && next !== null && <Countdown words="Next in" at={next} />}
      <span className="text-s wrap-anywhere text-dim">
        Sent to <Shown text={url} max={200} />, {paceText(speed)}.
      </span>
      {problem !== null && (
        <Note tone="warning">
          <Shown text={problem} />
        </Note>
      )}
      {unsigned > 0 && (
        <Note tone="warning">
          {plural(unsigned, 'delivery was', 'deliveries were')} sent without a signature, because
          the endpoint has no secret.
        </Note>
      )}
    </div>
  )
}

function useResults(runs: readonly ScenarioRun[]): { results: Results; error: unknown } {
  const client = useClient()
  const [results, setResults] = useState<Results>(new Map())
  const [error, setError] = useState<unknown>(null)
  const key = runs.map(({ id, ok, failed }) => `${id}:${ok + failed}`).join()
  useEffect(() => {
    for (const each of key === '' ? [] : key.split(',')) {
      const [id = 0, count = 0] = each.split(':').map(Number)
      if (results.get(id)?.size === count) continue
      client.call('jobs.items', { id, states: ['ok', 'failed'], limit: maxItems }).then((all) => {
        const byPosition = new Map(all.map((result) => [result.position, result]))
        setResults((before) => new Map(before).set(id, byPosition))
      }, setError)
    }
    // Results that arrive are no reason to load them again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, key])
  return { results, error }
}

interface MatrixProps {
  deliveries: readonly ScenarioDelivery[]
  /** The oldest first. */
  runs: readonly ScenarioRun[]
}

function Matrix({ deliveries, runs }: MatrixProps) {
  const { results, error } = useResults(runs)
  const [onlyNotable, setOnlyNotable] = useState(false)
  const [limit, setLimit] = useState(pageSize)
  const [attemptId, setAttemptId] = useState<number | null>(null)
  const last = results.get(runs.at(-1)?.id ?? 0)
  const rows = deliveries.filter(({ position }) => {
    const result = last?.get(position)
    return !onlyNotable || (result && (!isSuccess(result.status) || result.before !== undefined))
  })
  return (
    <div className="grid gap-4">
      <ErrorText error={error} />
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h3 className="text-m">Deliveries</h3>
        {runs.length > 0 && (
          <label className="flex items-center gap-4 text-s">
            <Checkbox checked={onlyNotable} onChange={setOnlyNotable} />
            Only failed or changed in the last run
          </label>
        )}
      </div>
      {rows.length === 0 && <p className="text-dim">None failed or changed.</p>}
      {rows.length > 0 && (
        // Scrollable, so it must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div
          className="overflow-x-auto [&_td:last-child]:min-w-(--measure-field) [&_thead_time]:block"
          role="region"
          aria-label="Responses"
          tabIndex={0}
        >
          <table className="table w-full" aria-label="Responses by run">
            <thead>
              <tr>
                <th scope="col">#</th>
                {runs.map(({ id, startedAt }) => (
                  <th scope="col" key={id}>
                    Run {id}
                    <Time at={startedAt}>{shortDate(startedAt)}</Time>
                  </th>
                ))}
                <th scope="col">Delivery</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, limit).map(({ position, type, title }) => (
                <tr key={position} data-testid="scenario-row">
                  <td className="text-dim">{position + 1}</td>
                  {runs.map(({ id }) => (
                    <td key={id}>
                      <Response result={results.get(id)?.get(position)} onOpen={setAttemptId} />
                    </td>
                  ))}
                  <td>
                    <span className="text-s text-dim">
                      <Shown text={type ?? 'no type'} max={60} />
                    </span>{' '}
                    <Shown text={title} max={200} />
                    <ErrorOf result={last?.get(position)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {attemptId !== null && <AttemptDialog id={attemptId} onClose={() => setAttemptId(null)} />}
      {rows.length > limit && (
        <div className="flex">
          <Button onClick={() => setLimit(limit + pageSize)}>
            Show more of {formatCount(rows.length)}
          </Button>
        </div>
      )}
    </div>
  )
}

function AttemptDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery('attempts.get', { id, log: null })
  return (
    <Dialog open large title={`Attempt ${id}`} onClose={onClose}>
      <div className="overflow-auto" data-scrolls>
        <WhenLoaded query={query}>{(attempt) => <AttemptView attempt={attempt} />}</WhenLoaded>
      </div>
    </Dialog>
  )
}

function Response({
  result,
  onOpen,
}: {
  result: ScenarioResult | undefined
  onOpen: (attemptId: number) => void
}) {
  if (!result) {
    return (
      <span className="text-dim">
        <span aria-hidden>–</span>
        <span className="visually-hidden">not sent</span>
      </span>
    )
  }
  const { before, status, attemptId } = result
  const text = statusText(status) + (before === undefined ? '' : `, was ${statusText(before)}`)
  const word = isSuccess(status) ? (
    before === undefined ? (
      text
    ) : (
      <StateMark tone="info" icon={Icons.Check} word={text} />
    )
  ) : (
    <StateMark tone="invalid" icon={Icons.X} word={text} />
  )
  if (attemptId === null) return word
  return (
    <Button kind="quiet" small title="Show attempt" onClick={() => onOpen(attemptId)}>
      {word}
    </Button>
  )
}

function ErrorOf({ result }: { result: ScenarioResult | undefined }) {
  const error = result?.error ?? null
  if (error === null) return null
  return (
    <p className="text-s text-invalid">
      <Shown text={error} max={300} />
    </p>
  )
}

function statusText(status: number | null): string {
  return status === null ? 'none' : String(status)
}
