import type { DeliverySummary } from '#contract/models.ts'
import { sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { say } from '../shell/toasts.ts'
import { useDeliveries } from './store.ts'

/** Pins or unpins a delivery: pinned ones stay when others are cleared or grow too many. */
export function togglePin(client: Client, row: DeliverySummary): void {
  const pinned = !row.pinned
  client.call('deliveries.pin', { id: row.id, pinned }).then(
    () => {
      const live = useDeliveries.of(null)
      const { rows, revision } = live.getState()
      const now = rows.byId.get(row.id)
      if (now) rows.change([{ ...now, pinned }])
      live.setState({ revision: revision + 1 })
    },
    (error: unknown) => say('invalid', sentence(error)),
  )
}
