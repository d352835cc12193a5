import {
  formatSize as byteSize,
  formatCount as count,
  formatDuration as span,
} from '#shared/text/format.ts'
import { ChevronDown, PenLine, Pin, X, StickyNote } from 'lucide-react'
import type { DeliverySummary } from '#contract/models.ts'
import { Row, Text } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { cut, visible } from '../../../ui/text/visible.ts'
import { ClockTime } from '../../../ui/Time.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { answerOf, ownSentence } from '../answered.ts'
import { togglePin, annotate, noteLongest } from '../row-actions.ts'
import { ShareMenu } from '../../logs/index.ts'
import { useCan } from '../../../state/app.ts'
import { useEditable, useLog } from '../../../state/scope.ts'
import { closeDelivery } from '../../../state/deliveries.ts'
import { Shown } from '../../../ui/Shown.tsx'
import { TagEditor } from './TagEditor.tsx'
import { ResendButton, cancelResend, askWhereTo, useAttemptsStore } from '../../attempts/index.ts'
import { addressOf } from '../../../routes/compose.ts'
import { useEffect, useRef, useState } from 'react'
import { sentence } from '../../../platform/call-error.ts'
import { useKeys } from '../../../platform/command-registry.ts'
import { modKey } from '../../../platform/keys.ts'
import './Annotations.css'

/** With fewer characters left than this, their number is told. */
const fewLeft = 400

interface NoteEditorProps {
  readonly id: number
  readonly note: string | null
  readonly onChanged: () => void
}

/** The note of a delivery: read as text, written in a field that stores when it is left. */
function NoteEditor({ id, note, onChanged }: NoteEditorProps) {
  const client = useClient()
  const button = useRef<HTMLButtonElement>(null)
  /** What is being written; null: nobody writes. */
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  /** One leaves the field by Ctrl+Enter and by Escape as well: then there is nothing left to store. */
  const left = useRef(false)
  /** Asked for before the note was here. */
  const wanted = useRef(false)
  const edit = (): void => {
    wanted.current = note === null
    if (note === null) return
    left.current = false
    setError(null)
    setDraft(note)
  }
  useKeys({ note: edit })
  useEffect(() => {
    if (wanted.current) edit()
  })

  /** Who left by a key goes on from the button. */
  const back = useRef(false)
  const writing = draft !== null
  useEffect(() => {
    if (!writing && back.current) button.current?.focus()
    if (!writing) back.current = false
  }, [writing])

  function leave(text: string | null, byKey: boolean): void {
    if (left.current) return
    left.current = true
    back.current = byKey
    if (text === null || text === note) {
      setDraft(null)
      return
    }
    annotate(client, id, { note: text }).then(
      () => {
        setDraft(null)
        onChanged()
      },
      (reason: unknown) => {
        // What was written is not thrown away.
        left.current = false
        setError(sentence(reason))
      },
    )
  }

  if (draft === null) {
    return (
      <>
        <Button
          ref={button}
          kind="quiet"
          small
          className="annotate"
          disabled={note === null}
          aria-keyshortcuts="n"
          title="A noted delivery is pinned, so that it is kept (N)"
          onClick={edit}
        >
          <StickyNote aria-hidden /> {note === null || note === '' ? 'Note' : 'Edit note'}
        </Button>
        {note !== null && note !== '' && <NoteText note={note} />}
      </>
    )
  }
  return (
    <div className="note-field">
      <textarea
        className="input"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user asked for it by a key or a button, and types next
        autoFocus
        aria-label="Note"
        aria-describedby={`note-hint-${id}`}
        aria-invalid={error !== null || undefined}
        value={draft}
        maxLength={noteLongest}
        rows={4}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => leave(draft, false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leave(null, true)
          else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) leave(draft, true)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <Text as="p" above={1} size="xs" tone="dim" id={`note-hint-${id}`}>
        {modKey} Enter stores it, Esc leaves it as it was. The delivery is pinned with it.
        {draft.length > noteLongest - fewLeft && ` ${count(noteLongest - draft.length)} left.`}
      </Text>
      {error !== null && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Line by line, with every character that would hide or reorder others written out. */
function NoteText({ note }: { readonly note: string }) {
  return (
    // It scrolls: then it must be reached by keys.
    <div
      className="own-note above-1 pad-y-3 pad-x-4 scroll size-s anywhere selectable"
      role="note"
      aria-label="Note"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
    >
      {note.split('\n').map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a fixed text: their place is their identity
        <p key={index}>
          <Shown text={line} />
        </p>
      ))}
    </div>
  )
}

interface Props {
  readonly row: DeliverySummary | null
  /** Null: not here yet. */
  readonly note: string | null
  /** Tags or note were changed. */
  readonly onAnnotated: () => void
}

/** What the delivery is, in a line, what the user says of it, and what can be done with it. */
export function DetailHeader({ row, note, onAnnotated }: Props) {
  const client = useClient()
  const editable = useEditable()
  const editing = useCan('editing')
  const log = useLog()
  if (!row) return null
  const title = visible(cut(row.title === '' ? `${row.method} ${row.path}` : row.title, 300))
  return (
    <header className="detail-head">
      <h2 className="size-l anywhere">{title}</h2>
      <Row
        as="ul"
        wrap
        dotted
        anywhere
        above={1}
        tone="mid"
        size="s"
        selectable
        className="detail-facts"
      >
        <li className="mono">#{row.id}</li>
        <li className="mono">{row.type === null ? 'no type' : visible(cut(row.type, 80))}</li>
        <li>
          <ClockTime at={row.receivedAt} />
        </li>
        <li>{byteSize(row.bytes)}</li>
        {row.createdAt !== null && (
          <li title="From the event’s createdAt to its arrival here">
            lag {span(row.receivedAt - row.createdAt)}
          </li>
        )}
        <li>{answerOf(row)}</li>
        {!editable && row.pinned && <li>pinned</li>}
        {row.own !== null && <li>{ownSentence(row.own)}</li>}
      </Row>
      <Row wrap align="center" gap={3} gapX={5} className="detail-own">
        <Annotations row={row} note={note} onChanged={onAnnotated} />
        <DetailActions row={row} />
      </Row>
      {editing && <ShareMenu log={log} id={row.id} title={title} />}
      {editable && (
        <Button
          aria-pressed={row.pinned}
          title={row.pinned ? 'Pinned: kept by retention' : 'Pin'}
          hint="b"
          icon={<Pin aria-hidden />}
          onClick={() => togglePin(client, row)}
        >
          {row.pinned ? 'Pinned' : 'Pin'}
        </Button>
      )}
      <IconButton label="Close (Esc)" className="detail-close" onClick={closeDelivery}>
        <X aria-hidden />
      </IconButton>
    </header>
  )
}

interface AnnotationsProps {
  readonly row: DeliverySummary
  /** Null: not here yet. */
  readonly note: string | null
  /** It was changed: the whole of it is to be read again. */
  readonly onChanged: () => void
}

/** The user's own words about a delivery: tags and a note. */
function Annotations({ row, note, onChanged }: AnnotationsProps) {
  const editable = useEditable()
  if (!editable) return <Written row={row} note={note} />
  return (
    <Row
      wrap
      align="center"
      gap={2}
      gapX={3}
      grow
      className="annotations"
      role="group"
      aria-label="Tags and note"
    >
      <TagEditor row={row} onChanged={onChanged} />
      <NoteEditor id={row.id} note={note} onChanged={onChanged} />
    </Row>
  )
}

/** The same where nothing can be changed; nothing where nothing was written. */
function Written({ row, note }: Pick<AnnotationsProps, 'row' | 'note'>) {
  const noted = note !== null && note !== ''
  if (row.tags.length === 0 && !noted) return null
  return (
    <Row
      wrap
      align="center"
      gap={2}
      gapX={3}
      grow
      className="annotations"
      role="group"
      aria-label="Tags and note"
    >
      {row.tags.map((tag) => (
        <Row
          as="span"
          inline
          align="center"
          size="xs"
          weight="semibold"
          anywhere
          round="full"
          className="own-tag"
          key={tag}
          data-fixed
        >
          <Shown text={tag} />
        </Row>
      ))}
      {noted && <NoteText note={note} />}
    </Row>
  )
}

/** Sending it again: where it went last, to another address, or edited first. What a log holds goes out only as a draft of one's own. */
function DetailActions({ row }: { readonly row: DeliverySummary }) {
  const { id } = row
  const log = useLog()
  const editable = useEditable()
  if (!useCan('editing')) return null
  return (
    <Row gap={4} className="detail-actions" role="group" aria-label="Re-send">
      {editable && <ResendButtons row={row} />}
      <a
        className="button"
        href={addressOf({ kind: 'delivery', id, log })}
        aria-keyshortcuts="e"
        title="Edit the delivery or its target, then send"
      >
        <PenLine aria-hidden /> Edit and send <kbd aria-hidden>E</kbd>
      </a>
    </Row>
  )
}

function ResendButtons({ row }: { readonly row: DeliverySummary }) {
  const client = useClient()
  const { id } = row
  const sending = useAttemptsStore((state) => state.sending.has(id))
  return (
    <Row as="span" inline className="split-button">
      <ResendButton delivery={row} />
      {sending ? (
        <Button
          aria-label="Cancel"
          title="Stop waiting for the response"
          onClick={() => cancelResend(client, id)}
        >
          <X aria-hidden />
        </Button>
      ) : (
        <Button
          aria-label="Re-send to…"
          aria-keyshortcuts="Shift+R"
          title="Re-send to another target (Shift R)"
          onClick={() => askWhereTo(id)}
        >
          <ChevronDown aria-hidden />
        </Button>
      )}
    </Row>
  )
}
