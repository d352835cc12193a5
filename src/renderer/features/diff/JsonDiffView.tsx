import { formatCount, plural } from '#shared/text/format.ts'
import { ArrowRight, ArrowUpDown } from '../../ui/icons.tsx'
import { Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { cut } from '../../ui/text/visible.ts'
import { lineHeight, VirtualLines } from '../../ui/VirtualLines.tsx'
import type { DiffKind, DiffRow, JsonDiff } from './json-diff.ts'

const maxValueLength = 200
const maxIndent = 30
/** Lines shown without scrolling. */
const linesShown = 24

const signs = {
  same: ['=', 'unchanged'],
  open: ['', 'differs below'],
  added: ['+', 'added'],
  removed: ['−', 'removed'],
  changed: ['~', 'changed'],
  retyped: ['≠', 'type changed'],
  moved: ['', 'moved'],
} as const satisfies Record<DiffKind, readonly [sign: string, word: string]>

/** The differences of two JSON documents by path. Unchanged parts are collapsed. */
export function JsonDiffView({ diff }: { readonly diff: JsonDiff }) {
  const { counts } = diff
  // The summary above already reports that the root differs.
  const rows = diff.rows.filter(({ kind, depth }) => kind !== 'open' || depth > 0)
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const shown = diff.rows.reduce((sum, row) => sum + (row.kind === 'same' ? row.count : 1), 0)
  return (
    <div className="round-m framed shrink clip diff-box">
      <div style={{ height: Math.min(rows.length, linesShown) * lineHeight + 12 }}>
        <VirtualLines
          label="Differences by path"
          count={rows.length}
          renderLine={(line) => {
            const row = rows[line]
            return row && <Line row={row} />
          }}
        />
      </div>
      {shown < all && (
        <Text as="p" pad={[3, 4]} size="s" tone="dim">
          {formatCount(all - shown)} more lines are not shown.
        </Text>
      )}
    </div>
  )
}

function Line({ row }: { readonly row: DiffRow }) {
  const [sign, word] = signs[row.kind]
  return (
    <div
      className="diff-line"
      data-kind={row.kind}
      title={row.path === '' ? undefined : cut(row.path, 300)}
      style={{ paddingLeft: 8 + Math.min(row.depth, maxIndent) * 14 }}
    >
      <span className="diff-sign" aria-hidden>
        {row.kind === 'moved' ? <ArrowUpDown /> : sign}
      </span>
      {row.key !== null && (
        <span className={typeof row.key === 'number' ? 'tree-index' : 'tree-key'}>
          <Shown text={cut(String(row.key), maxValueLength)} />
          {row.kind !== 'open' && <span className="tree-colon">: </span>}
        </span>
      )}
      {row.kind !== 'same' && <span className="visually-hidden">{word} </span>}
      <Value row={row} />
    </div>
  )
}

function Value({ row }: { readonly row: DiffRow }) {
  switch (row.kind) {
    case 'open':
      return null
    case 'same':
      return (
        <span className="dim">
          {row.key === null && row.after === null
            ? `${plural(row.count, 'unchanged field', 'unchanged fields')}: `
            : row.key === null
              ? plural(row.count, 'unchanged value', 'unchanged values')
              : 'unchanged'}
          {row.key === null && row.after === null && (
            <Shown text={cut(row.before ?? '', maxValueLength)} />
          )}
        </span>
      )
    case 'added':
      return <SideText side="after" text={row.after} />
    case 'removed':
      return <SideText side="before" text={row.before} />
    case 'changed':
    case 'retyped':
      return (
        <>
          <SideText side="before" text={row.before} />
          <ArrowRight aria-hidden />
          <span className="visually-hidden"> becomes </span>
          <SideText side="after" text={row.after} />
          {row.from !== null && <span className="dim"> was at {row.from}</span>}
        </>
      )
    case 'moved':
      return (
        <>
          <SideText side="after" text={row.after} />
          <span className="dim"> was at {row.from}</span>
        </>
      )
  }
}

function SideText({
  side,
  text,
}: {
  readonly side: 'before' | 'after'
  readonly text: string | null
}) {
  const shown = <Shown text={cut(text ?? '', maxValueLength)} />
  return side === 'before' ? (
    <del className="diff-old">{shown}</del>
  ) : (
    <ins className="diff-new">{shown}</ins>
  )
}
