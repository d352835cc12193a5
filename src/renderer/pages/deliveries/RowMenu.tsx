import { plural } from '#shared/text/format.ts'
import { ContextMenu } from 'radix-ui'
import { useState, type MouseEvent, type ReactElement, type RefObject } from 'react'
import type { DeliverySummary } from '#contract/models.ts'
import { withValues } from '#contract/filter/edit.ts'
import { shortText } from '#kit/text/visible.ts'
import { copyText } from '#kit/clipboard.ts'
import { useClient } from '#client/use-client.ts'
import { askWhereTo, editAndSend, rehearseHandler, resendOrAsk } from '#parts/send/resend.ts'
import { compare } from '#parts/diff/CompareBar.tsx'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { keyLabel } from '#kit/text/key-labels.ts'
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
  exportSelected,
} from './selection/SelectionBar.tsx'
import { askToHold } from '#client/state/hold.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { selectAll, countSelected } from '#client/state/select-deliveries.ts'
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

interface Props {
  /** The list, which receives the focus when the menu closes. */
  list: RefObject<HTMLElement | null>
  children: ReactElement
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

/** The hint is the keyboard shortcut, as written in the command registry. */
type Action = readonly [words: string, run: () => void, hint?: string]

function Items({ row }: { row: DeliverySummary }) {
  const selection = useSelection()
  const rows = useDeliveries((state) => state.rows)
  const count = isSelected(selection, row.id) ? countSelected(rows, selection) : 0
  const ofRow = useRowActions(row)
  const ofSelection = useSelectionActions()
  const groups: readonly (readonly (Action | false)[])[] = count > 1 ? ofSelection : ofRow
  return (
    <>
      {count > 1 && (
        <ContextMenu.Label className="px-4 py-3 text-s text-dim">
          {plural(count, 'delivery', 'deliveries')} selected
        </ContextMenu.Label>
      )}
      {groups
        .map((group) => group.filter((action) => action !== false))
        .filter((group) => group.length > 0)
        .map((group, index) => (
          <ContextMenu.Group
            className="[[role=group]+&]:mt-2 [[role=group]+&]:border-t [[role=group]+&]:border-line [[role=group]+&]:pt-2"
            key={group[0]?.[0] ?? index}
          >
            {group.map(([words, run, hint]) => (
              <ContextMenu.Item className="menu-item" key={words} onSelect={run}>
                <span className="menu-words cut grid min-w-0">{words}</span>
                {hint !== undefined && <kbd aria-hidden>{keyLabel(hint)}</kbd>}
              </ContextMenu.Item>
            ))}
          </ContextMenu.Group>
        ))}
    </>
  )
}

function useRowActions(row: DeliverySummary): (Action | false)[][] {
  const client = useClient()
  const log = useLog()
  const editable = useEditable()
  const links = useCan('links')
  const text = useDeliveries((state) => state.text)
  const selected = useSelection((selection) => isSelected(selection, row.id))
  const { id, type, locationName } = row
  const one: BulkTarget = { which: { ids: [id] }, count: 1 }
  const link = linkTo(id, log, { links, page: location.href })
  const readable = filterFault(text) === null
  const only = (field: string, value: string | null): Action | false =>
    readable &&
    value !== null && [
      `Show only ${shortText(value, 40)}`,
      () => setFilterText(withValues(text, field, [value])),
    ]
  return [
    [
      ['Open', () => openDelivery(id), 'Enter'],
      ['Open in a new window', () => openInWindow(id, log)],
      editable && ['Re-send', () => void resendOrAsk(client, row), 'r'],
      editable && ['Re-send to…', () => askWhereTo(id), 'R'],
      editable &&
        type !== null && [
          'Hold the next like this…',
          () => askToHold(withValues('', 'type', [type])),
        ],
      ['Edit and send', () => editAndSend(id), 'e'],
      editable && ['Rehearse this handler', () => void rehearseHandler(client, row)],
    ],
    [
      editable && [row.pinned ? 'Unpin' : 'Pin', () => togglePin(client, row), 'b'],
      editable && ['Tag…', () => openBulkDialog('tag', one), 'l'],
      ['Compare', compare, 'c'],
      selected
        ? ['Clear selection', clearSelection, 'x']
        : ['Select', () => toggleSelected(id), 'x'],
      ['Select all', selectAll, 'Mod+a'],
    ],
    [
      only('type', type),
      only('location', locationName),
      ['Copy number', () => copy(`#${id}`, 'Number copied.')],
      link !== null && ['Copy link', () => copy(link, 'Link copied.')],
      ['Export…', () => openExportDialog({ log, which: 'selected', selected: [id] })],
    ],
    [editable && ['Delete…', () => confirmDeletion(client, one), 'Delete']],
  ]
}

function useSelectionActions(): (Action | false)[][] {
  const client = useClient()
  const log = useLog()
  const targets = useEditable() ? selectionOr(null) : null
  return [
    [
      targets !== null && ['Re-send…', openResendDialog],
      targets !== null && ['Pin', () => pinAll(client, targets, true), 'b'],
      targets !== null && ['Unpin', () => pinAll(client, targets, false)],
      targets !== null && ['Tag…', () => openBulkDialog('tag', targets), 'l'],
      targets !== null && ['Save as scenario…', () => openBulkDialog('scenario', targets)],
      ['Export…', () => exportSelected(log)],
      ['Clear selection', clearSelection, 'Escape'],
    ],
    [targets !== null && ['Delete…', () => confirmDeletion(client, targets), 'Delete']],
  ]
}

function copy(text: string, done: string): void {
  copyText(text).then(
    () => toast('valid', done, { about: 'copied' }),
    () => toast('invalid', 'Could not copy to the clipboard.'),
  )
}
