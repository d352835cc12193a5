import { formatSize } from '#shared/text/format.ts'
import { useCallback, useMemo, useRef, type ComponentProps } from 'react'
import { CodeBlock } from '#kit/CodeBlock.tsx'
import { Fold } from '#kit/Page.tsx'
import { useClient } from '#client/use-client.ts'
import { useKeys } from '#client/command-registry.ts'
import { CodeEditor, type Editor } from '../editor/CodeEditor.tsx'
import { useBrand } from '../headers/HeaderList.tsx'
import type { Session } from '../store.ts'
import { BodyTools, FileButton, bodyBytes, useBodyText } from './BodyTools.tsx'
import { checkedUpTo, lineEndsOf } from './body-modes.ts'
import { Icons } from '#kit/icons.tsx'
import { draftBodyLimit } from '#contract/constants.ts'
import { textOf } from '#parts/body/body-text.ts'
import { Empty, Note } from '#kit/Note.tsx'
import { editBody } from '../edit.ts'
import { Shown } from '#kit/Shown.tsx'
import { prettyJson } from '#shared/json/format.ts'
import { truncate } from '#kit/text/visible.ts'

const maxShownLength = 20_000

type BodyNotesProps = Omit<ComponentProps<typeof BodyTools>, 'editor'>

function BodyNotes({ session, body, bytes, text, compared }: BodyNotesProps) {
  const { preview, originalLost, original, content } = session
  const problems = preview?.problems.filter(({ field }) => field === 'body') ?? []
  const ends = useMemo(() => lineEndsOf(text ?? ''), [text])
  const originalEnds = useMemo(() => lineEndsOf(textOf(original?.body ?? empty) ?? ''), [original])
  const endsDiffer = ends !== originalEnds && ends !== 'none' && originalEnds !== 'none'
  const filled = useMemo(() => {
    const filledText = preview?.filled ? textOf(preview.filled) : null
    return filledText === null ? null : (prettyJson(filledText) ?? filledText)
  }, [preview])
  return (
    <div className="grid flex-none gap-3 px-5 pb-3 empty:hidden">
      {originalLost !== null && (
        <Note tone="warning">
          The original delivery no longer exists, so there is nothing to compare with.{' '}
          {originalLost}
        </Note>
      )}
      {problems.map(({ code, severity, message }) => (
        <Note key={code} tone={severity === 'error' ? 'invalid' : 'warning'}>
          <Shown text={message} />
        </Note>
      ))}
      {text === null && (
        <Note tone="unsigned">The body is not UTF-8. To change it, replace it with a file.</Note>
      )}
      {body.mode !== 'hex' && ends === 'mixed' && (
        <Note tone="warning">
          The body has mixed line endings. They are kept; carriage returns are shown as marks.
        </Note>
      )}
      {content.body.kind === 'bytes' && compared && endsDiffer && (
        <Note tone="warning">
          The line endings differ from the original, which the comparison by line does not show.
        </Note>
      )}
      {bytes.length > checkedUpTo && (
        <Note tone="info">
          Bodies over {formatSize(checkedUpTo)} are edited as plain text, without checks or
          comparison while typing.
        </Note>
      )}
      {filled !== null && (
        <Fold summary="Body to send, with placeholders filled in">
          <CodeBlock label="Body to send" text={truncate(filled, maxShownLength)} />
        </Fold>
      )}
    </div>
  )
}

const empty = new Uint8Array()

/** Up to this many bytes are compared as hex, which is three times as long. */
const comparedAsHex = 256 * 1024

export function BodyPane({ session }: { session: Session }) {
  const bytes = bodyBytes(session)
  return bytes === null ? (
    <NoBody session={session} />
  ) : (
    <BodyEditor key={session.bodyRevision} session={session} bytes={bytes} />
  )
}

function BodyEditor({ session, bytes }: { session: Session; bytes: Uint8Array }) {
  const client = useClient()
  const editor = useRef<Editor | null>(null)
  const onEditor = useCallback((opened: Editor | null) => {
    editor.current = opened
  }, [])
  const body = useBodyText(client, session, bytes)
  const brand = useBrand(session.content.endpointId)
  // Beside the list, the key has another meaning.
  useKeys(session.held === null ? { 'compose-body': () => editor.current?.focus() } : {})

  const text = useMemo(() => textOf(bytes), [bytes])

  const { mode, original } = body
  const short = bytes.length <= checkedUpTo
  const compared =
    original !== null &&
    short &&
    (session.original?.body?.length ?? 0) <= (mode === 'hex' ? comparedAsHex : checkedUpTo)
  const shown = { session, body, bytes, text, compared }
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col">
      <BodyTools {...shown} editor={editor} />
      <BodyNotes {...shown} />
      <CodeEditor
        key={`${mode} ${body.revision}`}
        text={body.text}
        original={compared ? original : null}
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
    </div>
  )
}

const none: readonly never[] = []

function NoBody({ session }: { session: Session }) {
  const client = useClient()
  const { originalLost, preview } = session
  return (
    <Empty
      icon={Icons.FileLock2}
      title={originalLost === null ? 'Body too large to edit' : 'Body not available'}
      actions={
        <FileButton kind="primary" onBytes={(bytes) => editBody(client, session.key, bytes)}>
          Replace with file
        </FileButton>
      }
    >
      {originalLost === null
        ? `It is sent as received${preview ? `, ${formatSize(preview.bytes)}` : ''}. You can edit up to ${formatSize(draftBodyLimit)}.`
        : originalLost}
    </Empty>
  )
}
