import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { count as counting } from '../../components/text/numbers.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
import { copyText } from '../../platform/clipboard.ts'
import { BodyComing } from './BodyComing.tsx'
import type { TreeState } from './body-model.ts'
import type { BodyCalls } from './open-body.ts'
import { TreeLine, treeLineId } from './TreeLine.tsx'
import { useRows } from './use-rows.ts'
import type { Search } from './use-search.ts'
import { useFound } from './use-search.ts'

interface Props {
  readonly calls: BodyCalls
  readonly complete: boolean
  readonly values: number
  readonly search: Search
}

/** JSON as a tree whose branches fold; only the lines that are seen are here. */
export function TreeView({ calls, complete, values, search }: Props) {
  const [state, setState] = useState<TreeState>({ revision: 0, line: 0 })
  const found = useFound(calls, 'tree', search)
  /** A search was on already when this view was chosen. */
  const [sought] = useState(search.wanted !== '')
  const [taken, setTaken] = useState(found)
  if (found !== taken) {
    // A new find shows its line; what is folded by hand afterwards counts from there.
    setTaken(found)
    if (found) setState({ revision: found.revision, line: found.line ?? state.line })
  }
  const { ready, count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('treeRows', window), [calls]),
    { version: state.revision, reveal: state.line },
  )
  const active = rowAt(state.line)
  if (!ready || (sought && search.wanted !== '' && found === null)) return <BodyComing />

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
                wanted={search.wanted}
                onChoose={() => {
                  goTo(line)
                  if (row.children > 0) fold(row.index, !row.folded)
                }}
              />
            )
          )
        }}
      />
      <div className="tree-foot">
        <Button
          kind="quiet"
          icon={<ChevronsUpDown aria-hidden />}
          onClick={() => foldAll(false)}
          title="In the tree: *"
        >
          Unfold all
        </Button>
        <Button kind="quiet" icon={<ChevronsDownUp aria-hidden />} onClick={() => foldAll(true)}>
          Fold all
        </Button>
        <CopyButton
          text={() => calls.call('source', active?.index ?? 0)}
          label="Copy value of the active line"
          words="Copy value"
          copy={copyText}
        />
        {!complete && (
          <span className="dim">
            The tree ends after {counting(values)} values. The rest is in the other views.
          </span>
        )}
      </div>
    </>
  )
}
