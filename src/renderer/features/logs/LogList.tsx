import { useState } from 'react'
import type { EventLog } from '#contract/logs.ts'
import { focusAfter } from '../../components/focus-after.ts'
import { counted } from '../../components/text/numbers.ts'
import { LogRow } from './LogRow.tsx'
import { RemoveLog } from './RemoveLog.tsx'
import { useLogs } from './store.ts'

/** The logs that were imported, last first. */
export function LogList({ logs }: { readonly logs: readonly EventLog[] }) {
  const [removing, setRemoving] = useState<EventLog | null>(null)
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
      <RemoveLog
        log={removing}
        onClose={() => setRemoving(null)}
        onRemoved={({ id }) =>
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
        }
      />
    </section>
  )
}
