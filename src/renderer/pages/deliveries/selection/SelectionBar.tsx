import { formatCount } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { Button, IconButton } from '#kit/Button.tsx'
import { useClient } from '#client/use-client.ts'
import { modKey } from '#kit/text/key-words.ts'
import { queryOf, useDeliveries } from '#client/state/deliveries.ts'
import { recheckSignatures } from '#client/state/recheck-signatures.ts'
import { compare } from '#parts/diff/side.ts'
import { openExportDialog } from '#parts/event-logs/export/draft.ts'
import { useEditable, useLog } from '#client/state/scope.ts'
import { selectAll, countSelected } from '#client/state/select-deliveries.ts'
import { confirmDeletion, openBulkDialog, pinAll, selectionOr } from './bulk-actions.ts'
import {
  clearSelection,
  hasSelection,
  openResendDialog,
  useSelection,
  type Selection,
} from '#client/state/selection.ts'
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
      {editable && (
        <Button
          icon={Icons.ShieldCheck}
          title="Check the signatures again with the current secrets"
          onClick={() => void recheckSignatures(client, selectedDeliveries(selection))}
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

function selectedDeliveries({ ids, all }: Selection): Parameters<typeof recheckSignatures>[1] {
  return all === null ? { ids: [...ids] } : { filter: all.filter, upTo: all.upTo }
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
