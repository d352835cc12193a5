import { unknownTime } from '#contract/constants.ts'
import { formatSize, formatCount, formatDuration } from '#shared/text/format.ts'
import { ChevronDown, FlaskConical, PenLine, Pin, X, StickyNote } from '../../../ui/icons.tsx'
import type { DeliverySummary } from '#contract/models.ts'
import { Row, Text } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { ClockTime } from '../../../ui/Time.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { describeResponse, describeSender } from '../response-text.ts'
import { togglePin, annotate, noteLongest } from '../selection/bulk-actions.ts'
import { ShareMenu } from '../../logs/index.ts'
import { useCan } from '../../../state/app.ts'
import { useEditable, useLog } from '../../../state/scope.ts'
import { closeDelivery } from '../../../state/deliveries.ts'
import { Shown } from '../../../ui/Shown.tsx'
import { TagChip, TagEditor } from './TagEditor.tsx'
import {
  ResendButton,
  cancelResend,
  askWhereTo,
  rehearseHandler,
  useAttemptsStore,
} from '../../attempts/index.ts'
import { addressOf } from '../../../routes/compose.ts'
import { useEffect, useRef, useState } from 'react'
import { ErrorText } from '../../../ui/Failure.tsx'
import { useKeys } from '../../../platform/command-registry.ts'
import { modKey } from '../../../platform/keys.ts'
import './Annotations.css'

/** Shows the remaining characters once fewer than this are left. */
const countdownFrom = 400

interface AnnotationsProps {
  readonly row: DeliverySummary
  /** Null while loading. */
  readonly note: string | null
  /** Called after a change, to reload the delivery. */
  readonly onChanged: () => void
}

/** The note of a delivery. Its field saves when it loses the focus. */
function NoteEditor({ row: { id }, note, onChanged }: AnnotationsProps) {
  const client = useClient()
  const button = useRef<HTMLButtonElement>(null)
  /** The text being edited; null when not editing. */
  const [draft, setDraft] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  /** Already saved or canceled with Ctrl+Enter or Escape, so the blur event must not save again. */
  const closed = useRef(false)
  /** Editing was requested before the note was loaded. */
  const editRequested = useRef(false)
  const edit = (): void => {
    editRequested.current = note === null
    if (note === null) return
    closed.current = false
    setError(null)
    setDraft(note)
  }
  useKeys({ note: edit })
  useEffect(() => {
    if (editRequested.current) edit()
  })

  /** After leaving the field by key, the focus returns to the button. */
  const returnFocus = useRef(false)
  const editing = draft !== null
  useEffect(() => {
    if (!editing && returnFocus.current) button.current?.focus()
    if (!editing) returnFocus.current = false
  }, [editing])

  function leave(text: string | null, byKey: boolean): void {
    if (closed.current) return
    closed.current = true
    returnFocus.current = byKey
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
        // Keep the text, so that it can be saved again.
        closed.current = false
        setError(reason)
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
          title="Deliveries with a note are pinned, so retention keeps them (N)"
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened it by a key or a button, and types next
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
      <Text as="p" marginTop={1} size="xs" tone="dim" id={`note-hint-${id}`}>
        {modKey} Enter saves, Esc cancels. Saving a note pins the delivery.
        {draft.length > noteLongest - countdownFrom &&
          ` ${formatCount(noteLongest - draft.length)} characters left.`}
      </Text>
      <ErrorText error={error} />
    </div>
  )
}

function NoteText({ note }: { readonly note: string }) {
  return (
    // Scrollable, so it must be reachable by keyboard.
    <div
      className="own-note margin-top-1 pad-y-3 pad-x-4 scroll size-s anywhere selectable"
      role="note"
      aria-label="Note"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
    >
      {note.split('\n').map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the text is fixed, so the index identifies a line
        <p key={index}>
          <Shown text={line} />
        </p>
      ))}
    </div>
  )
}

interface Props {
  readonly row: DeliverySummary | null
  /** Null while loading. */
  readonly note: string | null
  /** Called after the tags or the note changed. */
  readonly onAnnotated: () => void
}

/** The header of an open delivery: its title, facts, tags, note and actions. */
export function DetailHeader({ row, note, onAnnotated }: Props) {
  const client = useClient()
  const editable = useEditable()
  const editing = useCan('editing')
  const log = useLog()
  if (!row) return null
  const title = escapeControls(
    truncate(row.title === '' ? `${row.method} ${row.path}` : row.title, 300),
  )
  return (
    <header className="detail-head">
      <h2 className="size-l anywhere">{title}</h2>
      <Row
        as="ul"
        wrap
        dotted
        anywhere
        marginTop={1}
        tone="mid"
        size="s"
        selectable
        className="detail-facts"
      >
        <li className="mono">#{row.id}</li>
        <li className="mono">
          {row.type === null ? 'no type' : escapeControls(truncate(row.type, 80))}
        </li>
        <li>
          {row.receivedAt === unknownTime ? 'time unknown' : <ClockTime at={row.receivedAt} />}
        </li>
        <li>{formatSize(row.bytes)}</li>
        {row.createdAt !== null && row.receivedAt !== unknownTime && (
          <li title="Time from the event’s createdAt until Tabscope received it">
            lag {formatDuration(row.receivedAt - row.createdAt)}
          </li>
        )}
        <li>{describeResponse(row)}</li>
        {!editable && row.pinned && <li>pinned</li>}
        {row.sentBy !== null && <li>{describeSender(row.sentBy)}</li>}
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

/** The tags and the note of a delivery. Read-only where nothing can be changed, and then hidden if there are none. */
function Annotations({ row, note, onChanged }: AnnotationsProps) {
  const editable = useEditable()
  const noted = note !== null && note !== ''
  if (!editable && row.tags.length === 0 && !noted) return null
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
      {editable ? (
        <>
          <TagEditor row={row} onChanged={onChanged} />
          <NoteEditor row={row} note={note} onChanged={onChanged} />
        </>
      ) : (
        <>
          {row.tags.map((tag) => (
            <TagChip key={tag} tag={tag} />
          ))}
          {noted && <NoteText note={note} />}
        </>
      )}
    </Row>
  )
}

/** What sends the delivery, or tests its handler. Deliveries of a log can only be sent as a draft. */
function DetailActions({ row }: { readonly row: DeliverySummary }) {
  const { id } = row
  const client = useClient()
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
      {editable && (
        <Button
          aria-label="Rehearse this handler"
          title="Rehearse this handler: test what this delivery is sent to"
          icon={<FlaskConical aria-hidden />}
          onClick={() => void rehearseHandler(client, row)}
        >
          <span className="rehearse-word">Rehearse</span>
        </Button>
      )}
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
