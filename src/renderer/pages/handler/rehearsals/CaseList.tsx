import { Icons } from '#kit/icons.tsx'
import { caseGroups } from '#catalogue/rehearsal/cases.ts'
import { type FailureGroup, fixOfGroup } from '#catalogue/rehearsal/root-causes.ts'
import type { Rehearsal } from '#contract/rehearsal.ts'
import { formatCount } from '#shared/text/format.ts'
import { Button } from '#kit/Button.tsx'
import { Empty } from '#kit/Note.tsx'
import { Fold } from '#kit/Page.tsx'
import { Shown } from '#kit/Shown.tsx'
import { rehearsalAddress } from '#client/addresses/rehearse.ts'
import { useLog } from '#client/state/scope.ts'
import { Fix } from './Fix.tsx'
import { resultLooks, ResultMark, shownResult, type CaseRow, type ShownResult } from './labels.tsx'

interface FiltersProps {
  rows: readonly CaseRow[]
  filter: ShownResult | 'all'
  onFilter: (filter: ShownResult | 'all') => void
}

/** Shows all cases, or those with one result. */
export function CaseFilters({ rows, filter, onFilter }: FiltersProps) {
  const counts = Map.groupBy(rows, shownResult)
  return (
    <div
      className="flex flex-none flex-wrap gap-2 border-b border-line px-5 py-3"
      role="group"
      aria-label="Show"
    >
      <Button small aria-pressed={filter === 'all'} onClick={() => onFilter('all')}>
        All <span className="text-mid">{formatCount(rows.length)}</span>
      </Button>
      {resultNames.map((name) => {
        const count = counts.get(name)?.length ?? 0
        if (count === 0 && name !== filter) return null
        const { icon: Icon, tone, word } = resultLooks[name]
        return (
          <Button
            key={name}
            small
            aria-pressed={name === filter}
            icon={<Icon className="text-tone" data-tone={tone} aria-hidden />}
            onClick={() => onFilter(name)}
          >
            {word} <span className="text-mid">{formatCount(count)}</span>
          </Button>
        )
      })}
    </div>
  )
}

const resultNames = ['fail', 'flaky', 'warn', 'review', 'pass', 'skipped', 'waiting'] as const

export interface CaseSection {
  readonly label: string
  /** The failed cases of one root cause; null: cases of one kind. */
  readonly failures: FailureGroup | null
  readonly rows: readonly CaseRow[]
}

/** The cases by kind. `groups`: root causes, whose failed cases come first. */
export function sectionsOf(
  rows: readonly CaseRow[],
  groups: readonly FailureGroup[],
): CaseSection[] {
  const failed = new Set(groups.flatMap(({ cases }) => cases))
  const others = rows.filter(({ id }) => !failed.has(id))
  const ofKind = (label: string, isOfKind: (row: CaseRow) => boolean): CaseSection => ({
    label,
    failures: null,
    rows: others.filter(isOfKind),
  })
  return [
    ...groups.map((failures) => ({
      label: failures.title,
      failures,
      rows: rows.filter(({ id }) => failures.cases.includes(id)),
    })),
    ...caseGroups.map(({ id, label }) =>
      ofKind(
        label,
        ({ definition }) =>
          definition !== undefined && 'group' in definition && definition.group === id,
      ),
    ),
    ofKind(
      'OAuth client',
      ({ definition }) => definition !== undefined && !('group' in definition),
    ),
    ofKind('Other', ({ definition }) => definition === undefined),
  ].filter((section) => section.rows.length > 0)
}

interface ListProps {
  run: Rehearsal
  sections: readonly CaseSection[]
  currentId: string | null
}

export function CaseList({ run, sections, currentId }: ListProps) {
  if (sections.length === 0) {
    return (
      <Empty icon={Icons.FlaskConical} title="No results">
        No case of this run has such a result.
      </Empty>
    )
  }
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-auto">
      {sections.map(({ label, failures, rows }, index) => (
        <section key={label} aria-label={label}>
          {failures === null ? (
            <h3 className="sticky top-0 z-(--layer-sticky) bg-bg px-5 py-3 text-xs font-semibold text-dim">
              {label}
            </h3>
          ) : (
            <RootCause run={run} failures={failures} isOpen={index === 0 && currentId === null} />
          )}
          <ul className="lined grid">
            {rows.map((row) => (
              <li key={row.id}>
                <CaseLink run={run.id} row={row} current={row.id === currentId} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface RootCauseProps {
  run: Rehearsal
  failures: FailureGroup
  /** Whether the fix is shown at first. */
  isOpen: boolean
}

function RootCause({ run, failures, isOpen }: RootCauseProps) {
  const text = fixOfGroup(failures, null)
  return (
    <>
      <h3
        className="flex items-center gap-4 bg-tone-soft px-5 py-4 font-semibold text-tone"
        data-tone="invalid"
      >
        <Icons.CircleAlert />
        <span>{failures.title}</span>
      </h3>
      {text !== null && (
        <div className="grid border-b border-line bg-surface px-5 py-4">
          <Fold summary="How to fix it" open={isOpen}>
            {failures.fix === null ? (
              <p className="wrap-anywhere">{text}</p>
            ) : (
              <Fix topic={failures.fix} run={run} />
            )}
          </Fold>
        </div>
      )}
    </>
  )
}

function CaseLink(props: { run: number; row: CaseRow; current: boolean }) {
  const { run, row, current } = props
  const { reason = null, received = '' } = row.result ?? {}
  const log = useLog()
  return (
    <a
      className="list-row case-row text-s"
      href={rehearsalAddress(run, row.id, log)}
      aria-current={current || undefined}
      data-case={row.id}
      data-testid="case-row"
      data-result={shownResult(row)}
    >
      <ResultMark result={shownResult(row)} />
      <span className="mono w-9 flex-none">{row.id}</span>
      <span className="cut">
        <Shown text={row.title} max={200} />
      </span>
      <span className="cut max-w-(--measure-field) text-xs text-dim">
        <Shown text={received} max={80} />
      </span>
      <span className="text-xs text-dim">{row.level}</span>
      {reason !== null && (
        <span className="cut col-[3/-1] text-xs text-dim">
          <Shown text={reason} max={300} />
        </span>
      )}
    </a>
  )
}
