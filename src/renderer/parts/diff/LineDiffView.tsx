import { formatCount, plural } from '#shared/text/format.ts'
import { useId, type ReactNode } from 'react'
import { Shown } from '#kit/Shown.tsx'
import { lineHeight, LineNumber, VirtualLines } from '#kit/VirtualLines.tsx'
import type { LineRow } from './diff-model.ts'
import './Diff.css'

const linesShown = 24
const signs = { same: ' ', added: '+', removed: '−', changed: '~', skipped: '…' } as const

/** The lines of a comparison, of which only the visible ones are rendered. */
export function LineDiffView({ rows }: { rows: readonly LineRow[] }) {
  const countOf = (kind: LineRow['kind']): number => rows.filter((row) => row.kind === kind).length
  return (
    <DiffBox
      summary={`${plural(countOf('added'), 'line', 'lines')} added, ${formatCount(countOf('removed'))} removed.`}
    >
      <div style={{ height: Math.min(rows.length, linesShown) * lineHeight + 12 }}>
        <VirtualLines
          label="Differences by line"
          count={rows.length}
          renderLine={(line) => {
            const row = rows[line]
            return row && <Line row={row} />
          }}
        />
      </div>
    </DiffBox>
  )
}

function Line({ row: { kind, number, text } }: { row: LineRow }) {
  return (
    <DiffLine
      kind={kind}
      before={<LineNumber hidden>{kind === 'skipped' ? '' : number}</LineNumber>}
    >
      {kind === 'skipped' ? (
        <span className="text-dim">{plural(number, 'unchanged line', 'unchanged lines')}</span>
      ) : kind === 'same' ? (
        <Shown text={text} />
      ) : (
        <Changed kind={kind} text={text} />
      )}
    </DiffLine>
  )
}

interface DiffLineProps {
  kind: keyof typeof signs
  before?: ReactNode
  children: ReactNode
}

/** A line with the sign of what changed. */
export function DiffLine({ kind, before, children }: DiffLineProps) {
  return (
    <div
      className="diff-line h-(--code-line) pr-6 data-[kind=added]:bg-valid-soft data-[kind=changed]:bg-warning-soft data-[kind=removed]:bg-invalid-soft [&_del+svg]:mx-3 [&_del+svg]:my-0 [&_svg]:align-[-1px] [&_svg]:icon-xs"
      data-kind={kind}
    >
      {before}
      <span className="inline-block w-(--icon-m) text-center text-mid select-none" aria-hidden>
        {signs[kind]}
      </span>
      {children}
    </div>
  )
}

export function Changed({ kind, text }: { kind: 'added' | 'removed'; text: string }) {
  return kind === 'added' ? (
    <ins className="text-valid no-underline">
      <Shown text={text} />
    </ins>
  ) : (
    <del className="text-invalid [text-decoration-thickness:1px]">
      <Shown text={text} />
    </del>
  )
}

export function DiffSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section
      className="grid min-w-0 justify-items-start gap-4 [&>.definitions]:w-full [&>.diff-box]:w-full [&>.note]:w-full"
      aria-labelledby={heading}
    >
      <h3 className="section-title" id={heading}>
        {title}
      </h3>
      {children}
    </section>
  )
}

export function DiffBox({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <div className="framed diff-box min-w-0 overflow-hidden rounded-md [&_.lines]:px-0 [&_.lines]:py-3">
      <p className="px-4 py-3 text-s text-dim">{summary}</p>
      {children}
    </div>
  )
}

/** States that nothing differs. */
export function SameText({ children }: { children: string }) {
  return <p className="font-semibold text-valid">{children}</p>
}
