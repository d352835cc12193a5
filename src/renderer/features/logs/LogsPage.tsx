import { FileInput, FileOutput } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { Page } from '../../components/Page.tsx'
import { useKeys } from '../shell/command-registry.ts'
import { useShell } from '../shell/store.ts'
import { askExport } from './export/asking.ts'
import { ImportButton } from './import/ImportButton.tsx'
import { RulesCard } from './rules/RulesCard.tsx'
import { useLogs } from './store.ts'
import { TransferList } from './TransferList.tsx'
import './Logs.css'
import { useState } from 'react'
import type { EventLog } from '#contract/logs.ts'
import { focusAfter } from '../../components/focus-after.ts'
import { counted } from '../../components/text/numbers.ts'
import { LogRow } from './LogRow.tsx'
import { RemoveLog } from './RemoveLog.tsx'

/** Logs that were imported, what is being exported or imported, and what every export takes out. */
export function LogsPage() {
  const logs = useLogs((state) => state.logs)
  const kept = useShell((state) => state.stats.deliveries)
  useKeys({ 'logs-export': exportAll })
  return (
    <Page
      title="Event logs"
      lead="Deliveries as a file: to hand to somebody else, and to look into what they saw."
      actions={
        <div className="logs-actions">
          {logs.length > 0 && <ImportButton />}
          <Button kind="primary" hint="s" icon={<FileOutput aria-hidden />} onClick={exportAll}>
            Export…
          </Button>
        </div>
      }
    >
      <TransferList />
      {logs.length > 0 ? <LogList logs={logs} /> : <NoLog kept={kept} />}
      <RulesCard />
    </Page>
  )
}

function exportAll(): void {
  askExport({ log: null, which: 'all' })
}

/** Nothing was imported: what that is for, and the two ways to begin. */
function NoLog({ kept }: { readonly kept: number }) {
  return (
    <section className="logs-none" aria-label="Imported logs">
      <FileInput aria-hidden />
      <h2>Drop an event log here</h2>
      <p>
        Somebody sent you one? Drop it anywhere on this window, or choose it. It opens beside your
        own deliveries, read-only, with list, filter, trace and diff.
      </p>
      <ImportButton />
      <p className="dim">
        {kept === 0
          ? 'Event logs of Tabscope (.ndjson, also .gz), and HAR files.'
          : 'Event logs of Tabscope (.ndjson, also .gz), and HAR files. To send one yourself, export: secrets and guests’ data are taken out first.'}
      </p>
    </section>
  )
}

/** The logs that were imported, last first. */
function LogList({ logs }: { readonly logs: readonly EventLog[] }) {
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
