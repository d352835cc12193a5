import { ChevronRight } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { cx } from '../../components/cx.ts'
import { count, counted } from '../../components/text/numbers.ts'
import { cut } from '../../components/text/visible.ts'
import { VirtualLines } from '../../components/VirtualLines.tsx'
import type { Sliced } from './in-slices.ts'
import { useSliced } from './in-slices.ts'
import type { JsonNode, JsonNodes } from './json-nodes.ts'
import { ancestors, fold, foldedAtFirst, isFolded, unfolded } from './json-nodes.ts'
import { Marked } from './Marked.tsx'
import type { Search } from './use-search.ts'
import { useHits } from './use-search.ts'

const longestText = 500
const indentMost = 40
const searchedAtOnce = 20_000

/** JSON as a tree whose branches fold; only the lines that are seen are drawn. */
export function JsonTree({ tree, search }: { readonly tree: JsonNodes; readonly search: Search }) {
  const { nodes, complete } = tree
  const [folding, setFolding] = useState(() => foldedAtFirst(nodes))
  const [active, setActive] = useState(0)
  const hits = useSliced(
    useCallback(() => hitsIn(nodes, search.wanted), [nodes, search.wanted]),
    search.wanted === '' || nodes.length <= searchedAtOnce,
  )
  const hit = useHits(search, hits)
  const open = useMemo(
    () => (hit === null ? folding : fold(nodes, ancestors(nodes, hit), folding, false)),
    [folding, hit, nodes],
  )
  const seen = useMemo(() => unfolded(nodes, open), [nodes, open])

  function turn(index: number, folded: boolean): void {
    setFolding(fold(nodes, [index], open, folded))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const place = seen.indexOf(active)
    const node = nodes[active]
    const next = keyed(event.key, place, seen.length)
    if (next !== null) setActive(seen[next] ?? 0)
    else if (event.key === 'ArrowRight' && node && node.children > 0) turn(active, false)
    else if (
      event.key === 'ArrowLeft' &&
      node &&
      node.children > 0 &&
      !isFolded(nodes, active, open)
    ) {
      turn(active, true)
    } else if (event.key === 'ArrowLeft') setActive(ancestors(nodes, active).at(-1) ?? 0)
    else return
    event.preventDefault()
  }

  const place = hit === null ? seen.indexOf(active) : seen.indexOf(hit)
  return (
    <>
      <VirtualLines
        role="tree"
        label="Body as a tree"
        count={seen.length}
        reveal={place}
        active={`json-${active}`}
        onKeyDown={onKeyDown}
        renderLine={(line) => {
          const index = seen[line] ?? 0
          const node = nodes[index]
          return (
            node && (
              <TreeLine
                node={node}
                index={index}
                folded={isFolded(nodes, index, open)}
                active={index === active}
                now={index === hit}
                wanted={search.wanted}
                onFold={() => {
                  setActive(index)
                  turn(index, !isFolded(nodes, index, open))
                }}
              />
            )
          )
        }}
      />
      {!complete && (
        <p className="body-note">
          The tree ends after {count(nodes.length)} values. The rest is in the other views.
        </p>
      )}
    </>
  )
}

interface LineProps {
  readonly node: JsonNode
  readonly index: number
  readonly folded: boolean
  readonly active: boolean
  readonly now: boolean
  readonly wanted: string
  readonly onFold: () => void
}

function TreeLine({ node, index, folded, active, now, wanted, onFold }: LineProps) {
  const branch = node.children > 0
  return (
    // The tree holds the focus and handles the keys; a click is the pointer's way of the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      className={cx('tree-line', active && 'tree-active', now && 'tree-now')}
      id={`json-${index}`}
      role="treeitem"
      aria-level={node.depth + 1}
      aria-selected={active}
      aria-expanded={branch ? !folded : undefined}
      style={{ paddingLeft: 10 + Math.min(node.depth, indentMost) * 16 }}
      onClick={branch ? onFold : undefined}
    >
      <ChevronRight
        aria-hidden
        className={cx('tree-arrow', !branch && 'tree-leaf', branch && !folded && 'tree-open')}
      />
      {node.key !== null && (
        <span className={typeof node.key === 'number' ? 'tree-index' : 'tree-key'}>
          <Marked text={cut(String(node.key), longestText)} wanted={wanted} />
          <span className="tree-colon">: </span>
        </span>
      )}
      <TreeValue node={node} wanted={wanted} />
    </div>
  )
}

function TreeValue({ node, wanted }: { readonly node: JsonNode; readonly wanted: string }) {
  switch (node.kind) {
    case 'object':
      return (
        <span className="tree-size">
          {node.children === 0 ? '{}' : `{ ${counted(node.children, 'field', 'fields')} }`}
        </span>
      )
    case 'array':
      return (
        <span className="tree-size">
          {node.children === 0 ? '[]' : `[ ${counted(node.children, 'value', 'values')} ]`}
        </span>
      )
    case 'string':
    case 'number':
    case 'word':
      return (
        <span className={`tree-${node.kind}`}>
          <Marked text={cut(node.text, longestText)} wanted={wanted} />
        </span>
      )
  }
}

function* hitsIn(nodes: readonly JsonNode[], wanted: string): Sliced<number[]> {
  const hits: number[] = []
  if (wanted === '') return hits
  const low = wanted.toLowerCase()
  for (const [index, node] of nodes.entries()) {
    const key = typeof node.key === 'string' ? node.key : ''
    if (key.toLowerCase().includes(low) || node.text.toLowerCase().includes(low)) hits.push(index)
    if (index % 1000 === 0) yield
  }
  return hits
}

function keyed(key: string, place: number, size: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(place + 1, size - 1)
    case 'ArrowUp':
      return Math.max(place - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return size - 1
    default:
      return null
  }
}
