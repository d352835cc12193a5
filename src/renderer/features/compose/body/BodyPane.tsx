import { formatSize as byteSize } from '#shared/text/format.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { CodeBlock } from '../../../ui/CodeBlock.tsx'
import { Fold } from '../../../ui/Fold.tsx'
import { Grid, Stack, Text } from '../../../ui/Layout.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { useWidth } from '../../../platform/use-width.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import type { Editor, Layout } from '../editor/open-editor.ts'
import { useBrand } from '../headers/HeaderList.tsx'
import type { Session } from '../store.ts'
import { BodyTools, FileButton } from './BodyTools.tsx'
import { checkedUpTo } from './body-modes.ts'
import { bodyBytes, useBodyText } from './use-body-text.ts'
import { FileLock2 } from 'lucide-react'
import { draftBodyLimit } from '#contract/compose.ts'
import { textOf } from '../../body/index.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { editBody } from '../edit.ts'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { prettyJson } from '#shared/json/format.ts'
import { cut } from '../../../ui/text/visible.ts'
import { lineEndsOf } from './line-ends.ts'

const longestShown = 20_000

interface BodyNotesProps {
  readonly session: Session
  readonly body: ReturnType<typeof useBodyText>
  readonly bytes: Uint8Array
  /** The same as text; null: it is none. */
  readonly text: string | null
  readonly compared: boolean
}

/** What is to be known of the body beside its text: one thing a line, and nothing where nothing is. */
function BodyNotes({ session, body, bytes, text, compared }: BodyNotesProps) {
  const { preview, unreadable, originalLost, original, content } = session
  const problems = preview?.problems.filter(({ field }) => field === 'body') ?? []
  const ends = useMemo(() => lineEndsOf(text ?? ''), [text])
  const came = useMemo(() => lineEndsOf(textOf(original?.body ?? empty) ?? ''), [original])
  const filled = useMemo(() => {
    const whole = preview?.filled ? textOf(preview.filled) : null
    return whole === null ? null : (prettyJson(whole) ?? whole)
  }, [preview])
  return (
    <Stack gap={3} fixed pad={[0, 5]} className="body-notes">
      {originalLost !== null && (
        <Note tone="missing">
          The original delivery no longer exists, so there is nothing to compare with.{' '}
          {originalLost}
        </Note>
      )}
      {unreadable !== null && (
        <Note tone="invalid" alert>
          {unreadable}
        </Note>
      )}
      {problems.map(({ code, severity, message }) => (
        <Note key={code} tone={severity === 'error' ? 'invalid' : 'missing'}>
          <Shown text={message} />
        </Note>
      ))}
      {text === null && <Note tone="unsigned">It is not UTF-8, so it is written as bytes.</Note>}
      {body.mode !== 'hex' && ends === 'mixed' && (
        <Note tone="missing">
          Its lines do not all end alike. Each stays as it is; a carriage return shows as a mark.
        </Note>
      )}
      {content.body.kind === 'bytes' && compared && differsInEnds(came, ends) && (
        <Note tone="missing">
          Its lines end otherwise than those that came, which a comparison by lines does not show.
        </Note>
      )}
      {bytes.length > checkedUpTo && (
        <Note tone="info">
          Over {byteSize(checkedUpTo)}: it is edited as plain text, and neither checked nor compared
          while it is written.
        </Note>
      )}
      {filled !== null && (
        <Fold summary="As it goes out, with the placeholders filled in">
          <CodeBlock label="Body as it goes out" text={cut(filled, longestShown)} />
        </Fold>
      )}
    </Stack>
  )
}

const empty = new Uint8Array()

function differsInEnds(
  first: ReturnType<typeof lineEndsOf>,
  second: ReturnType<typeof lineEndsOf>,
): boolean {
  return first !== second && first !== 'none' && second !== 'none'
}

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

  const text = useMemo(() => textOf(bytes), [bytes])

  const { mode, original } = body
  const short = bytes.length <= checkedUpTo
  const compared =
    original !== null &&
    short &&
    (session.original?.body?.length ?? 0) <= (mode === 'hex' ? comparedAsHex : checkedUpTo)
  const layout: Layout = !compared ? 'alone' : room >= roomForTwo ? 'beside' : 'within'
  return (
    <Stack column full shrink ref={ref}>
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
        <Grid columns="1 1" fixed pad={[1, 0]} line="top-soft" size="xs" tone="dim" aria-hidden>
          <Text pad={[0, 5]}>
            Delivery #{session.original?.deliveryId}, as captured
            {body.laidOut && mode !== 'hex' && ', formatted'}
          </Text>
          <Text pad={[0, 5]}>As it goes out</Text>
        </Grid>
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
    </Stack>
  )
}

const none: readonly never[] = []

/** A body that is not here: too large to be edited, or gone with its delivery. */
function NoBody({ session }: { readonly session: Session }) {
  const client = useClient()
  const { originalLost, preview } = session
  return (
    <Empty
      icon={<FileLock2 aria-hidden />}
      title={originalLost === null ? 'As captured, too large to edit here' : 'The body is gone'}
      actions={
        <FileButton kind="primary" onBytes={(bytes) => editBody(client, bytes)}>
          Replace by file
        </FileButton>
      }
    >
      {originalLost === null
        ? `It goes out as it came${preview ? `, ${byteSize(preview.bytes)}` : ''}. Up to ${byteSize(draftBodyLimit)} can be edited.`
        : originalLost}
    </Empty>
  )
}
