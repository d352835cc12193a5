import { Activity, CircleAlert, LockKeyhole, Search } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
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
import { togglePalette, usePalette } from '../palette/store.ts'
import { ConfirmServer } from '../tunnel/ConfirmServer.tsx'
import { TunnelAnnouncement } from '../tunnel/TunnelAnnouncement.tsx'
import { ConfirmTarget } from '../targets/ConfirmTarget.tsx'
import { AskedDialogs } from './OpenDialogs.tsx'
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
import { LostBanner } from './LostBanner.tsx'
import { type PageName, pageOf, railFoot, railGroups } from './pages.ts'
import { Rail } from './Rail.tsx'
import { contentId, SkipLink } from './SkipLink.tsx'
import { useCan, useShell } from './store.ts'
import { applySnapshot } from './sync-stores.ts'
import { Toasts } from './Toasts.tsx'
import './Shell.css'
import { useLogs } from '../logs/store.ts'
import { visible } from '../../components/text/visible.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Spark } from '../../components/Spark.tsx'
import { count, counted } from '../../components/text/numbers.ts'
import { copyText } from '../../platform/clipboard.ts'
import { AnsweringChip } from '../answering/AnsweringChip.tsx'
import { IntegrationSwitcher } from '../authorization/IntegrationSwitcher.tsx'
import { TokenChip } from '../authorization/TokenChip.tsx'
import { TunnelChip } from '../tunnel/TunnelChip.tsx'
import { modKey } from './keys.ts'
import { ListenerChip } from './ListenerChip.tsx'
import '../answering/Answering.css'
import './ConnectionBar.css'

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
      <TunnelAnnouncement />
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
        actions={<Button onClick={() => applySnapshot(client)}>Try again</Button>}
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

/** The document's title: the window, the tab and a screen reader tell by it which page this is. `log`: the one that is shown. */
function useTitle(page: PageName, log: number | null): void {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  const label = [...railGroups.flat(), ...railFoot].find((entry) => entry.name === page)?.label
  const title = [name === undefined ? undefined : visible(name), label, 'Tabscope']
    .filter((part) => part !== undefined)
    .join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}

/** The system's keyring waits for the user: what cannot be done until then, and what to do. */
function KeyringBanner() {
  const locked = useShell((state) => state.secretsLocked)
  if (!locked) return null
  return (
    <div className="lost" role="status">
      <LockKeyhole aria-hidden />
      <p>
        <b>Your system’s keyring is locked.</b> Unlock it to use and store secrets and tokens.
        Deliveries are captured meanwhile, but their signatures cannot be checked.
      </p>
    </div>
  )
}

/** Who we are to the service, where we listen, and how much comes. */
function ConnectionBar() {
  const listener = useShell((state) => state.listener)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  return (
    <header className="bar">
      {ready && (
        <>
          <IntegrationSwitcher />
          <div className="bar-chip bar-listener">
            <ListenerChip />
            {listener.state === 'listening' && !stale && (
              <CopyButton text={listener.origin} label="Copy listener address" copy={copyText} />
            )}
          </div>
          <TunnelChip />
          {!stale && <AnsweringChip />}
          {!stale && <TokenChip />}
          <span className="bar-gap" />
          {!stale && <PerMinute />}
          <FindButton />
        </>
      )}
    </header>
  )
}

/** The way to the palette for those who do not know its key, which it tells. */
function FindButton() {
  return (
    <button
      type="button"
      className="bar-chip bar-find"
      title={`Find a command, a delivery or a setting (${modKey} K)`}
      aria-keyshortcuts={`${modKey === 'Ctrl' ? 'Control' : 'Meta'}+K`}
      aria-haspopup="dialog"
      onClick={togglePalette}
    >
      <Search aria-hidden />
      <span className="bar-find-word">Find…</span>
      <kbd aria-hidden>{modKey} K</kbd>
    </button>
  )
}

function PerMinute() {
  const perMinute = useShell((state) => state.perMinute)
  const hour = perMinute.reduce((sum, value) => sum + value, 0)
  const now = perMinute.at(-1) ?? 0
  return (
    <div className="bar-rate" title={`${counted(hour, 'delivery', 'deliveries')} in the last hour`}>
      <Activity aria-hidden />
      <Spark
        values={perMinute}
        label={`Deliveries a minute over the last hour: ${count(hour)} in all, ${count(now)} in this minute`}
      />
      <span className="bar-now">
        <b>{count(now)}</b> this minute
      </span>
    </div>
  )
}
