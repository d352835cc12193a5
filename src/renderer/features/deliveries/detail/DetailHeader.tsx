import { deliveryTitle } from '../../../ui/text/delivery-title.ts'
import { unknownTime } from '#contract/constants.ts'
import { commands, type CommandName } from '#contract/commands.ts'
import { formatCount } from '#shared/text/format.ts'
import { Icons, type IconOrElement } from '../../../ui/icons.tsx'
import type { DeliverySummary } from '#contract/models.ts'
import { Row, Text } from '../../../ui/Layout.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { MenuItem, MenuLine, MoreMenu } from '../../../ui/Menu.tsx'
import { truncate, escapeControls } from '../../../ui/text/visible.ts'
import { ClockTime } from '../../../ui/Time.tsx'
import { useClient } from '../../../platform/use-client.ts'
import { describeSender } from '../response-text.ts'
import {
  togglePin,
  annotate,
  noteLongest,
  openBulkDialog,
  tagsMost,
} from '../selection/bulk-actions.ts'
import { ShareItems, useShare } from '../../logs/index.ts'
import {
  listAllIntegrations,
  selectIntegration,
  useAuthorization,
} from '../../../state/authorization.ts'
import { useEndpoints } from '../../../state/endpoints.ts'
import { useEditable, useLog } from '../../../state/scope.ts'
import { closeDelivery, useDeliveries } from '../../../state/deliveries.ts'
import { Shown } from '../../../ui/Shown.tsx'
import { TagList } from './TagList.tsx'
import { ResendButton, cancelResend, useAttemptsStore } from '../../attempts/index.ts'
import { addressOf } from '../../../routes/compose.ts'
import { openInWindow } from '../../../routes/deliveries.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ErrorText } from '../../../ui/Failure.tsx'
import { runCommand, useBoundCommands, useKeys } from '../../../platform/command-registry.ts'
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
  /** Has the focus again after the field was left by key. */
  const opener = useRef<Element | null>(null)
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
    opener.current = document.activeElement
    setError(null)
    setDraft(note)
  }
  useKeys({ note: edit })
  useEffect(() => {
    if (editRequested.current) edit()
  })

  const returnFocus = useRef(false)
  const editing = draft !== null
  useEffect(() => {
    if (!editing && returnFocus.current && opener.current instanceof HTMLElement) {
      opener.current.focus()
    }
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

  if (draft === null) return note === null || note === '' ? null : <NoteText note={note} />
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

/** The head of an open delivery: its title with the actions, and below it what identifies it. */
export function DetailHeader({ row, note, onAnnotated }: Props) {
  const editable = useEditable()
  if (!row) return null
  const title = escapeControls(truncate(deliveryTitle(row), 300))
  return (
    <header className="detail-head">
      <h2 className="size-l anywhere" title={title}>
        {title}
      </h2>
      <Row gap={3} fixed className="detail-actions" role="group" aria-label="Actions">
        <DetailActions row={row} note={note} title={title} />
        <IconButton label="Close (Esc)" className="detail-close" onClick={closeDelivery}>
          <Icons.X />
        </IconButton>
      </Row>
      <Row as="ul" wrap dotted anywhere tone="mid" size="s" selectable className="detail-facts">
        <li className="mono">
          {row.type === null ? 'no type' : escapeControls(truncate(row.type, 80))}
        </li>
        <li className="mono">#{row.id}</li>
        <li>
          {row.receivedAt === unknownTime ? 'time unknown' : <ClockTime at={row.receivedAt} />}
        </li>
        {row.pinned && <li>pinned</li>}
        {row.sentBy !== null && <li>{describeSender(row.sentBy)}</li>}
        <TagList row={row} editable={editable} onChanged={onAnnotated} />
      </Row>
      {editable ? (
        <NoteEditor row={row} note={note} onChanged={onAnnotated} />
      ) : (
        note !== null && note !== '' && <NoteText note={note} />
      )}
      <OutsideList row={row} />
    </header>
  )
}

/** Says that the list does not show the integration of this delivery. Renders nothing if it does. */
function OutsideList({ row }: { readonly row: DeliverySummary }) {
  const listed = useDeliveries(({ integrationId }) => integrationId)
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ id }) => id === row.endpointId),
  )
  const own = useAuthorization(({ integrations }) =>
    integrations.find(({ id }) => id === endpoint?.integrationId),
  )
  if (listed === null || listed === own?.id) return null
  const name = own && escapeControls(truncate(own.name, 60))
  return (
    <Row wrap align="center" gap={4} marginTop={2} size="s" tone="mid" className="detail-outside">
      The list shows another integration.
      <Button small onClick={() => (own ? selectIntegration(own.id) : listAllIntegrations(true))}>
        {name === undefined ? 'Show all integrations' : `Show in the list of ${name}`}
      </Button>
    </Row>
  )
}

interface ActionsProps {
  readonly row: DeliverySummary
  readonly note: string | null
  readonly title: string
}

/** Sends the delivery, and the menu with everything else. Deliveries of a log can only be sent as a draft. */
function DetailActions({ row, note, title }: ActionsProps) {
  const { id } = row
  const log = useLog()
  const editable = useEditable()
  return (
    <>
      {editable && <ResendButtons row={row} />}
      <a
        className="button"
        href={addressOf({ kind: 'delivery', id, log })}
        aria-label="Edit and send"
        aria-keyshortcuts="e"
        title="Edit the delivery or its target, then send"
      >
        <Icons.PenLine /> Edit <kbd aria-hidden>E</kbd>
      </a>
      <DetailMenu row={row} note={note} title={title} />
    </>
  )
}

function DetailMenu({ row, note, title }: ActionsProps) {
  const client = useClient()
  const log = useLog()
  const editable = useEditable()
  const share = useShare({ log, id: row.id, title })
  useKeys({ 'open-window': () => openInWindow(row.id, log) })
  return (
    <MoreMenu label="More actions">
      <CommandItem name="resend-to" icon={Icons.Send} />
      <CommandItem name="rehearse-handler" icon={Icons.FlaskConical} />
      <CommandItem name="open-window" icon={Icons.ExternalLink} />
      <CommandItem name="tab-6" icon={Icons.GitCompareArrows} />
      <MenuLine />
      {editable && (
        <>
          {row.tags.length < tagsMost && (
            <CommandItem
              name="tag"
              icon={Icons.Tag}
              // The command tags the selection, if there is one.
              run={() => openBulkDialog('tag', { which: { ids: [row.id] }, count: 1 })}
            />
          )}
          <CommandItem name="note" icon={Icons.StickyNote}>
            {note === null || note === '' ? 'Write a note' : 'Edit the note'}
          </CommandItem>
          <CommandItem
            name="pin"
            icon={row.pinned ? Icons.PinOff : Icons.Pin}
            run={() => togglePin(client, row)}
          >
            {row.pinned ? 'Unpin' : 'Pin'}
          </CommandItem>
          <MenuLine />
        </>
      )}
      <ShareItems share={share} />
    </MoreMenu>
  )
}

interface CommandItemProps {
  readonly name: CommandName
  readonly icon: IconOrElement
  /** Instead of what is bound to the command. */
  readonly run?: () => void
  /** Instead of the label of the command. */
  readonly children?: ReactNode
}

/** A command in the menu, with its key. Renders nothing if it is not available. */
function CommandItem({ name, icon, run, children }: CommandItemProps) {
  const isBound = useBoundCommands(({ names }) => names.has(name))
  const { label, keys } = commands[name]
  if (!isBound) return null
  return (
    <MenuItem icon={icon} hint={keys[0]} onSelect={run ?? (() => runCommand(name))}>
      {children ?? label}
    </MenuItem>
  )
}

function ResendButtons({ row }: { readonly row: DeliverySummary }) {
  const client = useClient()
  const { id } = row
  const sending = useAttemptsStore((state) => state.sending.has(id))
  return (
    <>
      <ResendButton delivery={row} kind="primary" />
      {sending && (
        <Button
          aria-label="Cancel"
          title="Stop waiting for the response"
          onClick={() => cancelResend(client, id)}
        >
          <Icons.X />
        </Button>
      )}
    </>
  )
}
