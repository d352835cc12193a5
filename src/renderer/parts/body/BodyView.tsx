import { formatSize, formatCount } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { type ReactNode, type Ref, useCallback, useEffect, useRef, useState } from 'react'
import { cx } from '#kit/cx.ts'
import { Button, IconButton, CopyButton } from '#kit/Button.tsx'
import { Empty, EmptyFailure, Note } from '#kit/Note.tsx'
import { Segments } from '#kit/Switch.tsx'
import { BodyLoading, Marked, TreeView } from './TreeView.tsx'
import { type BodyViewName, bodyViews, bytesPerLine } from './body-model.ts'
import type { BodyCalls, BodySource } from './use-body.ts'
import { type Search, useFound, useSearch, useRows } from './use-rows.ts'
import '#kit/Field.css'
import './BodyView.css'
import { LineNumber, VirtualLines } from '#kit/VirtualLines.tsx'
import { hexLine, printed } from './body-text.ts'

interface Props {
  source: BodySource
  /** The message has a `Content-Encoding`. */
  encoded: boolean
  words: Readonly<Record<BodyViewName, string>>
  none: string
  after?: ReactNode
}

export function BodyView({ source, encoded, words, none, after }: Props) {
  const { body, busy, undecodable, loadMore, setDecoded, retry } = source
  const { held, size, facts, calls } = body
  const [selectedView, setSelectedView] = useState<BodyViewName | null>(null)
  const search = useSearch()

  if (body.phase === 'failed') {
    return (
      <EmptyFailure title="Could not load the body" onRetry={retry}>
        {body.message}
      </EmptyFailure>
    )
  }
  if (body.phase === 'loading' || facts === null || calls === null) {
    return <BodyLoading held={held} size={size} />
  }
  if (size === 0) {
    return (
      <Empty icon={Icons.FileQuestion} title="No body">
        {none}
      </Empty>
    )
  }

  const { text, tree } = facts
  const complete = held >= size
  const possible = bodyViews.filter((name) =>
    name === 'tree' ? tree !== null : name === 'hex' || text,
  )
  const view = possible.find((name) => name === selectedView) ?? possible[0] ?? 'hex'
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Segments
          label="Show the body as"
          value={view}
          options={possible.map((value) => ({ value, label: words[value] }))}
          onChange={setSelectedView}
        />
        {encoded && undecodable === null && (
          <Segments
            label="Content encoding"
            value={source.decoded ? 'decoded' : 'sent'}
            options={[
              { value: 'decoded', label: 'Decoded' },
              { value: 'sent', label: 'As sent' },
            ]}
            onChange={(form) => setDecoded(form === 'decoded')}
          />
        )}
        <SearchBox search={search} />
        <CopyButton
          text={() => calls.call('copy', { hex: view === 'hex' })}
          label={view === 'hex' ? 'Copy body as hex' : 'Copy body'}
        />
      </div>
      {undecodable !== null && (
        <Note tone="warning">Cannot be decoded. Shown as sent. {undecodable}</Note>
      )}
      {!text && !encoded && <Note tone="unsigned">Not UTF-8. Shown as bytes.</Note>}
      <div className="framed flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-md [&_.lines]:flex-1 [&_.lines]:px-0 [&_.lines]:py-3">
        {view === 'tree' && tree !== null && <TreeView calls={calls} {...tree} search={search} />}
        {view === 'text' && <TextView calls={calls} held={held} search={search} />}
        {view === 'hex' && <HexView calls={calls} held={held} search={search} />}
      </div>
      <footer className="flex min-h-(--icon-l) items-center justify-between text-s text-dim">
        <span>
          {complete ? formatSize(size) : `The first ${formatSize(held)} of ${formatSize(size)}`}
          {after}
        </span>
        {!complete && (
          <Button busy={busy} onClick={loadMore}>
            Load more
          </Button>
        )}
      </footer>
    </div>
  )
}

function SearchBox({ search }: { search: Search }) {
  const { query, found, matchIndex, step, setQuery } = search
  const at = found === 0 ? 0 : (((matchIndex % found) + found) % found) + 1
  return (
    <div className="input-frame min-w-(--measure-field)" role="search">
      <Icons.Search className="text-dim" />
      <input
        aria-label="Find in body"
        placeholder="Find in body"
        value={query}
        spellCheck={false}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape' && query !== '') {
            event.stopPropagation()
            setQuery('')
          }
        }}
      />
      {query !== '' && (
        <>
          <span className="text-xs whitespace-nowrap text-dim" role="status">
            {found === 0 ? 'No results' : `${formatCount(at)} of ${formatCount(found)}`}
          </span>
          <IconButton label="Previous match" onClick={() => step(-1)}>
            <Icons.ChevronUp />
          </IconButton>
          <IconButton label="Next match" onClick={() => step(1)}>
            <Icons.ChevronDown />
          </IconButton>
        </>
      )}
    </div>
  )
}

interface LinesProps<T> {
  view: 'text' | 'hex'
  label: string
  calls: BodyCalls
  load: Parameters<typeof useRows<T>>[0]
  /** Loaded bytes. Loading more adds lines. */
  held: number
  search: Search
  renderLine: (row: T, index: number) => ReactNode
}

function Lines<T>(props: LinesProps<T>) {
  const { view, label, calls, load, held, search, renderLine } = props
  const found = useFound(calls, view, search)
  /** A search was already active when this view was opened. */
  const [initiallySearching] = useState(search.query !== '')
  const line = found?.line ?? null
  const { ready, count, rowAt, reveal, onSeen } = useRows(load, { version: held, reveal: line })
  // Wait for the first match before rendering: scrolling to it later would move the user away from their position.
  if (!ready || (initiallySearching && search.query !== '' && found === null))
    return <BodyLoading />
  return (
    <VirtualLines
      label={label}
      count={count}
      reveal={reveal}
      onSeen={onSeen}
      renderLine={(index) => {
        const row = rowAt(index)
        return (
          row && (
            <div className={cx(`${view}-line`, index === line && 'tree-now')}>
              {renderLine(row, index)}
            </div>
          )
        )
      }}
    />
  )
}

type ViewProps = Pick<LinesProps<unknown>, 'calls' | 'held' | 'search'>

/** Left and right of the text in a row, with the scroll bar, in pixels. */
const besideText = 100
/** A longer row would take too long to draw. */
const columnLimits = { min: 24, max: 400 }

/** How many characters of its font fit into a row of an element; null before it is measured. */
function useColumns(): { readonly box: Ref<HTMLDivElement>; readonly columns: number | null } {
  const box = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState<number | null>(null)
  useEffect(() => {
    const element = box.current
    const context = document.createElement('canvas').getContext('2d')
    if (!element || !context) return undefined
    const { fontSize, fontFamily } = getComputedStyle(element)
    context.font = `${fontSize} ${fontFamily}`
    const character = context.measureText('0').width
    const observer = new ResizeObserver(() => {
      const fitting = Math.floor((element.clientWidth - besideText) / character)
      setColumns(Math.min(Math.max(fitting, columnLimits.min), columnLimits.max))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { box, columns }
}

function TextView(props: ViewProps) {
  const { box, columns } = useColumns()
  return (
    <div className="mono flex min-h-0 min-w-0 flex-1 flex-col text-s" ref={box}>
      {columns !== null && <TextLines {...props} columns={columns} />}
    </div>
  )
}

function TextLines(props: ViewProps & { readonly columns: number }) {
  const { calls, search, columns } = props
  return (
    <Lines
      {...props}
      view="text"
      label="Body as text"
      load={useCallback(
        (window) => calls.call('textRows', { ...window, columns }),
        [calls, columns],
      )}
      renderLine={({ number, text }) => (
        <>
          <LineNumber hidden>{number === 0 ? '↪' : number}</LineNumber>
          <Marked text={text} query={search.query} />
        </>
      )}
    />
  )
}

function HexView(props: ViewProps) {
  const { calls } = props
  return (
    <Lines
      {...props}
      view="hex"
      label="Body as bytes"
      load={useCallback((window) => calls.call('hexRows', window), [calls])}
      renderLine={(bytes, index) => (
        <>
          <LineNumber>{(index * bytesPerLine).toString(16).padStart(8, '0')}</LineNumber>
          <span className="text-ink">{hexLine(bytes)}</span>
          <span className="ml-5 text-info">{printed(bytes)}</span>
        </>
      )}
    />
  )
}
