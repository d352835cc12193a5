import { Icons } from '#kit/icons.tsx'
import { useEffect, useState, type ComponentType } from 'react'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { formatCount } from '#shared/text/format.ts'
import { Empty, EmptyFailure } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { SidePage } from '#kit/SidePage.tsx'
import { ago } from '#kit/text/time.ts'
import { useNow, Time } from '#kit/Time.tsx'
import { messageOf } from '#kit/use-action.ts'
import { useKeys } from '#client/command-registry.ts'
import { useClient } from '#client/use-client.ts'
import {
  rehearsalAddress,
  rehearsePlaceOf,
  type RehearsePlace,
} from '#client/addresses/rehearse.ts'
import { useShell } from '#client/state/app.ts'
import { newestRuns, setRehearsals, useRehearsals } from '#client/state/rehearsals.ts'
import { useLog } from '#client/state/scope.ts'
import { finishedCases, gradeTone, RunState, targetOf } from './labels.tsx'
import { RunView } from './RunView.tsx'
import './Rehearse.css'

type StartPlace = Exclude<RehearsePlace, { kind: 'run' }>

export interface StartProps {
  place: StartPlace
  listShown: boolean
  onList: () => void
}

interface Props {
  /** The page that starts a run. Null: nothing can be started, so the newest run is shown instead. */
  start: ComponentType<StartProps> | null
}

/** The rehearsals of the live store or of an event log: their list, and each run with its results. */
export function RehearsalsView({ start: Start }: Props) {
  const client = useClient()
  const log = useLog()
  const { runs, listed, failure } = useRehearsals()
  const hash = useShell((state) => state.hash)
  /** The address at which the list was opened in a narrow window. Opening one of its entries closes it. */
  const [listOpenedAt, setListOpenedAt] = useState<string | null>(null)
  const listShown = listOpenedAt === hash
  const rows = newestRuns(runs)
  const place = placeIn(hash, Start === null ? rows[0] : undefined)
  useEffect(() => {
    if (listed || failure !== null) return
    client.call('rehearsals.list', { log }).then(
      (all) => setRehearsals(all, log),
      (error: unknown) => useRehearsals.of(log).setState({ failure: messageOf(error) }),
    )
  }, [client, failure, listed, log])
  const currentId = place.kind === 'run' ? place.id : null
  const run = rows.find(({ id }) => id === currentId)
  const go = (by: number): void => {
    const index = rows.findIndex(({ id }) => id === currentId)
    const next = index < 0 ? rows[0] : rows[index + by]
    if (next) location.assign(rehearsalAddress(next.id, null, log))
  }
  useKeys({
    ...(Start !== null && { 'rehearsal-new': () => location.assign('#/handler/rehearsals') }),
    'rehearsal-newer': () => go(-1),
    'rehearsal-older': () => go(1),
  })
  const openList = (): void => setListOpenedAt(hash)
  return (
    <SidePage
      label="Rehearsals"
      panel={
        <RunList runs={rows} currentId={currentId} listed={listed} startable={Start !== null} />
      }
      shown={listShown}
      closeLabel="Close the list"
      onClose={() => setListOpenedAt(null)}
    >
      {place.kind !== 'run' && Start !== null ? (
        <Start place={place} listShown={listShown} onList={openList} />
      ) : run && place.kind === 'run' ? (
        <RunView key={run.id} run={run} place={place} listShown={listShown} onList={openList} />
      ) : failure !== null ? (
        <EmptyFailure
          title="Rehearsals could not be loaded"
          onRetry={() => useRehearsals.of(log).setState({ failure: null })}
        >
          {failure}
        </EmptyFailure>
      ) : listed && place.kind === 'run' ? (
        <Empty
          icon={Icons.FlaskConical}
          title={`Rehearsal ${place.id} not found`}
          actions={
            Start !== null && (
              <a className="button" data-kind="primary" href="#/handler/rehearsals">
                New rehearsal
              </a>
            )
          }
        >
          {Start === null ? 'This event log does not contain it.' : 'It may have been removed.'}
        </Empty>
      ) : listed ? (
        <Empty icon={Icons.FlaskConical} title="No rehearsals">
          This event log was exported without rehearsals.
        </Empty>
      ) : (
        <div className="flex-1" role="status" aria-label="Loading" />
      )}
    </SidePage>
  )
}

interface RunListProps {
  /** Newest first. */
  runs: readonly Rehearsal[]
  currentId: number | null
  listed: boolean
  /** Whether a run can be started. */
  startable: boolean
}

function RunList({ runs, currentId, listed, startable }: RunListProps) {
  return (
    <>
      {startable && (
        <div className="flex flex-none border-b border-line px-5 py-4">
          <a
            className="button w-full"
            data-kind="plain"
            href="#/handler/rehearsals"
            aria-current={currentId === null ? 'page' : undefined}
          >
            <Icons.Plus /> New rehearsal
          </a>
        </div>
      )}
      <div className="min-h-0 min-w-0 flex-1 overflow-auto" data-scrolls>
        {runs.length === 0 && listed && startable ? (
          <Empty icon={Icons.FlaskConical} title="No rehearsals yet">
            Test your webhook handler or your OAuth client.
          </Empty>
        ) : (
          <ul className="lined grid" aria-label="Rehearsals">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} current={run.id === currentId} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function RunRow({ run, current }: { run: Rehearsal; current: boolean }) {
  const now = useNow()
  const log = useLog()
  const { id, options, grade, counts, total, startedAt } = run
  return (
    <li>
      <a
        className="list-row text-s"
        href={rehearsalAddress(id, null, log)}
        aria-current={current || undefined}
        data-testid="rehearsal-row"
      >
        <span className="flex min-w-0 items-center justify-between gap-4">
          <b className="cut">
            <Shown text={shortTarget(targetOf(run))} max={80} />
          </b>
          {grade !== null && (
            <span className="tag flex-none whitespace-nowrap" data-tone={gradeTone(grade)}>
              Grade {grade}
            </span>
          )}
        </span>
        <span className="flex min-w-0 items-center justify-between gap-4">
          <RunState run={run} />
          <Time at={startedAt} className="text-dim">
            {ago(startedAt, now)}
          </Time>
        </span>
        <span className="text-xs text-dim">
          {options.oauth && 'OAuth client, '}#{id}, {formatCount(finishedCases(run))} of{' '}
          {formatCount(total)} cases
          {counts.fail + counts.flaky > 0 && `, ${formatCount(counts.fail + counts.flaky)} failed`}
        </span>
      </a>
    </li>
  )
}

function placeIn(hash: string, fallback: Rehearsal | undefined): RehearsePlace {
  const place = rehearsePlaceOf(hash) ?? { kind: 'start', to: null, endpointId: null }
  return place.kind === 'run' || !fallback
    ? place
    : { kind: 'run', id: fallback.id, caseId: null, compare: false }
}

/** The URL without its scheme. */
export function shortTarget(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
