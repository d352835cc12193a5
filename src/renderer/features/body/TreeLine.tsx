import { ChevronRight } from 'lucide-react'
import { cx } from '../../components/cx.ts'
import { counted } from '../../components/text/numbers.ts'
import { cut } from '../../components/text/visible.ts'
import type { TreeRow } from './json-tree.ts'
import { Marked } from './Marked.tsx'

const longestText = 500
const indentMost = 40

interface Props {
  readonly row: TreeRow
  readonly line: number
  readonly active: boolean
  /** What a search has just shown. */
  readonly now: boolean
  readonly wanted: string
  readonly onChoose: () => void
}

export function treeLineId(line: number): string {
  return `json-line-${line}`
}

export function TreeLine({ row, line, active, now, wanted, onChoose }: Props) {
  const branch = row.children > 0
  return (
    // The tree holds the focus and handles the keys; a click is the pointer's way of the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      className={cx('tree-line', active && 'tree-active', now && 'tree-now')}
      id={treeLineId(line)}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={active}
      aria-expanded={branch ? !row.folded : undefined}
      style={{ paddingLeft: 10 + Math.min(row.depth, indentMost) * 16 }}
      onClick={onChoose}
    >
      <ChevronRight
        aria-hidden
        className={cx('tree-arrow', !branch && 'tree-leaf', branch && !row.folded && 'tree-open')}
      />
      {row.key !== null && (
        <span className={typeof row.key === 'number' ? 'tree-index' : 'tree-key'}>
          <Marked text={cut(String(row.key), longestText)} wanted={wanted} />
          <span className="tree-colon">: </span>
        </span>
      )}
      <TreeValue row={row} wanted={wanted} />
    </div>
  )
}

function TreeValue({ row, wanted }: { readonly row: TreeRow; readonly wanted: string }) {
  switch (row.kind) {
    case 'object':
      return (
        <span className="tree-size">
          {row.children === 0 ? '{}' : `{ ${counted(row.children, 'field', 'fields')} }`}
        </span>
      )
    case 'array':
      return (
        <span className="tree-size">
          {row.children === 0 ? '[]' : `[ ${counted(row.children, 'value', 'values')} ]`}
        </span>
      )
    case 'string':
    case 'number':
    case 'word':
      return (
        <span className={`tree-${row.kind}`}>
          <Marked text={cut(row.text, longestText)} wanted={wanted} />
        </span>
      )
  }
}
