import { formatCount, plural } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { Button, IconButton } from '#kit/Button.tsx'
import { useClient } from '#client/use-client.ts'
import { modKey } from '#kit/text/key-labels.ts'
import { queryOf, useDeliveries, closeDelivery } from '#client/state/deliveries.ts'
import { recheckSignatures } from '#client/state/recheck-signatures.ts'
import { compare } from '#parts/diff/CompareBar.tsx'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { selectAll, countSelected } from '#client/state/select-deliveries.ts'
import {
  clearSelection,
  hasSelection,
  openResendDialog,
  useSelection,
} from '#client/state/selection.ts'
import { create } from 'zustand'
import type { CallInput } from '#contract/calls.ts'
import type { Client } from '#client/client.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { confirm } from '#kit/Confirm.tsx'
import type { DeliverySummary } from '#contract/models.ts'
import '../DeliveryList.css'

/** Shown below the list while deliveries are selected: their number and the bulk actions. */
export function SelectionBar() {
  const client = useClient()
  const editable = useEditable()
  const log = useLog()
  const selection = useSelection()
  const rows = useDeliveries((state) => state.rows)
  const revision = useDeliveries((state) => state.revision)
  const filtered = useDeliveries((state) => queryOf(state) !== '')
  if (!hasSelection(selection) || revision < 0) return null
  const count = countSelected(rows, selection)
  const targets = editable ? selectionOr(null) : null
  const allPinned =
    selection.all === null && [...selection.ids].every((id) => rows.byId.get(id)?.pinned === true)
  const scopeLabel = filtered ? 'matching this filter' : 'in the list'
  return (
    <div
      className="selection-bar flex min-h-10 flex-wrap items-center gap-3 border-t border-t-line bg-accent-soft py-2 pr-4 pl-5 text-s"
      role="region"
      aria-label="Selection"
    >
      <span className="whitespace-nowrap" role="status">
        {selection.all === null ? (
          <>
            <b>{formatCount(count)}</b> selected
          </>
        ) : (
          <>
            All <b>{formatCount(count)}</b>
            {rows.complete ? '' : ' found so far'} {scopeLabel}
          </>
        )}
      </span>
      {selection.all === null && count < rows.count && (
        <Button kind="quiet" onClick={selectAll}>
          Select all {formatCount(rows.count)} {scopeLabel}
          <kbd aria-hidden>{modKey === '⌘' ? '⌘A' : 'Ctrl A'}</kbd>
        </Button>
      )}
      <span className="flex-1" />
      {selection.all === null && count === 2 && (
        <Button icon={Icons.ArrowRightLeft} onClick={compare}>
          Compare
        </Button>
      )}
      {targets !== null && (
        <>
          <IconButton
            label={allPinned ? 'Unpin' : 'Pin'}
            onClick={() => pinAll(client, targets, !allPinned)}
          >
            {allPinned ? <Icons.PinOff /> : <Icons.Pin />}
          </IconButton>
          <IconButton label="Tag…" onClick={() => openBulkDialog('tag', targets)}>
            <Icons.Tag />
          </IconButton>
          <IconButton label="Save as scenario…" onClick={() => openBulkDialog('scenario', targets)}>
            <Icons.ListChecks />
          </IconButton>
          <IconButton label="Delete…" onClick={() => confirmDeletion(client, targets)}>
            <Icons.Trash2 />
          </IconButton>
        </>
      )}
      <Button icon={Icons.FileOutput} onClick={() => exportSelected(log)}>
        Export…
      </Button>
      {targets && (
        <Button
          icon={Icons.ShieldCheck}
          title="Check the signatures again with the current secrets"
          onClick={() => void recheckSignatures(client, targets.which)}
        >
          Check again
        </Button>
      )}
      {editable && (
        <Button kind="primary" icon={Icons.RotateCw} onClick={() => openResendDialog()}>
          Re-send…
        </Button>
      )}
      <IconButton label="Clear selection (Esc)" onClick={clearSelection}>
        <Icons.X />
      </IconButton>
    </div>
  )
}

/** Exports the selected deliveries, or all that match the selected filter. */
export function exportSelected(log: number | null): void {
  const { ids, all } = useSelection.of(log).getState()
  if (all === null) {
    const selected = [...ids].toSorted((first, second) => first - second)
    openExportDialog({ log, which: 'selected', selected })
  } else {
    openExportDialog({ log, which: all.filter === '' ? 'all' : 'filter', filter: all.filter })
  }
}

/** The live deliveries that an action applies to, and their number. */
export interface BulkTarget {
  readonly which: Pick<CallInput<'deliveries.delete'>, 'ids' | 'filter' | 'upTo'>
  readonly count: number
}

type BulkDialog = 'tag' | 'scenario'

interface BulkDialogState {
  readonly dialog: BulkDialog | null
  readonly targets: BulkTarget | null
}

export const useBulkDialog = create<BulkDialogState>(() => ({ dialog: null, targets: null }))

/** Returns the selected deliveries, else the given one; null if there is neither. */
export function selectionOr(id: number | null): BulkTarget | null {
  const selection = useSelection.of(null).getState()
  const { ids, all } = selection
  if (all !== null) {
    const { rows } = useDeliveries.of(null).getState()
    return { which: { ...all }, count: countSelected(rows, selection) }
  }
  if (hasSelection(selection)) return { which: { ids: [...ids] }, count: ids.size }
  return id === null ? null : { which: { ids: [id] }, count: 1 }
}

export function openBulkDialog(dialog: BulkDialog, targets: BulkTarget | null): void {
  if (targets !== null) useBulkDialog.setState({ dialog, targets })
}

export function closeBulkDialog(): void {
  useBulkDialog.setState({ dialog: null, targets: null })
}

/** Deletes deliveries after a confirmation. */
export function confirmDeletion(client: Client, targets: BulkTarget | null): void {
  if (targets === null) return
  const { which, count } = targets
  const many = count !== 1
  confirm({
    title: `Delete ${plural(count, 'delivery', 'deliveries')}?`,
    description: `${many ? 'Their' : 'Its'} notes, tags and attempts are deleted as well${many ? ', and pinned deliveries among them too' : ''}. This cannot be undone.`,
    action: 'Delete',
    async run() {
      const { deleted } = await client.call('deliveries.delete', which)
      const { selectedId } = useDeliveries.of(null).getState()
      clearSelection()
      if (selectedId !== null && (which.ids === undefined || which.ids.includes(selectedId))) {
        closeDelivery()
        useDeliveries.of(null).setState({ selectedId: null })
      }
      toast('valid', `${plural(deleted, 'delivery', 'deliveries')} deleted.`)
    },
  })
}

export function pinAll(client: Client, { which }: BulkTarget, pinned: boolean): void {
  client.call('deliveries.mark', { ...which, pinned }).then(({ changed }) => {
    const done = pinned ? 'pinned' : 'unpinned'
    toast('valid', `${plural(changed, 'delivery', 'deliveries')} ${done}.`)
  }, toastError)
}

/** Limits of the contract. */
export const noteLongest = 4000
export const tagLongest = 40
export const tagsMost = 20

/** Saves the note, tags or pin of a delivery. An omitted one stays unchanged. Rejects with a `CallError`. */
export async function annotate(
  client: Client,
  id: number,
  change: { readonly note?: string; readonly tags?: string[]; readonly pinned?: boolean },
): Promise<DeliverySummary> {
  const row = await client.call('deliveries.annotate', { id, ...change })
  const live = useDeliveries.of(null)
  const { rows, revision } = live.getState()
  rows.change([row])
  live.setState({ revision: revision + 1 })
  return row
}

/** Pins or unpins a delivery. Retention keeps pinned deliveries. */
export function togglePin(client: Client, row: DeliverySummary): void {
  annotate(client, row.id, { pinned: !row.pinned }).catch(toastError)
}
