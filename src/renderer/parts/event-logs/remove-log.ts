import type { EventLog } from '#contract/logs.ts'
import { plural } from '#shared/text/format.ts'
import type { Client } from '#client/client.ts'
import { confirm } from '#kit/Confirm.tsx'
import { shortText } from '#kit/text/visible.ts'

/** Removes a log after a confirmation. */
export function confirmRemoval(client: Client, log: EventLog, onRemoved: () => void): void {
  confirm({
    title: `Remove “${shortText(log.name, 120)}”?`,
    description: `Removes its ${plural(log.deliveries, 'delivery', 'deliveries')} from Tabscope. The original file is not changed and can be imported again.`,
    action: 'Remove',
    async run() {
      await client.call('logs.remove', { id: log.id })
      onRemoved()
    },
  })
}
