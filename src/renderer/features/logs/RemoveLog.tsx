import type { EventLog } from '#contract/logs.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { counted } from '../../ui/text/numbers.ts'
import { cut, visible } from '../../ui/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'

interface Props {
  /** Null: nobody asks. */
  readonly log: EventLog | null
  readonly onClose: () => void
  readonly onRemoved: (log: EventLog) => void
}

/** Asks before an imported log goes. */
export function RemoveLog({ log, onClose, onRemoved }: Props) {
  const client = useClient()
  const remove = useAction(async (removed: EventLog) => {
    await client.call('logs.remove', { id: removed.id })
    onRemoved(removed)
  })
  return (
    <Confirm
      open={log !== null}
      onClose={() => {
        onClose()
        remove.reset()
      }}
      title={`Remove “${visible(cut(log?.name ?? '', 120))}”?`}
      description={`Its ${counted(log?.deliveries ?? 0, 'delivery goes', 'deliveries go')} from Tabscope. The file it came from stays as it is, and can be imported again.`}
      action="Remove"
      busy={remove.busy}
      error={remove.error === null ? null : sentence(remove.error)}
      onConfirm={() => log !== null && remove.start(log)}
    />
  )
}
