import { CircleAlert, FileQuestion } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Segments } from '../../components/Segments.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { copyText } from '../../platform/clipboard.ts'
import { BodyComing } from './BodyComing.tsx'
import type { BodyViewName } from './body-model.ts'
import { bodyViews } from './body-model.ts'
import { HexView } from './HexView.tsx'
import { SearchBox } from './SearchBox.tsx'
import { TextView } from './TextView.tsx'
import { TreeView } from './TreeView.tsx'
import type { BodySource } from './use-body.ts'
import { useSearch } from './use-search.ts'
import './BodyView.css'

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
    <div className="body-tab">
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
        <Note tone="missing">It does not decode, so it is shown as sent. {undecodable}</Note>
      )}
      {!text && !encoded && <Note tone="unsigned">Not UTF-8: shown as bytes.</Note>}
      <div className="body-view">
        {view === 'tree' && tree !== null && <TreeView calls={calls} {...tree} search={search} />}
        {view === 'text' && <TextView calls={calls} held={held} search={search} />}
        {view === 'hex' && <HexView calls={calls} held={held} search={search} />}
      </div>
      <footer className="body-foot">
        <span>
          {whole ? byteSize(size) : `The first ${byteSize(held)} of ${byteSize(size)}`}
          {after}
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
