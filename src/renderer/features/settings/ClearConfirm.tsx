import { Confirm } from '../../ui/Confirm.tsx'
import { counted } from '../../ui/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { queryOf, useDeliveries } from '../../state/deliveries.ts'
import { closeDialog } from '../../platform/dialogs.ts'
import { useShell } from '../../state/app.ts'
import { say } from '../../platform/toasts.ts'

/** Asks before all deliveries go, from whichever page. */
export function ClearConfirm({ open }: { readonly open: boolean }) {
  const client = useClient()
  const kept = useShell((state) => state.stats.deliveries)
  const narrowed = useDeliveries((state) => queryOf(state) !== '')
  const clear = useAction(async () => {
    const { deleted } = await client.call('deliveries.clear', {})
    closeDialog()
    say('valid', `${counted(deleted, 'delivery', 'deliveries')} deleted.`)
  })
  return (
    <Confirm
      open={open}
      onClose={() => {
        closeDialog()
        clear.reset()
      }}
      title="Clear deliveries?"
      description={`Deletes all deliveries that are not pinned, out of the current ${counted(kept, 'delivery', 'deliveries')}. This cannot be undone.${narrowed ? ' This includes deliveries that the current list does not show.' : ''}`}
      action="Clear"
      busy={clear.busy}
      error={clear.error === null ? null : sentence(clear.error)}
      onConfirm={() => clear.start()}
    />
  )
}
