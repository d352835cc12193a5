import type { DeliverySummary } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import { useDeliveries } from '../../state/deliveries.ts'
import { sentence } from '../../platform/call-error.ts'
import { say } from '../../platform/toasts.ts'

/** Limits of the contract. */
export const noteLongest = 4000
export const tagLongest = 40
export const tagsMost = 20

/** Saves the note or tags of a delivery. An omitted one stays unchanged. Rejects with a `CallError`. */
export async function annotate(
  client: Client,
  id: number,
  change: { readonly note?: string; readonly tags?: string[] },
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
