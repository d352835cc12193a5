import { CircleAlert, FileQuestion } from 'lucide-react'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Empty } from '../../components/Empty.tsx'
import { Note } from '../../components/Note.tsx'
import { Segments } from '../../components/Segments.tsx'
import { byteSize } from '../../components/text/numbers.ts'
import { copyText } from '../../platform/clipboard.ts'
import { BodyComing } from './BodyComing.tsx'
import { HexView, hexText } from './HexView.tsx'
import { soon, useSliced } from './in-slices.ts'
import { JsonTree } from './JsonTree.tsx'
import { bodyText, bodyTree, startsLikeJson } from './read-body.ts'
import { SearchBox } from './SearchBox.tsx'
import { TextView } from './TextView.tsx'
import type { BodySource } from './use-body.ts'
import { useSearch } from './use-search.ts'
import './BodyView.css'

type View = 'tree' | 'text' | 'hex'

/** Up to this many bytes are read at once. */
const small = 256 * 1024

interface Props {
  readonly source: BodySource
  /** It came with a `Content-Encoding`. */
  readonly encoded: boolean
  /** What the three views are called. */
  readonly words: Readonly<Record<View, string>>
  /** Said when there is no body. */
  readonly none: string
  /** Said after the size. */
  readonly after?: ReactNode
}

/** A body as tree, text and bytes. */
export function BodyView({ source, encoded, words, none, after }: Props) {
  const { body, busy, undecodable, loadMore, setDecoded, retry } = source
  const { bytes, size } = body
  const whole = bytes.length >= size
  const read = useSliced(
    useCallback(() => bodyText(bytes, whole), [bytes, whole]),
    bytes.length <= small,
  )
  const text = read?.text ?? null
  const maybeTree = whole && text !== null && startsLikeJson(text)
  const treeText = maybeTree ? text : ''
  // Read apart from the text, which can be looked at meanwhile.
  const parsed = useSliced(
    useCallback(() => bodyTree(treeText), [treeText]),
    treeText.length <= small,
  )
  const tree = parsed?.tree ?? null
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
  if (body.phase === 'loading' || read === null) return <BodyComing />
  if (size === 0) {
    return (
      <Empty icon={<FileQuestion aria-hidden />} title="There is no body">
        {none}
      </Empty>
    )
  }

  const possible: readonly View[] = [
    ...(maybeTree && (parsed === null || tree !== null) ? (['tree'] as const) : []),
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
          options={possible.map((value) => ({ value, label: words[value] }))}
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
          text={() => (view === 'hex' || text === null ? soon(hexText(bytes)) : text)}
          label={view === 'hex' ? 'Copy body as hex' : 'Copy body'}
          copy={copyText}
        />
      </div>
      {undecodable !== null && (
        <Note tone="missing">It does not decode, so it is shown as sent. {undecodable}</Note>
      )}
      {text === null && !encoded && <Note tone="unsigned">Not UTF-8: shown as bytes.</Note>}
      <div className="body-view">
        {view === 'tree' &&
          (tree === null ? <BodyComing /> : <JsonTree tree={tree} search={search} />)}
        {view === 'text' && text !== null && <TextView text={text} search={search} />}
        {view === 'hex' && <HexView bytes={bytes} search={search} />}
      </div>
      <footer className="body-foot">
        <span>
          {whole ? byteSize(size) : `The first ${byteSize(bytes.length)} of ${byteSize(size)}`}
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
