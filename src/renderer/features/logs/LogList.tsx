import { useState } from 'react'
import type { EventLog } from '#contract/logs.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import { counted } from '../../components/text/numbers.ts'
import { visible } from '../../components/text/visible.ts'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { LogRow } from './LogRow.tsx'
import { useLogs } from './store.ts'

/** The logs that were imported, last first. */
export function LogList({ logs }: { readonly logs: readonly EventLog[] }) {
  const client = useClient()
  const [removing, setRemoving] = useState<EventLog | null>(null)
  const remove = useAction(async ({ id }: EventLog) => {
    await client.call('logs.remove', { id })
    focusAfter(
      () => {
        setRemoving(null)
        useLogs.setState((before) => ({ logs: before.logs.filter((log) => log.id !== id) }))
      },
      // What asked is gone with its log.
      () =>
        document.querySelector<HTMLElement>('.log-open') ??
        document.querySelector<HTMLElement>('[data-import]'),
    )
  })
  return (
    <section className="logs" aria-label="Imported logs">
      <header className="logs-head">
        <h2>Imported</h2>
        <p className="dim">
          {counted(logs.length, 'log', 'logs')}, read-only, beside your own deliveries
        </p>
      </header>
      <ul className="log-list">
        {logs.map((log) => (
          <LogRow key={log.id} log={log} onRemove={() => setRemoving(log)} />
        ))}
      </ul>
      <Confirm
        open={removing !== null}
        onClose={() => {
          setRemoving(null)
          remove.reset()
        }}
        title={`Remove “${visible(removing?.name ?? '')}”?`}
        description={`Its ${counted(removing?.deliveries ?? 0, 'delivery goes', 'deliveries go')} from Tabscope. The file it came from stays as it is, and can be imported again.`}
        action="Remove"
        busy={remove.busy}
        error={remove.error === null ? null : sentence(remove.error)}
        onConfirm={() => removing !== null && remove.start(removing)}
      />
    </section>
  )
}
