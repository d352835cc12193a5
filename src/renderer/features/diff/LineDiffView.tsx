import { Shown } from '../../components/Shown.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { lineHeight, VirtualLines } from '../../components/VirtualLines.tsx'
import type { LineDiff, LineRow } from './byte-diff.ts'

const linesShown = 24

/** Two texts line by line. */
export function LineDiffView({ diff }: { readonly diff: LineDiff }) {
  const { rows, added, removed } = diff
  return (
    <div className="diff-box">
      <p className="dim">
        {counted(added, 'line', 'lines')} added, {counted(removed, 'line', 'lines')} removed.
      </p>
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
    </div>
  )
}

const signs = { same: ' ', added: '+', removed: '−', skipped: '…' } as const satisfies Record<
  LineRow['kind'],
  string
>

function Line({ row }: { readonly row: LineRow }) {
  return (
    <div className="diff-line" data-kind={row.kind}>
      <span className="line-number" aria-hidden>
        {row.kind === 'skipped' ? '' : row.number}
      </span>
      <span className="diff-sign" aria-hidden>
        {signs[row.kind]}
      </span>
      {row.kind === 'skipped' ? (
        <span className="dim">{count(row.number)} lines are the same</span>
      ) : row.kind === 'added' ? (
        <ins className="diff-new">
          <Shown text={row.text} />
        </ins>
      ) : row.kind === 'removed' ? (
        <del className="diff-old">
          <Shown text={row.text} />
        </del>
      ) : (
        <Shown text={row.text} />
      )}
    </div>
  )
}
