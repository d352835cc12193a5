import { formatCount, plural } from '#shared/text/format.ts'
import { diffLines } from '#shared/diff/lines.ts'
import type { ReactNode } from 'react'
import { Shown } from '#kit/Shown.tsx'
import { lineHeight, VirtualLines } from '#kit/VirtualLines.tsx'
import { lineRows, type LineRow } from './diff-model.ts'
import './Diff.css'

/** Lines shown without scrolling. */
const linesShown = 24
const signs = { same: ' ', added: '+', removed: '−', changed: '~', skipped: '…' } as const

interface DiffLinesProps {
  readonly label: string
  readonly summary: string
  readonly count: number
  readonly renderLine: (line: number) => ReactNode
}

/** The lines of a comparison, of which only the visible ones are rendered. */
export function DiffLines({ label, summary, count, renderLine }: DiffLinesProps) {
  return (
    <div className="framed diff-box min-w-0 overflow-hidden rounded-md [&_.lines]:px-0 [&_.lines]:py-3">
      <p className="px-4 py-3 text-s text-dim">{summary}</p>
      <div style={{ height: Math.min(count, linesShown) * lineHeight + 12 }}>
        <VirtualLines label={label} count={count} renderLine={renderLine} />
      </div>
    </div>
  )
}

export function DiffSign({ kind }: { readonly kind: keyof typeof signs }) {
  return (
    <span className="inline-block w-(--icon-m) text-center text-mid select-none" aria-hidden>
      {signs[kind]}
    </span>
  )
}

export function LineDiffView({ rows }: { readonly rows: readonly LineRow[] }) {
  const countOf = (kind: LineRow['kind']): number => rows.filter((row) => row.kind === kind).length
  return (
    <DiffLines
      label="Differences by line"
      summary={`${plural(countOf('added'), 'line', 'lines')} added, ${formatCount(countOf('removed'))} removed.`}
      count={rows.length}
      renderLine={(line) => {
        const row = rows[line]
        return row && <Line row={row} />
      }}
    />
  )
}

function Line({ row: { kind, number, text } }: { readonly row: LineRow }) {
  return (
    <div
      className="diff-line h-(--code-line) pr-6 data-[kind=added]:bg-valid-soft data-[kind=changed]:bg-warning-soft data-[kind=removed]:bg-invalid-soft [&_del+svg]:mx-3 [&_del+svg]:my-0 [&_svg]:align-[-1px] [&_svg]:icon-xs"
      data-kind={kind}
    >
      <span
        className="line-number mr-5 inline-block w-11 text-right text-dim select-none"
        aria-hidden
      >
        {kind === 'skipped' ? '' : number}
      </span>
      <DiffSign kind={kind} />
      {kind === 'skipped' ? (
        <span className="text-dim">{plural(number, 'unchanged line', 'unchanged lines')}</span>
      ) : kind === 'added' ? (
        <ins className="text-valid no-underline">
          <Shown text={text} />
        </ins>
      ) : kind === 'removed' ? (
        <del className="text-invalid [text-decoration-thickness:1px]">
          <Shown text={text} />
        </del>
      ) : (
        <Shown text={text} />
      )}
    </div>
  )
}

/** States that nothing differs. */
export function SameText({ children }: { readonly children: string }) {
  return <p className="font-semibold text-valid">{children}</p>
}

interface TextDiffProps {
  readonly before: string
  readonly after: string
  /** Shown instead if the texts are equal. */
  readonly equal: string
}

export function TextDiffView({ before, after, equal }: TextDiffProps) {
  if (before === after) return <SameText>{equal}</SameText>
  const lines = diffLines(before, after)
  if (lines === null) return <p className="text-dim">They are too different to compare by line.</p>
  return <LineDiffView rows={lineRows(lines)} />
}
