import { useEffect, useState } from 'react'
import type { CaseResult, Rehearsal } from '#contract/rehearsal.ts'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { shortDate } from '#kit/text/time.ts'
import { Time } from '#kit/Time.tsx'
import { LoadFailure } from '#kit/Note.tsx'
import { Checkbox } from '#kit/Field.tsx'
import { messageOf } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { rehearsalAddress } from '#client/addresses/rehearse.ts'
import { newestRuns, addResults, useRehearsals } from '#client/state/rehearsals.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import {
  caseRows,
  type Change,
  changeLooks,
  changeOf,
  finishedCases,
  isSameTarget,
  resultLooks,
  type CaseRow,
} from './labels.tsx'

const maxRuns = 6
const maxNamed = 12

type Results = ReadonlyMap<number, ReadonlyMap<string, CaseResult>>

/** The last runs of the target with results, the oldest first. The given run is always among them. */
export function runsOfTarget(
  runs: ReadonlyMap<number, Rehearsal>,
  run: Rehearsal,
): readonly Rehearsal[] {
  const same = newestRuns(runs).filter(
    (each) => each.id === run.id || (isSameTarget(each, run) && finishedCases(each) > 0),
  )
  const last = same.slice(0, maxRuns)
  const shown = last.some(({ id }) => id === run.id) ? last : [...last.slice(0, -1), run]
  return shown.toReversed()
}

/** What changed for a case between the last two of these runs that have a result for it. */
export function lastChange(
  caseId: string,
  runs: readonly Rehearsal[],
  results: Results,
): Change | null {
  const had = runs.flatMap(({ id }) => results.get(id)?.get(caseId)?.result ?? [])
  const [before, after] = [had.at(-2), had.at(-1)]
  return before === undefined || after === undefined ? null : changeOf(before, after)
}

/** "Fixed: S4, T9. Regressed: T3." Only the first cases are named. */
export function changesText(
  changes: readonly { readonly id: string; readonly change: Change | null }[],
): string {
  const parts = (['fixed', 'improved', 'regressed'] as const).flatMap((kind) => {
    const ids = changes.filter(({ change }) => change === kind).map(({ id }) => id)
    const rest = ids.length - maxNamed
    const named = [...ids.slice(0, maxNamed), ...(rest > 0 ? [`${rest} more`] : [])]
    return ids.length === 0 ? [] : `${changeLooks[kind].word}: ${named.join(', ')}.`
  })
  return parts.length === 0 ? 'Nothing changed since the run before.' : parts.join(' ')
}

/** Cases and the last runs of the same target: what is fixed, and what regressed. */
export function RunMatrix({ run }: { run: Rehearsal }) {
  const client = useClient()
  const log = useLog()
  const editable = useEditable()
  const all = useRehearsals((state) => state.runs)
  const results = useRehearsals((state) => state.results)
  const loaded = useRehearsals((state) => state.loaded)
  const [failure, setFailure] = useState<string | null>(null)
  const [onlyChanged, setOnlyChanged] = useState(false)
  const runs = runsOfTarget(all, run)
  const missing = runs.filter(({ id }) => !loaded.has(id)).map(({ id }) => id)
  const key = missing.join()
  useEffect(() => {
    if (failure !== null) return
    for (const id of key === '' ? [] : key.split(',').map(Number)) {
      client.call('rehearsals.get', { id, log }).then(
        ({ rehearsal, results: found }) => addResults(rehearsal, found, log),
        (error: unknown) => setFailure(messageOf(error)),
      )
    }
  }, [client, failure, key, log])
  const rows = caseRows({ ...run.options, only: [], skip: [] }, merged(runs, results))
    .filter(({ id }) => runs.some((each) => results.get(each.id)?.has(id)))
    .map((row) => ({ row, change: lastChange(row.id, runs, results) }))
  return (
    // Scrollable, so it must be reachable by keyboard.
    <section
      className="min-h-0 min-w-0 flex-1 overflow-auto"
      aria-label="Runs of this target"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
    >
      <div className="grid gap-5 px-6 py-5">
        {failure !== null && <LoadFailure onRetry={() => setFailure(null)}>{failure}</LoadFailure>}
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p>
            {runs.length < 2
              ? `This is the only run of this target. ${editable ? 'Rehearse it again to compare.' : 'There is nothing to compare it with.'}`
              : changesText(rows.map(({ row: { id }, change }) => ({ id, change })))}
          </p>
          {runs.length > 1 && (
            <label className="flex items-center gap-4 text-s">
              <Checkbox checked={onlyChanged} onChange={setOnlyChanged} />
              Only changed cases
            </label>
          )}
        </div>
        <table
          className="matrix framed w-full border-separate text-s [&_thead_th]:border-0 [&_thead_th]:align-bottom [&_thead_th]:whitespace-nowrap [&_thead_th>*]:block"
          aria-label="Cases by run"
        >
          <thead>
            <tr>
              <th scope="col">Case</th>
              {runs.map((each) => (
                <th scope="col" key={each.id} aria-current={each.id === run.id || undefined}>
                  <a href={rehearsalAddress(each.id, null, log)}>#{each.id}</a>
                  <Time at={each.startedAt} className="text-dim">
                    {shortDate(each.startedAt)}
                  </Time>
                  <span>{each.grade === null ? 'no grade' : `Grade ${each.grade}`}</span>
                </th>
              ))}
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(({ change }) => !onlyChanged || change !== null)
              .map(({ row, change }) => (
                <MatrixRow key={row.id} row={row} change={change} runs={runs} results={results} />
              ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function merged(runs: readonly Rehearsal[], results: Results): ReadonlyMap<string, CaseResult> {
  return new Map(runs.flatMap(({ id }) => [...(results.get(id) ?? [])]))
}

interface RowProps {
  row: CaseRow
  change: Change | null
  runs: readonly Rehearsal[]
  results: Results
}

function MatrixRow({ row, change, runs, results }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span className="mono">{row.id}</span> <Shown text={row.title} max={120} />
      </th>
      {runs.map(({ id }) => {
        const result = results.get(id)?.get(row.id)
        if (!result) {
          return (
            <td key={id} className="text-dim">
              <span aria-hidden>–</span>
              <span className="visually-hidden">not run</span>
            </td>
          )
        }
        return (
          <td key={id}>
            <ResultLink run={id} result={result} />
          </td>
        )
      })}
      <td>{change && <StateMark {...changeLooks[change]} />}</td>
    </tr>
  )
}

function ResultLink({ run, result }: { run: number; result: CaseResult }) {
  const { icon: Icon, tone, word } = resultLooks[result.result]
  const log = useLog()
  return (
    <a href={rehearsalAddress(run, result.id, log)} title={`Open ${result.id} of run ${run}`}>
      <span className="disc" data-tone={tone}>
        <Icon aria-hidden strokeWidth={2.8} />
      </span>
      <span className="text-xs text-tone" data-tone={tone}>
        {word}
      </span>
    </a>
  )
}
