import { CircleAlert } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Boundary } from '../../components/Boundary.tsx'
import { Button } from '../../components/Button.tsx'
import { Empty } from '../../components/Empty.tsx'
import { useClient } from '../../platform/use-client.ts'
import { LivePage } from '../deliveries/LivePage.tsx'
import { Guiding } from '../guide/Guiding.tsx'
import { JobStrip } from '../jobs/JobStrip.tsx'
import { useAsking } from '../logs/export/asking.ts'
import { DropTarget } from '../logs/import/DropTarget.tsx'
import { LogStrip } from '../logs/LogStrip.tsx'
import { logOf } from '../logs/address.ts'
import { usePalette } from '../palette/store.ts'
import { ConfirmServer } from '../tunnel/ConfirmServer.tsx'
import { TunnelSaid } from '../tunnel/TunnelSaid.tsx'
import { ConfirmTarget } from '../targets/ConfirmTarget.tsx'
import { AskedDialogs } from './AskedDialogs.tsx'
import { ConnectionBar } from './ConnectionBar.tsx'
import { Footer } from './Footer.tsx'
import { KeysDialog } from './KeysDialog.tsx'
import { Everywhere } from './Everywhere.tsx'
import {
  AuthorizationPage,
  ComposePage,
  ConformancePage,
  ConsolePage,
  EndpointsPage,
  ExportDialog,
  JobsPage,
  LogPage,
  LogsPage,
  SandboxPage,
  SettingsPage,
  TunnelPage,
} from './lazy-pages.tsx'
import { KeyringBanner } from './KeyringBanner.tsx'
import { LostBanner } from './LostBanner.tsx'
import { pageOf } from './pages.ts'
import type { PageName } from './pages.ts'
import { Rail } from './Rail.tsx'
import { contentId, SkipLink } from './SkipLink.tsx'
import { useCan, useShell } from './store.ts'
import { useTitle } from './use-title.ts'
import { takeSnapshot } from './take-in.ts'
import { Toasts } from './Toasts.tsx'
import './Shell.css'

const loadPalette = async () => import('../palette/Palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
/** Milliseconds until what is not on the first screen is loaded. */
const paletteAfter = 1500

/** The window: rail, bar, page, footer. */
export function Shell() {
  const page = useShell((state) => state.page)
  const log = useShell((state) => logOf(state.hash))
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  const editing = useCan('editing')
  useEffect(() => {
    const follow = (): void => {
      useShell.setState({ page: pageOf(location.hash), hash: location.hash })
    }
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  useTitle(page, log)
  return (
    <Tooltip.Provider delayDuration={250}>
      <SkipLink />
      <div className="shell">
        <Rail />
        <ConnectionBar />
        <main className="shell-main" id={contentId} tabIndex={-1}>
          <LostBanner />
          <KeyringBanner />
          <Guiding />
          <div className="shell-page" data-stale={stale || undefined}>
            <Boundary key={`${page} ${log}`}>
              <Coming>
                {!ready ? (
                  <NotReady />
                ) : log === null ? (
                  <Page page={page} />
                ) : (
                  <LogPage log={log} />
                )}
              </Coming>
            </Boundary>
          </div>
          <div className="shell-status">
            {!stale && <JobStrip />}
            {!stale && <LogStrip />}
          </div>
        </main>
        <Footer />
      </div>
      <Everywhere />
      <PaletteHost />
      <TunnelSaid />
      <Toasts />
      <ConfirmTarget />
      <ConfirmServer />
      <Exporting />
      {editing && <DropTarget />}
      <AskedDialogs />
      <KeysDialog />
    </Tooltip.Provider>
  )
}

function Page({ page }: { readonly page: PageName }) {
  switch (page) {
    case 'deliveries':
      return <LivePage />
    case 'compose':
      return <ComposePage />
    case 'jobs':
      return <JobsPage />
    case 'conformance':
      return <ConformancePage />
    case 'authorization':
      return <AuthorizationPage />
    case 'console':
      return <ConsolePage />
    case 'endpoints':
      return <EndpointsPage />
    case 'tunnel':
      return <TunnelPage />
    case 'sandbox':
      return <SandboxPage />
    case 'logs':
      return <LogsPage />
    case 'settings':
      return (
        <Coming>
          <SettingsPage />
        </Coming>
      )
  }
}

/** Mounted when it is first wanted, and then for good: it gives the focus back once it is closed. */
function PaletteHost() {
  const shown = usePalette((state) => state.shown)
  const [wanted, setWanted] = useState(false)
  if (shown && !wanted) setWanted(true)
  // At hand before the key is pressed: what is typed right behind it is meant for the palette.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), paletteAfter)
    return () => clearTimeout(timer)
  }, [])
  return (
    wanted && (
      <Suspense fallback={null}>
        <Palette open={shown} />
      </Suspense>
    )
  )
}

/** The dialog that asks what is to be exported, from whichever page. Loaded when it is first wanted. */
function Exporting() {
  const asked = useAsking((state) => state.ask !== null)
  return (
    asked && (
      <Suspense fallback={null}>
        <ExportDialog />
      </Suspense>
    )
  )
}

/** A page that is still being loaded. */
function Coming({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense fallback={<div className="detail-coming" role="status" aria-label="Loading" />}>
      {children}
    </Suspense>
  )
}

/** Before the first snapshot: nothing for a moment, then why it takes so long. */
function NotReady() {
  const client = useClient()
  const failure = useShell((state) => state.failure)
  const lost = useShell((state) => state.connection.phase === 'lost')
  const noSession = useShell((state) => state.connection.phase === 'no_session')
  // The banner says what to do; nothing is being connected.
  if (noSession) return null
  if (failure !== null && !lost) {
    return (
      <Empty
        icon={<CircleAlert aria-hidden />}
        title="Tabscope could not start"
        actions={<Button onClick={() => takeSnapshot(client)}>Try again</Button>}
      >
        {failure}
      </Empty>
    )
  }
  return (
    <div className="shell-waiting" role="status">
      Connecting to Tabscope
    </div>
  )
}
