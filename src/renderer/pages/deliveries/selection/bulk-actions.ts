import { plural } from '#shared/text/format.ts'
import { create } from 'zustand'
import type { CallInput } from '#contract/calls.ts'
import type { Client } from '#client/client.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { closeDelivery, useDeliveries } from '#client/state/deliveries.ts'
import { countSelected } from '#client/state/select-deliveries.ts'
import { clearSelection, hasSelection, useSelection } from '#client/state/selection.ts'
import { confirm } from '#kit/Confirm.tsx'
import type { DeliverySummary } from '#contract/models.ts'

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
  client
    .call('deliveries.mark', { ...which, pinned })
    .then(
      ({ changed }) =>
        toast(
          'valid',
          `${plural(changed, 'delivery', 'deliveries')} ${pinned ? 'pinned' : 'unpinned'}.`,
        ),
      toastError,
    )
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
