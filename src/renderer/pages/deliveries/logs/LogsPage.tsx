import { Icons } from '#kit/icons.tsx'
import { Button, IconButton } from '#kit/Button.tsx'
import { Page, Card, Fold } from '#kit/Page.tsx'
import { useKeys } from '#client/command-registry.ts'
import { useCan } from '#client/state/app.ts'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { useLogs } from '#client/state/logs.ts'
import { TransferList } from '#parts/event-logs/LogStrip.tsx'
import { selectFiles } from '#kit/clipboard.ts'
import type { EventLog } from '#contract/logs.ts'
import { focusAfter } from '#kit/focus.ts'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { closeConfirm } from '#kit/Confirm.tsx'
import {
  confirmRemoval,
  logStateLabels,
  redactionDetails,
  redactionLabel,
  timeSpan,
} from '#parts/event-logs/labels.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { useClient } from '#client/use-client.ts'
import { importFiles, importWithDialog } from '#parts/event-logs/import-files.tsx'
import { SavedChoices } from '#parts/event-logs/choices.tsx'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { fullTime, shortDate } from '#kit/text/time.ts'
import { truncate, shortText } from '#kit/text/visible.ts'
import { useListAddress } from '#client/addresses/deliveries.ts'

function LogRow({ log, onRemove }: { log: EventLog; onRemove: () => void }) {
  const address = useListAddress(log.id)
  const name = shortText(log.name, 120)
  const state = logStateLabels[log.state]
  const RedactedIcon = log.redacted
    ? Icons.ShieldCheck
    : log.redacted === null
      ? Icons.ShieldQuestion
      : Icons.ShieldOff
  return (
    <li className="log grid gap-3 px-6 py-5" data-state={log.state}>
      <div className="flex flex-wrap items-center gap-4 gap-x-6">
        <div className="grid min-w-0 flex-[1_1_var(--measure-menu)] gap-1">
          <h3>
            <a
              className="log-open wrap-anywhere text-ink no-underline hover:text-info hover:underline"
              href={address}
            >
              {name}
            </a>
          </h3>
          <p className="dotted flex flex-wrap text-s text-mid">
            <span>
              <b>{formatCount(log.deliveries)}</b>{' '}
              {log.deliveries === 1 ? 'delivery' : 'deliveries'}
              {log.rehearsals !== undefined &&
                `, ${plural(log.rehearsals, 'rehearsal', 'rehearsals')}`}
            </span>
            <span
              title={
                log.firstAt === null || log.lastAt === null
                  ? undefined
                  : `${fullTime(log.firstAt)} to ${fullTime(log.lastAt)}`
              }
            >
              {timeSpan(log.firstAt, log.lastAt)}
            </span>
            <span>{formatSize(log.bytes)}</span>
            <span className="inline-flex items-center gap-2 icon-xs">
              <RedactedIcon /> {redactionLabel(log.redacted)}
            </span>
          </p>
          <p className="text-s wrap-anywhere text-dim">
            <Shown text={originLabel(log)} />
            <span title={fullTime(log.importedAt)}>, imported {shortDate(log.importedAt)}</span>
          </p>
          {log.redaction && (
            <p className="text-s wrap-anywhere text-dim">
              <Shown text={redactionDetails(log)} max={400} />
            </p>
          )}
        </div>
        <div className="w-(--measure-label) flex-none" title={state.about}>
          <StateMark tone={state.tone} icon={state.icon} word={state.word} />
        </div>
        <div className="flex items-center gap-2">
          <a className="button" data-kind="plain" href={address} aria-label={`Open ${name}`}>
            <Icons.Eye /> Open
          </a>
          <IconButton
            label={`Export ${name}`}
            onClick={() => openExportDialog({ log: log.id, which: 'all' })}
          >
            <Icons.FileOutput />
          </IconButton>
          <IconButton label={`Remove ${name}`} onClick={onRemove}>
            <Icons.Trash2 />
          </IconButton>
        </div>
      </div>
      {(log.state !== 'complete' || log.problems.length > 0) && <Problems log={log} />}
    </li>
  )
}

const visibleProblems = 2

function Problems({ log: { state, problems } }: { log: EventLog }) {
  const { about, tone } = logStateLabels[state]
  const all = state === 'complete' ? problems : [about, ...problems]
  const rest = all.slice(visibleProblems)
  return (
    <div
      className="grid grid-cols-auto-1 gap-4 rounded-md bg-tone-soft px-5 py-3 text-s wrap-anywhere"
      data-tone={state === 'complete' ? 'warning' : tone}
    >
      <Icons.CircleAlert className="mt-1 text-tone" />
      <div>
        <ProblemList problems={all.slice(0, visibleProblems)} />
        {rest.length > 0 && (
          <Fold summary={`${formatCount(rest.length)} more`}>
            <ProblemList problems={rest} />
          </Fold>
        )}
      </div>
    </div>
  )
}

function ProblemList({ problems }: { problems: readonly string[] }) {
  return (
    <ul>
      {problems.map((text, index) => (
        // The list does not change after the import, so the index is the key.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Shown text={text} max={400} />
        </li>
      ))}
    </ul>
  )
}

function originLabel({ app, format, exportedAt }: EventLog): string {
  const exported = exportedAt === null ? '' : `, exported ${shortDate(exportedAt)}`
  return `from ${app === '' ? format.toUpperCase() : truncate(app, 60)}${exported}`
}

function RedactionCard() {
  return (
    <Card
      title="Redaction"
      note="What is known to be harmless leaves as received, everything else as an alias or a mask. Each export shows it beforehand."
    >
      <section className="grid gap-2" aria-labelledby="own-fields">
        <h3 className="text-s font-semibold" id="own-fields">
          Fields to keep or mask in all exports
        </h3>
        <p className="text-s text-dim">
          Named as in the preview of an export, such as{' '}
          <code className="mono text-xs">data.items[].note</code>,{' '}
          <code className="mono text-xs">header x-shop</code> or{' '}
          <code className="mono text-xs">note</code>.
        </p>
        <SavedChoices />
      </section>
    </Card>
  )
}

/** Imported logs, current exports and imports, and how exports are redacted. */
export function LogsPage() {
  const logs = useLogs((state) => state.logs)
  useKeys({ 'logs-export': exportAll })
  return (
    <Page
      lead="Export deliveries to a file to share them, and open files that you receive."
      help={<LearnMore page="event-logs" />}
      actions={
        <div className="flex flex-none gap-4">
          {logs.length > 0 && <ImportButton />}
          <Button kind="primary" hint="s" icon={Icons.FileOutput} onClick={exportAll}>
            Export…
          </Button>
        </div>
      }
    >
      <TransferList />
      {logs.length > 0 ? <LogList logs={logs} /> : <NoLogs />}
      <RedactionCard />
    </Page>
  )
}

function exportAll(): void {
  openExportDialog({ log: null, which: 'all' })
}

function NoLogs() {
  return (
    <section
      className="grid place-items-center gap-4 rounded-lg border border-dashed border-line-strong p-8 text-center icon-xl [&>p]:max-w-[62ch] [&>p]:text-balance"
      aria-label="Imported logs"
    >
      <Icons.FileInput className="text-accent" strokeWidth={1.6} />
      <h2 className="text-l">Drop an event log here</h2>
      <p className="text-mid">
        Did someone send you an event log? Drop it anywhere on this window, or select it. It opens
        next to your own deliveries, read-only, with list, filter, trace and diff.
      </p>
      <ImportButton />
      <p className="text-s text-dim">
        Event logs of Tabscope (.ndjson, also .gz), HAR files, and requests of ngrok or webhook.site
      </p>
    </section>
  )
}

function LogList({ logs }: { logs: readonly EventLog[] }) {
  const client = useClient()
  return (
    <section className="grid gap-4" aria-label="Imported logs">
      <header className="baseline flex flex-wrap gap-1 gap-x-4">
        <h2>Imported</h2>
        <p className="text-s text-dim">
          {plural(logs.length, 'log', 'logs')}, read-only, separate from your own deliveries
        </p>
      </header>
      <ul className="lined framed grid">
        {logs.map((log) => (
          <LogRow
            key={log.id}
            log={log}
            onRemove={() => confirmRemoval(client, log, () => forget(log.id))}
          />
        ))}
      </ul>
    </section>
  )
}

/** Removes a log from the list, and moves the focus: the button that had it is gone. */
function forget(id: number): void {
  focusAfter(
    () => {
      closeConfirm()
      useLogs.setState((state) => ({ logs: state.logs.filter((log) => log.id !== id) }))
    },
    () =>
      document.querySelector<HTMLElement>('.log-open') ??
      document.querySelector<HTMLElement>('[data-import]'),
  )
}

function ImportButton() {
  const client = useClient()
  const dialogs = useCan('nativeDialogs')
  function select(): void {
    if (dialogs) void importWithDialog(client)
    else selectFiles((files) => importFiles(client, files), { multiple: true })
  }
  useKeys({ 'logs-import': select })
  return (
    <Button hint="i" icon={Icons.FileInput} onClick={select} data-import>
      Import…
    </Button>
  )
}
