import { ScrollText } from '../../../ui/icons.tsx'
import { Stack } from '../../../ui/Layout.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { isAuthorization } from '../../../routes/logs.ts'
import { useLogs } from '../../../state/logs.ts'
import { useShell } from '../../../state/app.ts'
import { DeliveriesPage } from '../DeliveriesPage.tsx'
import { ScopeContext } from '../../../state/scope.ts'
import { useListAddress } from '../../../routes/deliveries.ts'
import { LogFrame, type LogView } from './LogFrame.tsx'
import { ScopeTabs } from './ScopeTabs.tsx'
import './ScopeTabs.css'
import type { EventLog } from '#contract/logs.ts'
import { Button } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { lazy, Suspense } from 'react'
import { rehearsePlaceOf } from '../../../routes/rehearse.ts'
import { AuthorizationView } from '../../authorization/index.ts'

const RehearsalsView = lazy(async () => {
  const { RehearsalsView: view } = await import('../../rehearsal/index.ts')
  return { default: view }
})

/** A read-only event log, displayed like the live deliveries. Keyed by its ID. */
export function LogPage({ log: id }: { readonly log: number }) {
  const log = useLogs(({ logs }) => logs.find((candidate) => candidate.id === id))
  const view = useShell(({ hash }) => viewOf(hash))
  return (
    <ScopeContext value={id}>
      <Stack column full className="log-page">
        {(view === 'authorization' || !log) && <h1 className="visually-hidden">Event log</h1>}
        <ScopeTabs />
        {log ? (
          <>
            <LogFrame log={log} view={view} />
            <div className="log-content">
              {view === 'authorization' ? (
                <LogAuthorization log={log} />
              ) : view === 'rehearsals' ? (
                <Suspense>
                  <RehearsalsView start={null} />
                </Suspense>
              ) : (
                <DeliveriesPage />
              )}
            </div>
          </>
        ) : (
          <LogNotFound />
        )}
      </Stack>
    </ScopeContext>
  )
}

function viewOf(hash: string): LogView {
  if (isAuthorization(hash)) return 'authorization'
  return rehearsePlaceOf(hash) === null ? 'deliveries' : 'rehearsals'
}

/** Shown for a log that was removed or never existed. */
function LogNotFound() {
  const live = useListAddress(null)
  return (
    <Empty
      icon={<ScrollText aria-hidden />}
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

/** The integrations and authorization data of a log. */
function LogAuthorization({ log }: { readonly log: EventLog }) {
  const { state, reload } = useQuery('logs.authorization', { log: log.id })
  switch (state.phase) {
    case 'loading':
      return <div className="detail-coming" role="status" aria-label="Loading" />
    case 'failed':
      return (
        <Note tone="invalid" alert action={<Button onClick={reload}>Try again</Button>}>
          {state.message}
        </Note>
      )
    case 'ready':
      return <AuthorizationView data={state.value} at={log.exportedAt ?? log.importedAt} />
  }
}
