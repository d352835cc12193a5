import { useCallback, useMemo, useRef, useState } from 'react'
import { useClient } from '../../../platform/use-client.ts'
import { useWidth } from '../../../platform/use-width.ts'
import { useKeys } from '../../shell/bound.ts'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import type { Editor, Layout } from '../editor/open-editor.ts'
import { useBrand } from '../headers/HeaderList.tsx'
import type { Session } from '../store.ts'
import { BodyNotes } from './BodyNotes.tsx'
import { BodyTools } from './BodyTools.tsx'
import { NoBody } from './NoBody.tsx'
import { checkedUpTo, decodeText } from './body-modes.ts'
import { bodyBytes, useBodyText } from './use-body-text.ts'
import './Body.css'

/** Pixels from which on there is room for two texts side by side. */
const roomForTwo = 800
/** Up to this many bytes hex is compared: it is three times as long as what it shows. */
const comparedAsHex = 256 * 1024

/** The body, to be written on, beside what came. */
export function BodyPane({ session }: { readonly session: Session }) {
  const bytes = bodyBytes(session)
  return bytes === null ? (
    <NoBody session={session} />
  ) : (
    <BodyEditor key={session.turn} session={session} bytes={bytes} />
  )
}

interface Props {
  readonly session: Session
  readonly bytes: Uint8Array
}

function BodyEditor({ session, bytes }: Props) {
  const client = useClient()
  const { ref, width } = useWidth<HTMLDivElement>()
  // While another part is shown there is no width; the editor stays what it was.
  const [room, setRoom] = useState(0)
  if (width > 0 && width !== room) setRoom(width)
  const editor = useRef<Editor | null>(null)
  const onEditor = useCallback((opened: Editor | null) => {
    editor.current = opened
  }, [])
  const body = useBodyText(client, session, bytes)
  const brand = useBrand(session.content.endpointId)
  useKeys({ 'compose-body': () => editor.current?.focus() })

  const text = useMemo(() => decodeText(bytes), [bytes])

  const { mode, original } = body
  const short = bytes.length <= checkedUpTo
  const compared =
    original !== null &&
    short &&
    (session.original?.body?.length ?? 0) <= (mode === 'hex' ? comparedAsHex : checkedUpTo)
  const layout: Layout = !compared ? 'alone' : room >= roomForTwo ? 'beside' : 'within'
  return (
    <div className="compose-body" ref={ref}>
      <BodyTools
        session={session}
        body={body}
        bytes={bytes}
        text={text}
        editor={editor}
        layout={layout}
      />
      <BodyNotes session={session} body={body} bytes={bytes} text={text} compared={compared} />
      {layout === 'beside' && (
        <div className="body-sides" aria-hidden>
          <span>
            Delivery #{session.original?.deliveryId}, as captured
            {body.laidOut && mode !== 'hex' && ', laid out'}
          </span>
          <span>As it goes out</span>
        </div>
      )}
      {room > 0 && (
        <CodeEditor
          key={`${mode} ${body.turn}`}
          text={body.text}
          original={compared ? original : null}
          layout={layout}
          language={mode}
          checked={short}
          brand={brand}
          findings={
            session.previewOf === session.content ? (session.preview?.findings ?? none) : none
          }
          filled={session.content.placeholders}
          onChange={body.write}
          onEditor={onEditor}
        />
      )}
    </div>
  )
}

const none: readonly never[] = []
