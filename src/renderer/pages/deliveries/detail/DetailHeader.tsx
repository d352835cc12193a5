import { deliveryTitle } from '#parts/EventIcon.tsx'
import { unknownTime } from '#contract/constants.ts'
import { commands, type CommandName } from '#contract/commands.ts'
import { Icons, type IconOrElement } from '#kit/icons.tsx'
import type { DeliverySummary } from '#contract/models.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { MenuItem, MenuLine, MoreMenu } from '#kit/Menu.tsx'
import { escapeControls, shortText } from '#kit/text/visible.ts'
import { ClockTime } from '#kit/Time.tsx'
import { useClient } from '#client/use-client.ts'
import { describeSender } from '../outcome-label.ts'
import {
  togglePin,
  annotate,
  noteLongest,
  openBulkDialog,
  tagsMost,
} from '../selection/SelectionBar.tsx'
import { ShareItems, useShare } from '#parts/event-logs/ShareItems.tsx'
import {
  listAllIntegrations,
  selectIntegration,
  useAuthorization,
} from '#client/state/authorization.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { closeDelivery, useDeliveries } from '#client/state/deliveries.ts'
import { Shown } from '#kit/Shown.tsx'
import { ResendButton } from '#parts/send/ResendDialog.tsx'
import { cancelResend, useAttemptsStore } from '#parts/send/resend.ts'
import { addressOf } from '#client/addresses/compose.ts'
import { openInWindow } from '#client/addresses/deliveries.ts'
import { useState, type ReactNode } from 'react'
import { FormDialog } from '#kit/Dialog.tsx'
import { useForm } from '#kit/use-form.ts'
import { runCommand, useBoundCommands, useKeys } from '#client/command-registry.ts'
import { modKey } from '#kit/text/key-labels.ts'
import { toastError } from '#kit/toasts.ts'

function OwnNote({ row, note, onAnnotated }: Props & { readonly row: DeliverySummary }) {
  const [writing, setWriting] = useState(false)
  useKeys(note === null ? {} : { note: () => setWriting(true) })
  return (
    writing &&
    note !== null && (
      <NoteDialog id={row.id} note={note} onSaved={onAnnotated} onClose={() => setWriting(false)} />
    )
  )
}

interface NoteDialogProps {
  id: number
  note: string
  onSaved: () => void
  onClose: () => void
}

function NoteDialog({ id, note, onSaved, onClose }: NoteDialogProps) {
  const client = useClient()
  const [text, setText] = useState(note)
  const form = useForm({}, async () => {
    await annotate(client, id, { note: text })
    onSaved()
    onClose()
  })
  return (
    <FormDialog
      title={`Note on #${id}`}
      description={`Saving a note pins the delivery. ${modKey} Enter saves.`}
      form={form}
      onClose={onClose}
      action="Save"
    >
      <textarea
        className="input w-full"
        aria-label="Note"
        value={text}
        maxLength={noteLongest}
        rows={6}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.submit()
        }}
      />
    </FormDialog>
  )
}

function NoteText({ note }: { note: string }) {
  return (
    // Scrollable, so it must be reachable by keyboard.
    <div
      className="mt-1 max-h-(--measure-key) overflow-auto border-l-2 border-l-info bg-info-soft px-4 py-3 text-s wrap-anywhere select-text [&_p]:min-h-[1.45em] [&_p]:whitespace-pre-wrap"
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
  row: DeliverySummary | null
  /** Null while loading. */
  note: string | null
  /** Called after the tags or the note changed. */
  onAnnotated: () => void
}

/** The head of an open delivery: its title with the actions, and below it what identifies it. */
export function DetailHeader({ row, note, onAnnotated }: Props) {
  const editable = useEditable()
  if (!row) return null
  const title = shortText(deliveryTitle(row), 300)
  return (
    <header className="detail-head @container/detail-head grid grid-cols-1-auto items-center gap-x-4 gap-y-1 px-6 pt-5 pb-4">
      <h2 className="text-l wrap-anywhere" title={title}>
        {title}
      </h2>
      <div className="detail-actions flex flex-none gap-3" role="group" aria-label="Actions">
        <DetailActions row={row} note={note} title={title} />
        <IconButton
          label="Close (Esc)"
          className="h-(--control) w-(--control)"
          onClick={closeDelivery}
        >
          <Icons.X />
        </IconButton>
      </div>
      <ul className="dotted flex flex-wrap text-s wrap-anywhere text-mid select-text">
        <li className="mono">{row.type === null ? 'no type' : shortText(row.type, 80)}</li>
        <li className="mono">#{row.id}</li>
        <li>
          {row.receivedAt === unknownTime ? 'time unknown' : <ClockTime at={row.receivedAt} />}
        </li>
        {row.pinned && <li>pinned</li>}
        {row.sentBy !== null && <li>{describeSender(row.sentBy)}</li>}
        <TagList row={row} onChanged={onAnnotated} />
      </ul>
      {note !== null && note !== '' && <NoteText note={note} />}
      {editable && <OwnNote row={row} note={note} onAnnotated={onAnnotated} />}
      <OutsideList row={row} />
    </header>
  )
}

function OutsideList({ row }: { row: DeliverySummary }) {
  const listed = useDeliveries(({ integrationId }) => integrationId)
  const endpoint = useEndpoints(({ endpoints }) =>
    endpoints.find(({ id }) => id === row.endpointId),
  )
  const own = useAuthorization(({ integrations }) =>
    integrations.find(({ id }) => id === endpoint?.integrationId),
  )
  if (listed === null || listed === own?.id) return null
  const name = own && shortText(own.name, 60)
  return (
    <div className="mt-2 flex flex-wrap items-center gap-4 text-s text-mid">
      The list shows another integration.
      <Button small onClick={() => (own ? selectIntegration(own.id) : listAllIntegrations(true))}>
        {name === undefined ? 'Show all integrations' : `Show in the list of ${name}`}
      </Button>
    </div>
  )
}

interface ActionsProps extends Pick<Props, 'note'> {
  row: DeliverySummary
  title: string
}

function DetailActions(props: ActionsProps) {
  const { row } = props
  const { id } = row
  const client = useClient()
  const log = useLog()
  const editable = useEditable()
  const sending = useAttemptsStore((state) => state.sending.has(id))
  return (
    <>
      {editable && <ResendButton delivery={row} />}
      {editable && sending && (
        <Button
          aria-label="Cancel"
          title="Stop waiting for the response"
          onClick={() => cancelResend(client, id)}
        >
          <Icons.X />
        </Button>
      )}
      <a
        className="button"
        href={addressOf({ kind: 'delivery', id, log })}
        aria-label="Edit and send"
        aria-keyshortcuts="e"
        title="Edit the delivery or its target, then send"
      >
        <Icons.PenLine /> Edit <kbd aria-hidden>E</kbd>
      </a>
      <DetailMenu {...props} />
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
  name: CommandName
  icon: IconOrElement
  /** Instead of what is bound to the command. */
  run?: () => void
  /** Instead of the label of the command. */
  children?: ReactNode
}

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

function TagList({ row, onChanged }: { row: DeliverySummary; onChanged: () => void }) {
  const editable = useEditable()
  const client = useClient()
  function remove(tag: string): void {
    const tags = row.tags.filter((held) => held !== tag)
    annotate(client, row.id, { tags }).then(onChanged, toastError)
  }
  return row.tags.map((tag) => (
    <li key={tag}>
      <span
        className="inline-flex min-h-(--icon-l) items-center rounded-full bg-info-soft pl-4 text-xs font-semibold wrap-anywhere text-info data-fixed:pr-4"
        data-fixed={!editable || undefined}
      >
        <Shown text={tag} />
        {editable && (
          <IconButton label={`Remove the tag ${escapeControls(tag)}`} onClick={() => remove(tag)}>
            <Icons.X />
          </IconButton>
        )}
      </span>
    </li>
  ))
}
