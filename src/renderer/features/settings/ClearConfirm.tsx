import { Confirm } from '../../ui/Confirm.tsx'
import { plural } from '#shared/text/format.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { queryOf, useDeliveries } from '../../state/deliveries.ts'
import { closeDialog } from '../../platform/dialogs.ts'
import { useShell } from '../../state/app.ts'
import { say } from '../../platform/toasts.ts'

/** Asks for confirmation before all deliveries are deleted. Can be opened from any page. */
export function ClearConfirm({ open }: { readonly open: boolean }) {
  const client = useClient()
  const stored = useShell((state) => state.stats.deliveries)
  const filtered = useDeliveries((state) => queryOf(state) !== '')
  const clear = useAction(async () => {
    const { deleted } = await client.call('deliveries.clear', {})
    closeDialog()
    say('valid', `${plural(deleted, 'delivery', 'deliveries')} deleted.`)
  })
  return (
    <Confirm
      open={open}
      onClose={() => {
        closeDialog()
        clear.reset()
      }}
      title="Clear deliveries?"
      description={`Deletes all deliveries that are not pinned. ${plural(stored, 'delivery is', 'deliveries are')} stored. This cannot be undone.${filtered ? ' This includes deliveries that the current list does not show.' : ''}`}
      action="Clear"
      busy={clear.busy}
      error={clear.error === null ? null : sentence(clear.error)}
      onConfirm={() => clear.start()}
    />
  )
}
