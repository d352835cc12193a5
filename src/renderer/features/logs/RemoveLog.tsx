import type { EventLog } from '#contract/logs.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { plural } from '#shared/text/format.ts'
import { truncate, escapeControls } from '../../ui/text/visible.ts'
import { useAction, useClient } from '../../platform/use-client.ts'

interface Props {
  /** Null: the dialog is closed. */
  readonly log: EventLog | null
  readonly onClose: () => void
  readonly onRemoved: (log: EventLog) => void
}

export function RemoveLog({ log, onClose, onRemoved }: Props) {
  const client = useClient()
  const remove = useAction(async () => {
    if (log === null) return
    await client.call('logs.remove', { id: log.id })
    onRemoved(log)
  })
  return (
    <Confirm
      open={log !== null}
      onClose={onClose}
      title={`Remove “${escapeControls(truncate(log?.name ?? '', 120))}”?`}
      description={`Removes its ${plural(log?.deliveries ?? 0, 'delivery', 'deliveries')} from Tabscope. The original file is not changed and can be imported again.`}
      action="Remove"
      run={remove}
    />
  )
}
