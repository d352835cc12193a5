import { plural } from '#shared/text/format.ts'
import { ContextMenu } from 'radix-ui'
import { useState, type MouseEvent, type ReactElement, type RefObject } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { withValues } from '#contract/filter/edit.ts'
import { shortText } from '#kit/text/visible.ts'
import { copyText } from '#kit/clipboard.ts'
import { useClient } from '#client/use-client.ts'
import { askWhereTo } from '#parts/send/store.ts'
import { editAndSend, rehearseHandler, resendOrAsk } from '#parts/send/resend.ts'
import { compare } from '#parts/diff/side.ts'
import { openExportDialog } from '#parts/event-logs/export/draft.ts'
import { keyWord } from '#kit/text/key-words.ts'
import { contentId } from '#kit/SkipLink.tsx'
import { useCan } from '#client/state/app.ts'
import { toast } from '#kit/toasts.ts'
import { filterFault } from '#client/state/filter.ts'
import { linkTo, openInWindow } from '#client/addresses/deliveries.ts'
import {
  togglePin,
  type BulkTarget,
  confirmDeletion,
  openBulkDialog,
  pinAll,
  selectionOr,
} from './selection/bulk-actions.ts'
import { askToHold } from '#client/state/hold.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { selectAll, countSelected } from '#client/state/select-deliveries.ts'
import { exportSelected } from './selection/SelectionBar.tsx'
import {
  clearSelection,
  isSelected,
  openResendDialog,
  toggleSelected,
  useSelection,
} from '#client/state/selection.ts'
import {
  deliveriesOf,
  openDelivery,
  setFilterText,
  useDeliveries,
} from '#client/state/deliveries.ts'
import '#kit/Menu.css'

interface Props {
  /** The list, which receives the focus when the menu closes. */
  readonly list: RefObject<HTMLElement | null>
  readonly children: ReactElement
}

/** Opens the context menu of a row from the keyboard. Does nothing if the row is not rendered. */
export function openRowMenu(id: number): void {
  const row = document.querySelector(`[data-testid="delivery-row"][data-id="${id}"]`)
  const box = row?.getBoundingClientRect()
  if (!row || !box) return
  row.dispatchEvent(
    new window.MouseEvent('contextmenu', {
      bubbles: true,
      cancelable: true,
      clientX: box.left + 24,
      clientY: box.bottom,
    }),
  )
}

/** The context menu for the row under the pointer, or for the whole selection if the row is part of it. */
export function RowMenu({ list, children }: Props) {
  const log = useLog()
  const [row, setRow] = useState<DeliverySummary | null>(null)
  const deliveries = deliveriesOf(log)
  function begin(event: MouseEvent): void {
    const { target } = event
    const drawn = target instanceof Element ? target.closest('[data-id]') : null
    const { selectedId, rows } = deliveries.getState()
    if (drawn === null) {
      // The menu key was pressed on the list itself.
      event.preventDefault()
      if (target === list.current && selectedId !== null) openRowMenu(selectedId)
      return
    }
    const found = rows.byId.get(Number(drawn.getAttribute('data-id'))) ?? null
    if (found === null) return event.preventDefault()
    setRow(found)
    deliveries.setState({ selectedId: found.id })
  }
  return (
    // Not modal: a modal menu locks scrolling with a style element, which the content security policy blocks.
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenu={begin}>
        {children}
      </ContextMenu.Trigger>
      {/* Inside the page's landmark, but outside the list, which clips its content. */}
      <ContextMenu.Portal container={document.getElementById(contentId)}>
        <ContextMenu.Content
          className="menu grid w-(--measure-aside) p-2 [&_.menu-item]:pl-4 [&_.menu-words]:flex-1"
          collisionPadding={8}
          aria-label={row === null ? undefined : `Delivery #${row.id}`}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // A dialog opened from this menu already has the focus.
            if (document.activeElement === document.body) list.current?.focus()
          }}
        >
          {row !== null && <Items row={row} />}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

function Items({ row }: { readonly row: DeliverySummary }) {
  const editable = useEditable()
  const selection = useSelection()
  const rows = useDeliveries((state) => state.rows)
  const many = isSelected(selection, row.id) ? countSelected(rows, selection) : 0
  const targets = editable ? selectionOr(null) : null
  return many > 1 ? <SelectionItems targets={targets} count={many} /> : <RowItems row={row} />
}

function RowItems({ row }: { readonly row: DeliverySummary }) {
  const client = useClient()
  const log = useLog()
  const editable = useEditable()
  const links = useCan('links')
  const text = useDeliveries((state) => state.text)
  const selected = useSelection((selection) => isSelected(selection, row.id))
  const one: BulkTarget = { which: { ids: [row.id] }, count: 1 }
  const link = linkTo(row.id, log, { links, page: location.href })
  const narrow = (field: string, value: string): void =>
    setFilterText(withValues(text, field, [value]))
  const readable = filterFault(text) === null
  return (
    <>
      <Item words="Open" hint="Enter" onSelect={() => openDelivery(row.id)} />
      <Item words="Open in a new window" onSelect={() => openInWindow(row.id, log)} />
      {editable && (
        <>
          <Item words="Re-send" hint="r" onSelect={() => void resendOrAsk(client, row)} />
          <Item words="Re-send to…" hint="R" onSelect={() => askWhereTo(row.id)} />
        </>
      )}
      {editable && row.type !== null && (
        <Item
          words="Hold the next like this…"
          onSelect={() => askToHold(withValues('', 'type', [row.type ?? '']))}
        />
      )}
      <Item words="Edit and send" hint="e" onSelect={() => editAndSend(row.id)} />
      {editable && (
        <Item words="Rehearse this handler" onSelect={() => void rehearseHandler(client, row)} />
      )}
      <Separator />
      {editable && (
        <>
          <Item
            words={row.pinned ? 'Unpin' : 'Pin'}
            hint="b"
            onSelect={() => togglePin(client, row)}
          />
          <Item words="Tag…" hint="l" onSelect={() => openBulkDialog('tag', one)} />
        </>
      )}
      <Item words="Compare" hint="c" onSelect={compare} />
      <Item
        words={selected ? 'Clear selection' : 'Select'}
        hint="x"
        onSelect={() => (selected ? clearSelection() : toggleSelected(row.id))}
      />
      <Item words="Select all" hint="Mod+a" onSelect={selectAll} />
      <Separator />
      {readable && row.type !== null && (
        <Item
          words={`Show only ${shortText(row.type, 40)}`}
          onSelect={() => narrow('type', row.type ?? '')}
        />
      )}
      {readable && row.locationName !== null && (
        <Item
          words={`Show only ${shortText(row.locationName, 40)}`}
          onSelect={() => narrow('location', row.locationName ?? '')}
        />
      )}
      <Item words="Copy number" onSelect={() => copy(`#${row.id}`, 'Number copied.')} />
      {link !== null && <Item words="Copy link" onSelect={() => copy(link, 'Link copied.')} />}
      <Item
        words="Export…"
        onSelect={() => openExportDialog({ log, which: 'selected', selected: [row.id] })}
      />
      {editable && (
        <>
          <Separator />
          <Item words="Delete…" hint="Delete" onSelect={() => confirmDeletion(client, one)} />
        </>
      )}
    </>
  )
}

interface SelectionItemsProps {
  /** Null if nothing can be changed here. */
  readonly targets: BulkTarget | null
  readonly count: number
}

function SelectionItems({ targets, count }: SelectionItemsProps) {
  const client = useClient()
  const log = useLog()
  return (
    <>
      <ContextMenu.Label className="px-4 py-3 text-s text-dim">
        {plural(count, 'delivery', 'deliveries')} selected
      </ContextMenu.Label>
      {targets !== null && (
        <>
          <Item words="Re-send…" onSelect={() => openResendDialog()} />
          <Item words="Pin" hint="b" onSelect={() => pinAll(client, targets, true)} />
          <Item words="Unpin" onSelect={() => pinAll(client, targets, false)} />
          <Item words="Tag…" hint="l" onSelect={() => openBulkDialog('tag', targets)} />
          <Item words="Save as scenario…" onSelect={() => openBulkDialog('scenario', targets)} />
        </>
      )}
      <Item words="Export…" onSelect={() => exportSelected(log)} />
      <Item words="Clear selection" hint="Escape" onSelect={clearSelection} />
      {targets !== null && (
        <>
          <Separator />
          <Item words="Delete…" hint="Delete" onSelect={() => confirmDeletion(client, targets)} />
        </>
      )}
    </>
  )
}

interface ItemProps {
  readonly words: string
  /** The keyboard shortcut, as written in the command registry. */
  readonly hint?: string
  readonly onSelect: () => void
}

function Item({ words, hint, onSelect }: ItemProps) {
  return (
    <ContextMenu.Item className="menu-item" onSelect={onSelect}>
      <span className="menu-words cut grid min-w-0">{words}</span>
      {hint !== undefined && <kbd aria-hidden>{keyWord(hint)}</kbd>}
    </ContextMenu.Item>
  )
}

function Separator() {
  return <ContextMenu.Separator className="mx-0 my-2 h-px bg-line" />
}

function copy(text: string, done: string): void {
  copyText(text).then(
    () => toast('valid', done, { about: 'copied' }),
    () => toast('invalid', 'Could not copy to the clipboard.'),
  )
}
