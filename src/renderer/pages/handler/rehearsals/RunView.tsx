import { Icons } from '#kit/icons.tsx'
import { useEffect, useState } from 'react'
import { groupFailures } from '#catalogue/rehearsal/root-causes.ts'
import type { CaseResult, Rehearsal, RehearsalProblem } from '#contract/rehearsal.ts'
import { formatCount, formatDuration } from '#shared/text/format.ts'
import { Button } from '#kit/Button.tsx'
import { confirm } from '#kit/Confirm.tsx'
import { LoadFailure, Note } from '#kit/Note.tsx'
import { Progress } from '#kit/Progress.tsx'
import { Shown } from '#kit/Shown.tsx'
import { SideButton } from '#kit/SidePage.tsx'
import { SplitPane } from '#kit/SplitPane.tsx'
import { shortDate } from '#kit/text/time.ts'
import { Time } from '#kit/Time.tsx'
import { messageOf } from '#kit/use-action.ts'
import { useKeys } from '#client/command-registry.ts'
import { useClient } from '#client/use-client.ts'
import {
  rehearsalAddress,
  rehearseAddress,
  rehearseOAuthAddress,
  rehearsePlaceOf,
  type RehearsePlace,
} from '#client/addresses/rehearse.ts'
import { useShell } from '#client/state/app.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import {
  forgetRehearsal,
  isRehearsalOpen,
  setClient,
  addResults,
  useRehearsals,
} from '#client/state/rehearsals.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { CaseDetail } from './CaseDetail.tsx'
import { CaseFilters, CaseList, sectionsOf } from './CaseList.tsx'
import { cancelRun } from './commands.ts'
import { Fix } from './Fix.tsx'
import {
  caseRows,
  finishedCases,
  gradeReason,
  gradeTone,
  RunState,
  shownResult,
  summaryOf,
  targetOf,
  type CaseRow,
  type ShownResult,
} from './labels.tsx'
import { OAuthFacts, OAuthPanel } from './OAuthPanel.tsx'
import { RunMatrix, runsOfTarget } from './RunMatrix.tsx'

interface Props {
  run: Rehearsal
  place: Extract<RehearsePlace, { kind: 'run' }>
  listShown: boolean
  onList: () => void
}

const noResults: ReadonlyMap<string, CaseResult> = new Map()

/** One run: its progress, its grade, and the result of each case. Keyed by its ID. */
export function RunView({ run, place, listShown, onList }: Props) {
  const client = useClient()
  const log = useLog()
  const { id } = run
  const results = useRehearsals((state) => state.results.get(id)) ?? noResults
  const loaded = useRehearsals((state) => state.loaded.has(id))
  const editable = useEditable()
  const [failure, setFailure] = useState<string | null>(null)
  const [filter, setFilter] = useState<ShownResult | 'all'>('all')
  useEffect(() => {
    if (loaded || failure !== null) return
    client.call('rehearsals.get', { id, log }).then(
      ({ rehearsal, results: all, client: config }) => {
        addResults(rehearsal, all, log)
        if (log === null) setClient(id, config)
      },
      (error: unknown) => setFailure(messageOf(error)),
    )
  }, [client, failure, id, loaded, log])

  // Cases of a run that ended early are not waiting.
  const all = caseRows(run.options, results).filter(
    ({ result }) => result !== null || (editable && isRehearsalOpen(run)),
  )
  // Rows do not move while cases end.
  const failures = isRehearsalOpen(run)
    ? []
    : groupFailures(all.flatMap(({ result }) => result ?? []))
  const sections = sectionsOf(
    all.filter((row) => filter === 'all' || shownResult(row) === filter),
    failures,
  )
  const rows = sections.flatMap((section) => section.rows)
  const current = all.find((row) => row.id === place.caseId) ?? null
  const open = (row: CaseRow | undefined): void => {
    if (!row) return
    showAddress(rehearsalAddress(id, row.id, log))
    document.querySelector<HTMLElement>(`[data-case="${row.id}"]`)?.focus()
  }
  const move = (by: number): void => {
    // Keys can be pressed faster than the page is rendered.
    const now = rehearsePlaceOf(useShell.getState().hash)
    const openId = now?.kind === 'run' ? now.caseId : null
    const index = rows.findIndex((row) => row.id === openId)
    open(index < 0 ? rows.at(by > 0 ? 0 : -1) : rows[index + by])
  }
  const close = (): void => {
    showAddress(rehearsalAddress(id, null, log))
    document.querySelector<HTMLElement>(`[data-case="${place.caseId}"]`)?.focus()
  }
  useKeys({
    ...(!place.compare && {
      'rehearsal-next': () => move(1),
      'rehearsal-previous': () => move(-1),
    }),
    ...(current && {
      'rehearsal-open': () => document.querySelector<HTMLElement>('.case-detail h2')?.focus(),
      'rehearsal-close': close,
    }),
  })
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col">
      <RunHead run={run} listShown={listShown} onList={onList} compare={place.compare} />
      {failure !== null && <LoadFailure onRetry={() => setFailure(null)}>{failure}</LoadFailure>}
      {run.options.oauth && run.state === 'running' && (
        <OAuthPanel run={run} oauth={run.options.oauth} />
      )}
      {place.compare ? (
        <RunMatrix run={run} />
      ) : run.state === 'failed' && results.size === 0 ? (
        // The handler could not be judged, most likely because of how it verifies.
        run.problem?.causes.some((cause) => cause.includes('signature')) && (
          <section
            className="grid min-h-0 min-w-0 flex-1 gap-4 overflow-auto px-6 py-5"
            aria-labelledby="run-fix"
          >
            <h3 id="run-fix">How to fix it</h3>
            <Fix topic="verify-raw-body" run={run} />
          </section>
        )
      ) : (
        <div className="min-h-0 min-w-0 flex-1">
          <SplitPane
            name="rehearsal"
            label="Width of the cases"
            onCovered={close}
            left={
              <div className="flex h-full min-h-0 min-w-0 flex-col">
                <CaseFilters rows={all} filter={filter} onFilter={setFilter} />
                {(loaded || all.length > 0) && (
                  <CaseList run={run} sections={sections} currentId={place.caseId} />
                )}
              </div>
            }
            right={
              current && (
                <CaseDetail
                  key={current.id}
                  run={run}
                  row={current}
                  failures={failures.find(({ cases }) => cases.includes(current.id))}
                  onClose={close}
                />
              )
            }
          />
        </div>
      )}
    </div>
  )
}

function showAddress(address: string): void {
  history.replaceState(null, '', address)
  useShell.setState({ hash: location.hash })
}

interface HeadProps {
  run: Rehearsal
  compare: boolean
  listShown: boolean
  onList: () => void
}

function RunHead({ run, compare, listShown, onList }: HeadProps) {
  const { id, state, problem, total } = run
  const editable = useEditable()
  const done = finishedCases(run)
  return (
    <header className="rehearsal-head grid gap-4 border-b border-line bg-surface px-6 py-5 [&>.log-progress]:mt-0">
      <div className="flex items-start justify-between gap-4 gap-x-6">
        <div className="flex min-h-0 min-w-0 flex-1 items-center gap-5">
          <Grade run={run} />
          <div className="grid min-w-0 gap-1">
            <h2 className="mono text-l wrap-anywhere select-text">
              <Shown text={targetOf(run)} max={300} />
            </h2>
            <div className="flex flex-wrap items-center gap-2 gap-x-5 text-s">
              <RunState run={run} />
              <span className="text-mid" role="status">
                {isRehearsalOpen(run)
                  ? `${formatCount(done)} of ${formatCount(total)} cases`
                  : `${done > 0 ? `${summaryOf(run)} ` : ''}${gradeReason(run)}`}
              </span>
            </div>
          </div>
        </div>
        {editable ? (
          <RunActions run={run} listShown={listShown} onList={onList} />
        ) : (
          <SideButton icon={Icons.ListChecks} open={listShown} onOpen={onList}>
            Rehearsals
          </SideButton>
        )}
      </div>
      {state === 'running' && (
        <Progress
          label="Finished cases"
          share={total === 0 ? null : done / total}
          words={`${formatCount(done)} of ${formatCount(total)}`}
        />
      )}
      {problem !== null && <Problem problem={problem} failed={state === 'failed'} />}
      {state === 'interrupted' && (
        <Note tone="warning">
          {editable
            ? 'Tabscope was closed during this run. Rehearse again to judge all cases.'
            : 'This run had not ended when it was exported.'}
        </Note>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 gap-x-6">
        <Facts run={run} />
        <Views id={id} compare={compare} />
      </div>
    </header>
  )
}

interface ProblemProps {
  problem: RehearsalProblem
  /** Whether the problem prevented the run. */
  failed: boolean
}

function Problem({ problem: { message, causes }, failed }: ProblemProps) {
  return (
    <Note tone={failed ? 'invalid' : 'warning'} alert={failed}>
      <b>
        <Shown text={message} max={400} />
      </b>
      {causes.length > 0 && (
        <>
          <p className="mt-2">
            {causes.length === 1 ? 'The most likely cause:' : 'The most likely causes:'}
          </p>
          <ul className="list-disc pl-6">
            {causes.map((cause) => (
              <li key={cause}>
                <Shown text={cause} max={400} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Note>
  )
}

function Facts({ run }: { run: Rehearsal }) {
  const { id, options } = run
  const editable = useEditable()
  return (
    <ul className="dotted flex flex-wrap text-s text-dim" aria-label="Facts">
      <li>#{id}</li>
      {!editable && (
        <li title="An event log is a copy. Its rehearsals cannot be repeated or removed.">
          read-only, from an event log
        </li>
      )}
      <li>
        <Time at={run.startedAt}>{shortDate(run.startedAt)}</Time>
      </li>
      {run.endedAt !== null && <li>{formatDuration(run.endedAt - run.startedAt)}</li>}
      {options.oauth ? (
        <OAuthFacts oauth={options.oauth} />
      ) : (
        <>
          <li>
            <SecretFact run={run} />
          </li>
          <li>{options.observer.kind === 'none' ? 'no observer' : 'observer: a command'}</li>
          <li>seed {options.seed}</li>
        </>
      )}
    </ul>
  )
}

const views = [
  { name: null, label: 'Cases' },
  { name: 'compare', label: 'Compare runs' },
] as const

function Views({ id, compare }: { id: number; compare: boolean }) {
  const log = useLog()
  return (
    <nav
      className="flex gap-3 [&>[aria-current]]:bg-select [&>[aria-current]]:font-semibold [&>[aria-current]]:text-ink"
      aria-label="Views"
    >
      {views.map(({ name, label }) => (
        <a
          key={label}
          className="button"
          data-kind="quiet"
          data-small
          href={rehearsalAddress(id, name, log)}
          aria-current={compare === (name === 'compare') ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

function SecretFact({ run }: { run: Rehearsal }) {
  const log = useLog()
  const editable = useEditable()
  // Endpoints in a log belong to whoever wrote it. Ours are unrelated, even if their IDs are equal.
  const endpoint = useEndpoints(({ endpoints }) =>
    log === null ? endpoints.find((each) => each.id === run.options.endpointId) : undefined,
  )
  if (!run.hasSecret) return 'no secret'
  if (!endpoint) return editable ? 'own secret' : 'with a secret'
  return (
    <>
      secret of <Shown text={endpoint.name} max={60} />
    </>
  )
}

function Grade({ run: { grade, cappedBy, id } }: { run: Rehearsal }) {
  const log = useLog()
  if (grade === null) return null
  const letter = (
    <>
      <span className="visually-hidden">Grade </span>
      {grade}
    </>
  )
  return cappedBy === null || cappedBy === 'no-secret' ? (
    <span className="grade" data-tone={gradeTone(grade)}>
      {letter}
    </span>
  ) : (
    <a
      className="grade"
      data-tone={gradeTone(grade)}
      href={rehearsalAddress(id, cappedBy, log)}
      title={`Open ${cappedBy}, which limits the grade`}
    >
      {letter}
    </a>
  )
}

interface ActionsProps {
  run: Rehearsal
  listShown: boolean
  onList: () => void
}

function RunActions({ run, listShown, onList }: ActionsProps) {
  const client = useClient()
  const { id, state, options } = run
  const remove = (): void =>
    confirm({
      title: `Remove rehearsal ${id}?`,
      description: 'Removes the run with its results and requests.',
      action: 'Remove',
      async run() {
        await client.call('rehearsals.remove', { id })
        forgetRehearsal(id)
        location.assign('#/handler/rehearsals')
      },
    })
  return (
    <div className="grid flex-none gap-3">
      <div className="flex flex-wrap items-center justify-end gap-3">
        <SideButton icon={Icons.ListChecks} open={listShown} onOpen={onList}>
          Rehearsals
        </SideButton>
        {isRehearsalOpen(run) ? (
          <Button onClick={() => cancelRun(client, id)}>Cancel</Button>
        ) : (
          <a
            className="button"
            data-kind={state === 'failed' ? 'primary' : 'plain'}
            href={
              options.oauth
                ? rehearseOAuthAddress(id)
                : rehearseAddress(options.url, options.endpointId)
            }
          >
            <Icons.RotateCw /> Rehearse again
          </a>
        )}
        {finishedCases(run) > 0 && (
          <Button kind="quiet" icon={Icons.FileOutput} onClick={() => openExport(run)}>
            Export…
          </Button>
        )}
        {!isRehearsalOpen(run) && (
          <Button kind="quiet" icon={Icons.Trash2} onClick={remove}>
            Remove
          </Button>
        )}
      </div>
    </div>
  )
}

function openExport(run: Rehearsal): void {
  const { runs } = useRehearsals.of(null).getState()
  const ofTarget = runsOfTarget(runs, run).map(({ id }) => id)
  openExportDialog({ log: null, which: 'none', rehearsal: { id: run.id, ofTarget } })
}
