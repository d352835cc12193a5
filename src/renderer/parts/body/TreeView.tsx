import { formatCount, plural, formatSize } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { type KeyboardEvent, useCallback, useState } from 'react'
import { cx } from '#kit/cx.ts'
import { Button, CopyButton } from '#kit/Button.tsx'
import { VirtualLines } from '#kit/VirtualLines.tsx'
import type { TreeState } from './body-model.ts'
import type { BodyCalls } from './use-body.ts'
import { useRows, type Search, useFound } from './use-rows.ts'
import { truncate } from '#kit/text/visible.ts'
import type { TreeRow } from './json-tree.ts'
import { Masked } from '#kit/Masked.tsx'
import { Shown } from '#kit/Shown.tsx'
import { markMatches } from './search.ts'

const maxTextLength = 500
const maxIndent = 40

interface TreeLineProps {
  row: TreeRow
  line: number
  active: boolean
  /** The current search match. */
  now: boolean
  query: string
  onSelect: () => void
}

function treeLineId(line: number): string {
  return `json-line-${line}`
}

function TreeLine({ row, line, active, now, query, onSelect }: TreeLineProps) {
  const branch = row.children > 0
  return (
    // The tree has the focus and handles keys; clicks are the pointer equivalent.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      className={cx('tree-line', active && 'tree-active', now && 'tree-now')}
      id={treeLineId(line)}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={active}
      aria-expanded={branch ? !row.folded : undefined}
      style={{ paddingLeft: 10 + Math.min(row.depth, maxIndent) * 16 }}
      onClick={onSelect}
    >
      <Icons.ChevronRight
        className={cx('tree-arrow', !branch && 'tree-leaf', branch && !row.folded && 'tree-open')}
      />
      {row.key !== null && (
        <span className={typeof row.key === 'number' ? 'tree-index' : 'tree-key'}>
          <Marked text={truncate(String(row.key), maxTextLength)} query={query} />
          <span className="tree-colon">: </span>
        </span>
      )}
      <TreeValue row={row} query={query} />
    </div>
  )
}

function TreeValue({ row, query }: { row: TreeRow; query: string }) {
  switch (row.kind) {
    case 'object':
      return (
        <span className="tree-size">
          {row.children === 0 ? '{}' : `{ ${plural(row.children, 'field', 'fields')} }`}
        </span>
      )
    case 'array':
      return (
        <span className="tree-size">
          {row.children === 0 ? '[]' : `[ ${plural(row.children, 'value', 'values')} ]`}
        </span>
      )
    case 'string':
    case 'number':
    case 'word':
      return (
        <span className={`tree-${row.kind}`}>
          <Marked text={truncate(row.text, maxTextLength)} query={query} />
        </span>
      )
  }
}

interface Props {
  calls: BodyCalls
  complete: boolean
  values: number
  search: Search
}

export function TreeView({ calls, complete, values, search }: Props) {
  const [state, setState] = useState<TreeState>({ revision: 0, line: 0 })
  const found = useFound(calls, 'tree', search)
  /** A search was already active when this view was opened. */
  const [initiallySearching] = useState(search.query !== '')
  const [applied, setApplied] = useState(found)
  if (found !== applied) {
    // A new match reveals its line. Collapsing by hand afterwards starts from that state.
    setApplied(found)
    if (found) setState({ revision: found.revision, line: found.line ?? state.line })
  }
  const { ready, count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('treeRows', window), [calls]),
    { version: state.revision, reveal: state.line },
  )
  const active = rowAt(state.line)
  if (!ready || (initiallySearching && search.query !== '' && found === null))
    return <BodyLoading />

  function goTo(line: number): void {
    setState((before) => ({ ...before, line: Math.max(0, Math.min(line, count - 1)) }))
  }

  function fold(index: number, folded: boolean): void {
    calls.call('fold', { index, folded }).then(setState, () => undefined)
  }

  function foldAll(folded: boolean): void {
    calls.call('foldAll', { folded, index: active?.index ?? 0 }).then(setState, () => undefined)
  }

  function toParent(): void {
    if (active) calls.call('parentLine', active.index).then(goTo, () => undefined)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const branch = active !== undefined && active.children > 0
    if (event.key === 'ArrowDown') goTo(state.line + 1)
    else if (event.key === 'ArrowUp') goTo(state.line - 1)
    else if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') goTo(count - 1)
    else if (event.key === 'ArrowRight' && branch) fold(active.index, false)
    else if (event.key === 'ArrowLeft' && branch && !active.folded) fold(active.index, true)
    else if (event.key === 'ArrowLeft') toParent()
    else if (event.key === '*') foldAll(false)
    else return
    event.preventDefault()
  }

  return (
    <>
      <VirtualLines
        role="tree"
        label="Body as a tree"
        count={count}
        reveal={reveal}
        active={treeLineId(state.line)}
        onKeyDown={onKeyDown}
        onSeen={onSeen}
        renderLine={(line) => {
          const row = rowAt(line)
          return (
            row && (
              <TreeLine
                row={row}
                line={line}
                active={line === state.line}
                now={found !== null && found.line !== null && line === state.line}
                query={search.query}
                onSelect={() => {
                  goTo(line)
                  if (row.children > 0) fold(row.index, !row.folded)
                }}
              />
            )
          )
        }}
      />
      <div className="flex flex-none flex-wrap items-center gap-2 border-t border-line px-3 py-2 text-s">
        <Button
          kind="quiet"
          icon={Icons.ChevronsUpDown}
          onClick={() => foldAll(false)}
          title="In the tree: *"
        >
          Expand all
        </Button>
        <Button kind="quiet" icon={Icons.ChevronsDownUp} onClick={() => foldAll(true)}>
          Collapse all
        </Button>
        <CopyButton
          text={() => calls.call('source', active?.index ?? 0)}
          label="Copy value of the active line"
          words="Copy value"
        />
        {!complete && (
          <span className="text-dim">
            The tree is limited to {formatCount(values)} values. See the other views for the rest.
          </span>
        )}
      </div>
    </>
  )
}

interface LoadingProps {
  /** Loaded bytes, and total bytes; 0 while unknown. */
  held?: number
  size?: number
}

/** Shown while a body is loading. Fades in, so that short waits do not flicker. */
export function BodyLoading({ held = 0, size = 0 }: LoadingProps) {
  return (
    <div
      className="grid h-full flex-1 [animation:late_400ms_step-end] place-items-center text-dim"
      role="status"
    >
      Loading the body{size > held && held > 0 && `: ${formatSize(held)} of ${formatSize(size)}`}
    </div>
  )
}

/** Untrusted text with search matches highlighted and masked secrets as chips. */
export function Marked({ text, query }: { text: string; query: string }) {
  return markMatches(text, query).map((part, index) =>
    part.hit ? (
      // The text is fixed, so the index is the key.
      // oxlint-disable-next-line react/no-array-index-key
      <mark className="hit data-now:bg-accent data-now:text-accent-ink" key={index}>
        <Shown text={part.text} />
      </mark>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <Masked key={index} text={part.text} />
    ),
  )
}
