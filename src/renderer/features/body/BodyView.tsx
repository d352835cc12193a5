import { formatSize as byteSize, formatCount as count } from '#shared/text/format.ts'
import {
  ChevronDown,
  ChevronUp,
  CircleAlert,
  FileQuestion,
  Search as SearchIcon,
} from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { Text, Row, Stack } from '../../ui/Layout.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { copyText } from '../../platform/clipboard.ts'
import { BodyComing } from './BodyComing.tsx'
import { type BodyViewName, bodyViews, bytesPerLine } from './body-model.ts'
import { TreeView } from './TreeView.tsx'
import type { BodySource } from './use-body.ts'
import { type Search, useFound, useSearch } from './use-search.ts'
import '../../ui/Field.css'
import './BodyView.css'
import { cx } from '../../ui/cx.ts'
import { VirtualLines } from '../../ui/VirtualLines.tsx'
import { Marked } from './Marked.tsx'
import type { BodyCalls } from './open-body.ts'
import { useRows } from './use-rows.ts'
import { hexLine, printed } from './in-slices.ts'

interface Props {
  readonly source: BodySource
  /** It came with a `Content-Encoding`. */
  readonly encoded: boolean
  /** What the three views are called. */
  readonly words: Readonly<Record<BodyViewName, string>>
  /** Said when there is no body. */
  readonly none: string
  /** Said after the size. */
  readonly after?: ReactNode
}

/** A body as tree, text and bytes. */
export function BodyView({ source, encoded, words, none, after }: Props) {
  const { body, busy, undecodable, loadMore, setDecoded, retry } = source
  const { held, size, facts, calls } = body
  const [chosen, setChosen] = useState<BodyViewName | null>(null)
  const search = useSearch()

  if (body.phase === 'failed') {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="The body could not be read"
        actions={<Button onClick={retry}>Try again</Button>}
      >
        {body.message}
      </Empty>
    )
  }
  if (body.phase === 'loading' || facts === null || calls === null) {
    return <BodyComing held={held} size={size} />
  }
  if (size === 0) {
    return (
      <Empty icon={<FileQuestion aria-hidden />} title="There is no body">
        {none}
      </Empty>
    )
  }

  const { text, tree } = facts
  const whole = held >= size
  const possible = bodyViews.filter((name) =>
    name === 'tree' ? tree !== null : name === 'hex' || text,
  )
  const view = chosen !== null && possible.includes(chosen) ? chosen : (possible[0] ?? 'hex')
  return (
    <Stack column gap={4} shrink full>
      <div className="body-tools">
        <Segments
          label="Show the body as"
          value={view}
          options={possible.map((value) => ({ value, label: words[value] }))}
          onChange={setChosen}
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
          copy={copyText}
        />
      </div>
      {undecodable !== null && (
        <Note tone="missing">Cannot be decoded. Shown as sent. {undecodable}</Note>
      )}
      {!text && !encoded && <Note tone="unsigned">Not UTF-8. Shown as bytes.</Note>}
      <Stack column grow shrink clip frame round="m" className="body-view">
        {view === 'tree' && tree !== null && <TreeView calls={calls} {...tree} search={search} />}
        {view === 'text' && <TextView calls={calls} held={held} search={search} />}
        {view === 'hex' && <HexView calls={calls} held={held} search={search} />}
      </Stack>
      <Row as="footer" align="center" justify="between" size="s" tone="dim" className="body-foot">
        <span>
          {whole ? byteSize(size) : `The first ${byteSize(held)} of ${byteSize(size)}`}
          {after}
        </span>
        {!whole && (
          <Button busy={busy} onClick={loadMore}>
            Load more
          </Button>
        )}
      </Row>
    </Stack>
  )
}

/** Finds in the body that is shown. */
function SearchBox({ search }: { readonly search: Search }) {
  const { wanted, found, turn, step, setWanted } = search
  const at = found === 0 ? 0 : (((turn % found) + found) % found) + 1
  return (
    <div className="input-frame body-search" role="search">
      <SearchIcon className="tone-dim" aria-hidden />
      <input
        aria-label="Find in body"
        placeholder="Find in body"
        value={wanted}
        spellCheck={false}
        onChange={(event) => setWanted(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape' && wanted !== '') {
            event.stopPropagation()
            setWanted('')
          }
        }}
      />
      {wanted !== '' && (
        <>
          <Text size="xs" tone="dim" nowrap role="status">
            {found === 0 ? 'none' : `${count(at)} of ${count(found)}`}
          </Text>
          <IconButton label="Previous match" onClick={() => step(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next match" onClick={() => step(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  )
}

interface TextViewProps {
  readonly calls: BodyCalls
  /** Bytes that are here: with more of them there are more lines. */
  readonly held: number
  readonly search: Search
}

/** The body as the text it is, nothing laid out anew. */
function TextView({ calls, held, search }: TextViewProps) {
  const { wanted } = search
  const found = useFound(calls, 'text', search)
  /** A search was on already when this view was chosen. */
  const [sought] = useState(search.wanted !== '')
  const line = found?.line ?? null
  const { ready, count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('textRows', window), [calls]),
    { version: held, reveal: line },
  )
  // Drawn once it is known where to: what comes later would take the user away from where they went.
  if (!ready || (sought && search.wanted !== '' && found === null)) return <BodyComing />
  return (
    <VirtualLines
      label="Body as text"
      count={count}
      reveal={reveal}
      onSeen={onSeen}
      renderLine={(index) => {
        const row = rowAt(index)
        return (
          row && (
            <div className={cx('text-line', index === line && 'tree-now')}>
              <span className="line-number" aria-hidden>
                {row.number === 0 ? '↪' : row.number}
              </span>
              <Marked text={row.text} wanted={wanted} />
            </div>
          )
        )
      }}
    />
  )
}

interface HexViewProps {
  readonly calls: BodyCalls
  /** Bytes that are here: with more of them there are more lines. */
  readonly held: number
  readonly search: Search
}

/** The body as bytes: offset, hex, and the characters that print. Search is for printed characters. */
function HexView({ calls, held, search }: HexViewProps) {
  const found = useFound(calls, 'hex', search)
  /** A search was on already when this view was chosen. */
  const [sought] = useState(search.wanted !== '')
  const line = found?.line ?? null
  const { ready, count, rowAt, reveal, onSeen } = useRows(
    useCallback((window) => calls.call('hexRows', window), [calls]),
    { version: held, reveal: line },
  )
  // Drawn once it is known where to: what comes later would take the user away from where they went.
  if (!ready || (sought && search.wanted !== '' && found === null)) return <BodyComing />
  return (
    <VirtualLines
      label="Body as bytes"
      count={count}
      reveal={reveal}
      onSeen={onSeen}
      renderLine={(index) => {
        const part = rowAt(index)
        return (
          part && (
            <div className={cx('hex-line', index === line && 'tree-now')}>
              <span className="line-number">
                {(index * bytesPerLine).toString(16).padStart(8, '0')}
              </span>
              <Text tone="ink">{hexLine(part)}</Text>
              <span className="hex-text">{printed(part)}</span>
            </div>
          )
        )
      }}
    />
  )
}
