import { Confirm } from '../../components/Confirm.tsx'
import { counted } from '../../components/text/numbers.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { queryOf, useDeliveries } from '../deliveries/store.ts'
import { closeDialog } from '../shell/dialogs.ts'
import { useShell } from '../shell/store.ts'
import { say } from '../shell/toasts.ts'

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
      description={`All that are not pinned go for good, of ${counted(kept, 'delivery', 'deliveries')} now.${narrowed ? ' This includes deliveries that the list does not show now.' : ''}`}
      action="Clear"
      busy={clear.busy}
      error={clear.error === null ? null : sentence(clear.error)}
      onConfirm={() => clear.start()}
    />
  )
}
