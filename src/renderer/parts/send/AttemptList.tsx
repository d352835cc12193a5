import { formatDuration } from '#shared/text/format.ts'
import type { KeyboardEvent } from 'react'
import type { AttemptSummary } from '#contract/sending.ts'
import { Shown } from '#kit/Shown.tsx'
import { ago } from '#kit/text/time.ts'
import { shortText } from '#kit/text/visible.ts'
import { useNow, Time } from '#kit/Time.tsx'
import { marksOf, brokenSignatureLabels, outcomeOf, comparisonLabels } from './labels.ts'
import { Icons } from '#kit/icons.tsx'
import { brokenResult } from '#contract/broken-signature.ts'
import { StatusIcon } from '#kit/Mark.tsx'
import './Attempts.css'

interface Props {
  /** Newest first. */
  rows: readonly AttemptSummary[]
  selectedId: number | null
  /** The attempt that the selected one is compared with. */
  againstId?: number | null
  onSelect: (id: number) => void
  label?: string
}

/** A list of attempts, newest first. Arrow keys move between them. */
export function AttemptList({ rows, selectedId, againstId, onSelect, label = 'Attempts' }: Props) {
  return (
    <div className="plain-card">
      <ul className="lined max-h-(--measure-aside) overflow-auto" aria-label={label} data-scrolls>
        {rows.map((row) => (
          <li key={row.id}>
            <AttemptRow
              row={row}
              selected={row.id === selectedId}
              against={row.id === againstId}
              onSelect={onSelect}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface RowProps extends Pick<Props, 'onSelect'> {
  row: AttemptSummary
  selected: boolean
  against: boolean
}

function AttemptRow({ row, selected, against, onSelect }: RowProps) {
  const now = useNow()
  return (
    <button
      type="button"
      className="attempt-row list-row"
      data-testid="attempt-row"
      data-id={row.id}
      aria-current={selected || undefined}
      onClick={() => onSelect(row.id)}
      onKeyDown={moveFocus}
    >
      <span className="flex min-w-0 items-center gap-4 text-s">
        <OutcomeMark row={row} />
        <VerdictAgainst row={row} />
        {against && <span className="tag flex-none">compared with</span>}
        <span className="ml-auto inline-flex flex-none gap-4 text-dim">
          <span>{formatDuration(row.durationMs)}</span>
          <Time at={row.sentAt}>{ago(row.sentAt, now)}</Time>
        </span>
      </span>
      <span className="flex min-w-0 items-center gap-4 text-s text-dim">
        <KindMark kind={row.kind} />
        <span className="mono cut text-xs" title={shortText(row.url, 400)}>
          {row.method === 'POST' ? '' : `${shortText(row.method, 20)} `}
          <Shown text={row.url} max={200} />
        </span>
        {marksOf(row).map((mark) => (
          <span className="tag flex-none" key={mark}>
            {mark}
          </span>
        ))}
        {row.jobId !== null && <span className="tag flex-none">job {row.jobId}</span>}
      </span>
    </button>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return
  const here = event.currentTarget
  const all = here.closest('ul')?.querySelectorAll<HTMLElement>('.attempt-row') ?? []
  const next = all[[...all].findIndex((button) => button === here) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}

const attemptKinds = {
  resend: { icon: Icons.RotateCw, word: 'Re-sent' },
  compose: { icon: Icons.PenLine, word: 'Composed' },
  forward: { icon: Icons.Forward, word: 'Forwarded' },
  pass_through: { icon: Icons.ArrowRightLeft, word: 'Passed through' },
} as const satisfies Record<AttemptSummary['kind'], object>

export function KindMark({ kind }: { kind: AttemptSummary['kind'] }) {
  const { icon: KindIcon, word } = attemptKinds[kind]
  return (
    <span className="inline-flex flex-none items-center gap-2 whitespace-nowrap">
      <KindIcon aria-hidden />
      {word}
    </span>
  )
}

export function OutcomeMark({ row }: { row: Pick<AttemptSummary, 'status' | 'error'> }) {
  const { tone, word } = outcomeOf(row)
  return (
    <span
      className="attempt-outcome inline-flex flex-none items-center gap-2 font-semibold whitespace-nowrap text-tone"
      data-tone={tone}
    >
      {row.status === null ? <Icons.Unplug /> : <StatusIcon tone={tone} />}
      {word}
    </span>
  )
}

const comparisons = {
  same: { tone: 'unsigned', icon: Icons.Equal, title: 'Same as the previous attempt' },
  fixed: { tone: 'valid', icon: Icons.Wrench, title: 'The previous attempt did not get 2xx' },
  regressed: { tone: 'invalid', icon: Icons.TrendingDown, title: 'The previous attempt got 2xx' },
} as const

/** Compares the result with the previous attempt, or shows how the target handled a deliberately broken signature. */
export function VerdictAgainst({ row }: { row: AttemptSummary }) {
  if (row.comparison === null) return <BrokenResult row={row} />
  const { tone, icon: ComparisonIcon, title } = comparisons[row.comparison]
  return (
    <span className="attempt-verdict" data-tone={tone} title={title}>
      <ComparisonIcon aria-hidden />
      {comparisonLabels[row.comparison]}
    </span>
  )
}

function BrokenResult({ row }: { row: AttemptSummary }) {
  const result = brokenResult(row)
  if (result === null) return null
  const refused = result === 'refused'
  return (
    <span
      className="attempt-verdict"
      data-tone={refused ? 'valid' : 'invalid'}
      title={
        refused
          ? 'The signature was broken on purpose, and the target rejected the request'
          : 'The signature was broken on purpose, but the target accepted the request'
      }
    >
      {refused ? <Icons.ShieldCheck /> : <Icons.ShieldAlert />}
      {brokenSignatureLabels[result]}
    </span>
  )
}
