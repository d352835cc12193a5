import { Icons } from '#kit/icons.tsx'
import { Empty, WhenLoaded } from '#kit/Note.tsx'
import { type LogViewName, logViewAddress, logViewOf } from '#client/addresses/pages.ts'
import { useLogs } from '#client/state/logs.ts'
import { useShell } from '#client/state/app.ts'
import { DeliveriesPage } from '#pages/deliveries/DeliveriesPage.tsx'
import { ScopeContext } from '#client/state/scope.ts'
import { useListAddress } from '#client/addresses/deliveries.ts'
import { closeScope } from '#pages/deliveries/feed/feeds.ts'
import type { EventLog } from '#contract/logs.ts'
import { Button, IconButton } from '#kit/Button.tsx'
import { useClient, useQuery } from '#client/use-client.ts'
import { lazy, Suspense } from 'react'
import { rehearsePlaceOf, logRehearsalsAddress } from '#client/addresses/rehearse.ts'
import { AuthorizationView } from '#pages/authorization/AuthorizationView.tsx'
import { plural } from '#shared/text/format.ts'
import { Shown } from '#kit/Shown.tsx'
import { StateMark } from '#kit/Mark.tsx'
import { fullTime, shortDate } from '#kit/text/time.ts'
import { truncate, shortText } from '#kit/text/visible.ts'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import {
  confirmRemoval,
  redactionDetails,
  redactionLabel,
  logStateLabels,
  timeSpan,
} from '#parts/event-logs/labels.ts'
import './LogPage.css'

const ConformancePage = lazy(async () => ({
  default: (await import('#pages/health/differences/ConformancePage.tsx')).ConformancePage,
}))
const RehearsalsView = lazy(async () => ({
  default: (await import('#pages/handler/rehearsals/RehearsalsView.tsx')).RehearsalsView,
}))

/** A read-only event log, displayed like the live deliveries. Keyed by its ID. */
export function LogPage({ log: id }: { log: number }) {
  const log = useLogs(({ logs }) => logs.find((candidate) => candidate.id === id))
  const view = useShell(
    ({ hash }): LogView =>
      logViewOf(hash) ?? (rehearsePlaceOf(hash) === null ? 'deliveries' : 'rehearsals'),
  )
  return (
    <ScopeContext value={id}>
      <div className="flex h-full flex-col [&>.empty]:flex-1">
        {log ? (
          <>
            <LogFrame log={log} view={view} />
            <div className="min-h-0 flex-1 border-2 border-t-0 border-info">
              <Suspense>
                {view === 'authorization' ? (
                  <LogAuthorization log={log} />
                ) : view === 'differences' ? (
                  <ConformancePage />
                ) : view === 'rehearsals' ? (
                  <RehearsalsView start={null} />
                ) : (
                  <DeliveriesPage />
                )}
              </Suspense>
            </div>
          </>
        ) : (
          <LogNotFound />
        )}
      </div>
    </ScopeContext>
  )
}

function LogNotFound() {
  const live = useListAddress(null)
  return (
    <Empty
      icon={Icons.ScrollText}
      title="Event log not found"
      actions={
        <>
          <a className="button" data-kind="plain" href={live}>
            Back to the live deliveries
          </a>
          <a className="button" data-kind="plain" href="#/logs">
            All event logs
          </a>
        </>
      }
    >
      It was removed, here or from the command line. You can import its file again.
    </Empty>
  )
}

function LogAuthorization({ log }: { log: EventLog }) {
  const query = useQuery('logs.authorization', { log: log.id })
  return (
    <WhenLoaded query={query}>
      {(data) => <AuthorizationView data={data} at={log.exportedAt ?? log.importedAt} />}
    </WhenLoaded>
  )
}

/** What is shown of a log. */
type LogView = 'deliveries' | 'rehearsals' | LogViewName

function LogFrame({ log, view }: { log: EventLog; view: LogView }) {
  const client = useClient()
  const { id } = log
  const list = useListAddress(id)
  const name = shortText(log.name, 120)
  const rehearsals = {
    name: 'rehearsals',
    label: 'Rehearsals',
    icon: Icons.FlaskConical,
    href: logRehearsalsAddress(id),
  }
  const links = [
    { name: 'deliveries', label: 'Deliveries', icon: Icons.List, href: list },
    ...(log.rehearsals === undefined ? [] : [rehearsals]),
    {
      name: 'differences',
      label: 'Differences',
      icon: Icons.ClipboardCheck,
      href: logViewAddress(id, 'differences'),
    },
    {
      name: 'authorization',
      label: 'Integrations & authorization',
      icon: Icons.KeyRound,
      href: logViewAddress(id, 'authorization'),
    },
  ]
  return (
    <section
      className="flex flex-none items-center gap-4 border-2 border-b-0 border-info bg-info-soft px-5 py-3"
      aria-label={`Event log ${name}`}
    >
      <Icons.ScrollText className="text-info icon-l" />
      <div className="min-h-0 min-w-0 flex-1">
        <p className="flex min-w-0 flex-wrap items-center gap-1 gap-x-4">
          <b className="cut" title={name}>
            {name}
          </b>
          <span className="tag" data-tone="info">
            event log, read-only
          </span>
          <span className="tag" data-tone={log.redacted === true ? 'valid' : 'warning'}>
            {redactionLabel(log.redacted)}
          </span>
          <LogState log={log} />
        </p>
        <p className="log-frame-facts flex min-w-0 flex-wrap items-center gap-1 gap-x-4 text-xs text-mid">
          <span>
            <Shown text={sourceLabel(log)} />
          </span>
          {log.exportedAt !== null && (
            <span title={fullTime(log.exportedAt)}>exported {shortDate(log.exportedAt)}</span>
          )}
          <span>{plural(log.deliveries, 'delivery', 'deliveries')}</span>
          {log.rehearsals !== undefined && (
            <span>{plural(log.rehearsals, 'rehearsal', 'rehearsals')}</span>
          )}
          {log.firstAt !== null && <span>{timeSpan(log.firstAt, log.lastAt)}</span>}
        </p>
        {log.redaction && (
          <p className="cut text-xs text-mid">
            <Shown text={redactionDetails(log)} max={400} />
          </p>
        )}
      </div>
      <div className="flex flex-none items-center gap-3">
        {links.map(
          ({ name: to, label, icon: LinkIcon, href }) =>
            to !== view && (
              <a key={to} className="button" data-kind="plain" href={href}>
                <LinkIcon />
                <span className="below-1240:sr-only">{label}</span>
              </a>
            ),
        )}
        <Button
          icon={Icons.FileOutput}
          title="Export this log again"
          onClick={() => openExportDialog({ log: log.id, which: 'all' })}
        >
          <span className="below-1240:sr-only">Export again</span>
        </Button>
        <IconButton
          label="Remove this log"
          onClick={() => confirmRemoval(client, log, () => closeScope(log.id, true))}
        >
          <Icons.Trash2 />
        </IconButton>
        <Button
          icon={Icons.X}
          title="Back to the live deliveries"
          onClick={() => closeScope(log.id, true)}
        >
          Close
        </Button>
      </div>
    </section>
  )
}

function LogState({ log: { state, problems } }: { log: EventLog }) {
  const { word, about, tone, icon } = logStateLabels[state]
  return (
    <>
      <span title={about}>
        <StateMark tone={tone} icon={icon} word={word} />
      </span>
      {(state !== 'complete' || problems.length > 0) && (
        <a className="link inline-flex items-center gap-2 text-xs" href="#/logs">
          <Icons.CircleAlert />
          {state === 'complete' ? plural(problems.length, 'note', 'notes') : 'What is missing'}
        </a>
      )}
    </>
  )
}

function sourceLabel({ app, format }: EventLog): string {
  return app === '' ? `a ${format.toUpperCase()} file` : `from ${truncate(app, 60)}`
}
