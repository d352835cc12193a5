import {
  ChevronDown,
  ChevronUp,
  CircleAlert,
  FileQuestion,
  Search as SearchIcon,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Delivery } from '#contract/models.ts'
import { Button, IconButton } from '../../../components/Button.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Empty } from '../../../components/Empty.tsx'
import { Note } from '../../../components/Note.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { byteSize, count } from '../../../components/text/numbers.ts'
import { copyText } from '../../../platform/clipboard.ts'
import { HexView, hexText } from './HexView.tsx'
import { JsonTree } from './JsonTree.tsx'
import { textOf } from './payload.ts'
import { TextView } from './TextView.tsx'
import type { Body, BodySource } from './use-body.ts'
import { wholeUpTo } from './use-body.ts'
import type { Search } from './use-search.ts'
import { useSearch } from './use-search.ts'
import './BodyTab.css'

type View = 'tree' | 'text' | 'hex'

interface Props {
  readonly delivery: Delivery
  readonly source: BodySource
  /** It came with a `Content-Encoding`. */
  readonly encoded: boolean
}

/** The body as tree, text and bytes. */
export function BodyTab({ delivery, source, encoded }: Props) {
  const { body, busy, undecodable, loadMore, setDecoded, retry } = source
  const whole = body.bytes.length >= body.size
  const text = useMemo(() => textOf(body.bytes, whole), [body.bytes, whole])
  const json = useMemo(() => isTree(body, text), [body, text])
  const [chosen, setChosen] = useState<View | null>(null)
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
  if (body.phase === 'loading') {
    return <div className="detail-coming" role="status" aria-label="Loading the body" />
  }
  if (body.size === 0) {
    return (
      <Empty icon={<FileQuestion aria-hidden />} title="There is no body">
        The request ended after its head.
      </Empty>
    )
  }

  const possible: readonly View[] = [
    ...(json ? (['tree'] as const) : []),
    ...(text === null ? [] : (['text'] as const)),
    'hex',
  ]
  const view = chosen !== null && possible.includes(chosen) ? chosen : (possible[0] ?? 'hex')
  return (
    <div className="body-tab">
      <div className="body-tools">
        <Segments
          label="Show the body as"
          value={view}
          options={possible.map((value) => ({ value, label: viewWord(value) }))}
          onChange={setChosen}
        />
        {encoded && undecodable === null && (
          <Segments
            label="Content encoding"
            value={body.decoded ? 'decoded' : 'sent'}
            options={[
              { value: 'decoded', label: 'Decoded' },
              { value: 'sent', label: 'As sent' },
            ]}
            onChange={(form) => setDecoded(form === 'decoded')}
          />
        )}
        <SearchBox search={search} />
        <CopyButton
          text={view === 'hex' || text === null ? hexText(body.bytes) : text}
          label={view === 'hex' ? 'Copy body as hex' : 'Copy body'}
          copy={copyText}
        />
      </div>
      {undecodable !== null && (
        <Note tone="missing">It does not decode, so it is shown as sent. {undecodable}</Note>
      )}
      {text === null && !encoded && <Note tone="unsigned">Not UTF-8: shown as bytes.</Note>}
      <div className="body-view">
        {view === 'tree' && text !== null && <JsonTree text={text} search={search} />}
        {view === 'text' && text !== null && <TextView text={text} search={search} />}
        {view === 'hex' && <HexView bytes={body.bytes} search={search} />}
      </div>
      <footer className="body-foot">
        <span>
          {whole
            ? byteSize(body.size)
            : `The first ${byteSize(body.bytes.length)} of ${byteSize(body.size)}`}
          {delivery.bytesKept < delivery.bytes &&
            `, of ${byteSize(delivery.bytes)} that arrived only this was kept`}
        </span>
        {!whole && (
          <Button busy={busy} onClick={loadMore}>
            Load more
          </Button>
        )}
      </footer>
    </div>
  )
}

function SearchBox({ search }: { readonly search: Search }) {
  const { wanted, found, turn, step, setWanted } = search
  const at = found === 0 ? 0 : (((turn % found) + found) % found) + 1
  return (
    <div className="body-search" role="search">
      <SearchIcon aria-hidden />
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
          <span className="body-hits" role="status">
            {found === 0 ? 'none' : `${count(at)} of ${count(found)}`}
          </span>
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

function isTree(body: Body, text: string | null): boolean {
  if (text === null || body.size > wholeUpTo || body.bytes.length < body.size) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function viewWord(view: View): string {
  switch (view) {
    case 'tree':
      return 'Tree'
    case 'text':
      return 'Text'
    case 'hex':
      return 'Hex'
  }
}
