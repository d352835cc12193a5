import { Icons } from '#kit/icons.tsx'
import { Tooltip } from 'radix-ui'
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadAhead, onDemand } from '#kit/on-demand.tsx'
import { ConfirmHost } from '#kit/Confirm.tsx'
import { Boundary } from '#kit/Boundary.tsx'
import { EmptyFailure } from '#kit/Note.tsx'
import { useClient } from '#client/use-client.ts'
import { useExportDialog } from '#parts/event-logs/export/selection.ts'
import { DropTarget } from '#parts/event-logs/import-files.tsx'
import { LogStrip } from '#parts/event-logs/LogStrip.tsx'
import { logOf, jobAddress } from '#client/addresses/pages.ts'
import { togglePalette, usePalette, useOpenDialog } from '#client/state/overlays.ts'
import { ReachChip, TunnelAnnouncement } from './ReachChip.tsx'
import { RequestHost } from './RequestHost.tsx'
import { ConfirmTarget } from '#parts/send/ConfirmTarget.tsx'
import { Footer } from './Footer.tsx'
import { GlobalCommands } from './GlobalCommands.tsx'
import { Banners } from './Banners.tsx'
import { placeOf } from './pages.ts'
import { Head } from './Head.tsx'
import { Rail } from './Rail.tsx'
import { contentId, SkipLink } from '#kit/SkipLink.tsx'
import { useShell } from '#client/state/app.ts'
import { applySnapshot } from './sync-stores.ts'
import { Toasts } from '#kit/Toasts.tsx'
import { isOpen, jobToReport, useJobs } from '#client/state/jobs.ts'
import { isTransferActive, transferToReport, useLogs } from '#client/state/logs.ts'
import { isHolding, useHold } from '#client/state/hold.ts'
import { useRelays } from '#client/state/live-values.ts'
import { escapeControls } from '#kit/text/visible.ts'
import { EndpointRulesChip } from './EndpointRulesChip.tsx'
import { IntegrationSwitcher } from './IntegrationSwitcher.tsx'
import { TokenChip } from './TokenChip.tsx'
import { modKey } from '#kit/text/key-labels.ts'
import './Shell.css'
import '#parts/endpoints/EndpointRules.css'
import './ConnectionBar.css'

// Loaded once something is held, or shall be.
const HoldHost = onDemand(async () => (await import('#parts/hold/HoldHost.tsx')).HoldHost)
const JobStrip = onDemand(async () => (await import('#parts/send/JobStrip.tsx')).JobStrip)
const RelayChip = lazy(async () => ({ default: (await import('./RelayChip.tsx')).RelayChip }))
const LogPage = lazy(async () => ({ default: (await import('./LogPage.tsx')).LogPage }))
const ExportDialog = lazy(async () => ({
  default: (await import('#parts/event-logs/export/ExportDialog.tsx')).ExportDialog,
}))
const GlobalDialogs = lazy(async () => ({
  default: (await import('./GlobalDialogs.tsx')).GlobalDialogs,
}))
const loadPalette = async () => import('./palette/Finder.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
/** Then the pages, so that each opens at once. A page that cannot be loaded now says so when it is opened. */
async function preload(): Promise<void> {
  await loadPalette()
  await loadAhead()
}
/** When the palette is preloaded, in milliseconds after the start. */
const palettePreloadDelay = 1500

/** The window: rail, bar, page and footer. */
export function Shell() {
  const hash = useShell((state) => state.hash)
  const { page, tab } = placeOf(hash)
  const log = logOf(hash)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  useEffect(() => {
    follow()
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  useTitle(page.label, log)
  return (
    <Tooltip.Provider delayDuration={250}>
      <SkipLink />
      <div className="shell below-760:grid-rows-auto-1-auto">
        <Rail />
        <ConnectionBar />
        <main className="flex min-h-0 min-w-0 flex-col" id={contentId} tabIndex={-1}>
          <Banners />
          <Head page={page} tab={tab} log={log}>
            <div
              className="shell-page relative min-h-0 flex-1 overflow-clip data-stale:grayscale"
              data-stale={stale || undefined}
            >
              <Boundary key={`${tab.address} ${log}`}>
                <Suspense fallback={<div className="flex-1" role="status" aria-label="Loading" />}>
                  {!ready ? <NotReady /> : log === null ? <tab.Component /> : <LogPage log={log} />}
                </Suspense>
              </Boundary>
            </div>
          </Head>
          <Toasts />
          {!stale && <StatusStrips />}
        </main>
        <Footer />
      </div>
      <GlobalCommands />
      <TunnelAnnouncement />
      <ConfirmTarget />
      <RequestHost />
      <Overlays />
      <DropTarget />
      <ConfirmHost />
    </Tooltip.Provider>
  )
}

function follow(): void {
  const { hash } = location
  const { page, tab } = placeOf(hash)
  useShell.setState(({ visited }) => ({
    page: page.name,
    tab: tab.address,
    hash,
    visited: { ...visited, [page.name]: tab.address, [tab.address]: hash },
  }))
}

/** At most one strip: a job, or else a transfer. Both have pages that show all of them. */
function StatusStrips() {
  const job = useJobs(jobToReport)
  const transfer = transferToReport(useLogs())
  const onJobsPage = useShell((state) => state.tab === jobAddress(null))
  const moves = transfer !== null && isTransferActive(transfer.first.of)
  return (
    <div className="shell-status flex-none bg-surface *:border-t *:border-t-line">
      {job !== null && !onJobsPage && (isOpen(job) || !moves) ? (
        <Suspense fallback={null}>
          <JobStrip />
        </Suspense>
      ) : (
        <LogStrip />
      )}
    </div>
  )
}

/** What is loaded when it is first wanted. The palette and the dialogs stay mounted then, so that they can restore the focus. */
function Overlays() {
  const palette = usePalette((state) => state.shown)
  const dialog = useOpenDialog((state) => state.open !== null)
  const exporting = useExportDialog((state) => state.ask !== null)
  const holding = useHold((state) => isHolding(state) || state.dialog !== null)
  const [wanted, setWanted] = useState({ palette, dialog })
  if ((palette && !wanted.palette) || (dialog && !wanted.dialog)) {
    setWanted({ palette: palette || wanted.palette, dialog: dialog || wanted.dialog })
  }
  // Preloaded, so that text typed right after the shortcut goes to the palette.
  useEffect(() => {
    const timer = setTimeout(() => void preload().catch(() => undefined), palettePreloadDelay)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Suspense fallback={null}>{wanted.palette && <Palette open={palette} />}</Suspense>
      <Suspense fallback={null}>{exporting && <ExportDialog />}</Suspense>
      <Suspense fallback={null}>{holding && <HoldHost />}</Suspense>
      <Suspense fallback={null}>{wanted.dialog && <GlobalDialogs />}</Suspense>
    </>
  )
}

function NotReady() {
  const client = useClient()
  const failure = useShell((state) => state.failure)
  const phase = useShell((state) => state.connection.phase)
  if (phase === 'no_session') return null
  if (failure !== null && phase !== 'lost') {
    return (
      <EmptyFailure title="Tabscope could not start" onRetry={() => applySnapshot(client)}>
        {failure}
      </EmptyFailure>
    )
  }
  return (
    <div
      className="grid h-full [animation:late_900ms_step-end] place-items-center text-dim"
      role="status"
    >
      Connecting to Tabscope
    </div>
  )
}

function useTitle(label: string, log: number | null): void {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  const title = [name === undefined ? undefined : escapeControls(name), label, 'Tabscope']
    .filter((part) => part !== undefined)
    .join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}

function ConnectionBar() {
  const hasRelay = useRelays(({ relays }) => relays.length > 0)
  const ready = useShell((state) => state.ready)
  const stale = useShell((state) => state.stale)
  return (
    <header className="bar flex min-w-0 items-center gap-4 border-b border-line bg-surface px-5">
      {ready && (
        <>
          <IntegrationSwitcher />
          <ReachChip />
          {!stale && hasRelay && (
            <Suspense>
              <RelayChip />
            </Suspense>
          )}
          {!stale && <EndpointRulesChip />}
          {!stale && <TokenChip place="bar" />}
          <span className="flex-1" />
          <FindButton />
        </>
      )}
    </header>
  )
}

function FindButton() {
  return (
    <button
      type="button"
      className="bar-chip bar-find flex-none below-1240:[&_.bar-extra]:hidden below-1240:[&_kbd]:hidden"
      title={`Search or run a command (${modKey} K)`}
      aria-keyshortcuts={`${modKey === 'Ctrl' ? 'Control' : 'Meta'}+K`}
      aria-haspopup="dialog"
      onClick={togglePalette}
    >
      <Icons.Search className="text-dim" />
      <span className="bar-extra">Search or run</span>
      <kbd aria-hidden>{modKey} K</kbd>
    </button>
  )
}
