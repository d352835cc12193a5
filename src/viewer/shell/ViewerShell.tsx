import { CircleAlert } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { useState } from 'react'
import { Boundary } from '#renderer/components/Boundary.tsx'
import { Empty } from '#renderer/components/Empty.tsx'
import { Note } from '#renderer/components/Note.tsx'
import { AuthorizationView } from '#renderer/features/deliveries/log/AuthorizationView.tsx'
import { DeliveriesPage } from '#renderer/features/deliveries/DeliveriesPage.tsx'
import { KeysDialog } from '#renderer/features/shell/KeysDialog.tsx'
import { useKeys } from '#renderer/features/shell/bound.ts'
import { useShell } from '#renderer/features/shell/store.ts'
import { Toasts } from '#renderer/features/shell/Toasts.tsx'
import '#renderer/features/shell/Shell.css'
import type { PageLog } from '../log/log.ts'
import { ViewerBar, type ViewName } from './ViewerBar.tsx'
import { ViewerFoot } from './ViewerFoot.tsx'
import './ViewerShell.css'

/** The window of an exported page: what log this is, its deliveries, and the keys. */
export function ViewerShell({ log }: { readonly log: PageLog }) {
  const ready = useShell((state) => state.ready)
  const failure = useShell((state) => state.failure)
  const [view, setView] = useState<ViewName>('deliveries')
  useKeys({ help: () => useShell.setState({ keysShown: true }) })
  return (
    <Tooltip.Provider delayDuration={250}>
      <div className="viewer">
        <ViewerBar log={log} view={view} onView={setView} />
        <main className="shell-main">
          {log.problems.length > 0 && (
            <div className="viewer-problems">
              <Note tone="missing" alert>
                {log.problems.join(' ')}
              </Note>
            </div>
          )}
          <div className="shell-page">
            <Boundary>
              {ready && view === 'authorization' ? (
                <Authorization log={log} />
              ) : ready ? (
                <DeliveriesPage />
              ) : (
                failure !== null && (
                  <Empty icon={<CircleAlert aria-hidden />} title="This log cannot be shown">
                    {failure}
                  </Empty>
                )
              )}
            </Boundary>
          </div>
        </main>
        <ViewerFoot log={log} />
      </div>
      <Toasts />
      <KeysDialog />
    </Tooltip.Provider>
  )
}

function Authorization({ log }: { readonly log: PageLog }) {
  const { integrations, endpoints, tokens, runs } = log
  const told = {
    integrations: [...integrations],
    endpoints: [...endpoints],
    tokens: [...tokens],
    runs: runs.map(({ run }) => run).toReversed(),
  }
  return (
    <>
      <h1 className="visually-hidden">Authorization</h1>
      <AuthorizationView told={told} at={Date.parse(log.head.exportedAt)} />
    </>
  )
}
