import { describeDamage } from '#contract/damaged-file.ts'
import { Icons } from '#kit/icons.tsx'
import { Tooltip } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { loadAhead, onDemand } from '#kit/on-demand.tsx'
import { ConfirmHost } from '#kit/Confirm.tsx'
import { Boundary } from '#kit/Boundary.tsx'
import { EmptyFailure } from '#kit/Note.tsx'
import { useClient } from '#client/use-client.ts'
import { JobStrip } from '#parts/send/JobStrip.tsx'
import { useExportDialog } from '#parts/event-logs/export/selection.ts'
import { DropTarget } from '#parts/event-logs/import-files.tsx'
import { LogStrip } from '#parts/event-logs/LogStrip.tsx'
import { logOf, jobAddress } from '#client/addresses/pages.ts'
import {
  togglePalette,
  usePalette,
  type OpenDialog,
  useOpenDialog,
} from '#client/state/overlays.ts'
import { ReachChip, TunnelAnnouncement } from './ReachChip.tsx'
import { RequestHost } from './RequestHost.tsx'
import { ConfirmTarget } from '#parts/send/ConfirmTarget.tsx'
import { Footer } from './Footer.tsx'
import { KeysDialog } from './KeysDialog.tsx'
import { GlobalCommands } from './GlobalCommands.tsx'
import { LostBanner } from './LostBanner.tsx'
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
import { fullTime } from '#kit/text/time.ts'
import { EndpointRulesChip } from './EndpointRulesChip.tsx'
import { IntegrationSwitcher } from './IntegrationSwitcher.tsx'
import { TokenChip } from './TokenChip.tsx'
import { modKey } from '#kit/text/key-words.ts'
import './Shell.css'
import '#parts/endpoints/EndpointRules.css'
import './ConnectionBar.css'

// Loaded once something is held, or shall be.
const HoldHost = onDemand(async () => (await import('#parts/hold/HoldHost.tsx')).HoldHost)
const RelayChip = lazy(async () => ({ default: (await import('./RelayChip.tsx')).RelayChip }))
const LogPage = lazy(async () => ({
  default: (await import('./LogPage.tsx')).LogPage,
}))
const ExportDialog = lazy(async () => ({
  default: (await import('#parts/event-logs/export/ExportDialog.tsx')).ExportDialog,
}))
const dialogs = {
  about: lazy(async () => ({
    default: (await import('./AboutDialog.tsx')).AboutDialog,
  })),
  licences: lazy(async () => ({
    default: (await import('./AboutDialog.tsx')).LicencesDialog,
  })),
  messages: lazy(async () => ({
    default: (await import('./MessagesDialog.tsx')).MessagesDialog,
  })),
} as const satisfies Record<OpenDialog, unknown>

/** The dialogs that any page can open. Each one is mounted when it is first opened and stays mounted, so that it can restore the focus. */
function GlobalDialogs() {
  const open = useOpenDialog((state) => state.open)
  const [mounted, setMounted] = useState<readonly OpenDialog[]>([])
  if (open !== null && !mounted.includes(open)) setMounted([...mounted, open])
  return mounted.map((name) => {
    const Dialog = dialogs[name]
    return (
      <Suspense key={name} fallback={null}>
        <Dialog open={open === name} />
      </Suspense>
    )
  })
}

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
          <LostBanner />
          <KeyringBanner />
          <DamageBanners />
          <Head page={page} tab={tab} log={log}>
            <div
              className="shell-page relative min-h-0 flex-1 overflow-clip data-stale:grayscale"
              data-stale={stale || undefined}
            >
              <Boundary key={`${tab.address} ${log}`}>
                <PageSuspense>
                  {!ready ? <NotReady /> : log === null ? <tab.Component /> : <LogPage log={log} />}
                </PageSuspense>
              </Boundary>
            </div>
          </Head>
          <Toasts />
          {!stale && <StatusStrips />}
        </main>
        <Footer />
      </div>
      <GlobalCommands />
      <PaletteHost />
      <TunnelAnnouncement />
      <ConfirmTarget />
      <RequestHost />
      <ExportDialogHost />
      <Holding />
      <DropTarget />
      <GlobalDialogs />
      <ConfirmHost />
      <KeysDialog />
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
      {job !== null && !onJobsPage && (isOpen(job) || !moves) ? <JobStrip /> : <LogStrip />}
    </div>
  )
}

/** Mounts the palette when it is first opened. It stays mounted, so that it can restore the focus. */
function PaletteHost() {
  const shown = usePalette((state) => state.shown)
  const [mounted, setMounted] = useState(false)
  if (shown && !mounted) setMounted(true)
  // Preloaded, so that text typed right after the shortcut goes to the palette.
  useEffect(() => {
    const timer = setTimeout(() => void preload().catch(() => undefined), palettePreloadDelay)
    return () => clearTimeout(timer)
  }, [])
  return (
    mounted && (
      <Suspense fallback={null}>
        <Palette open={shown} />
      </Suspense>
    )
  )
}

function ExportDialogHost() {
  const open = useExportDialog((state) => state.ask !== null)
  return (
    open && (
      <Suspense fallback={null}>
        <ExportDialog />
      </Suspense>
    )
  )
}

function Holding() {
  const needed = useHold((state) => isHolding(state) || state.dialog !== null)
  return (
    needed && (
      <Suspense fallback={null}>
        <HoldHost />
      </Suspense>
    )
  )
}

function PageSuspense({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense fallback={<div className="flex-1" role="status" aria-label="Loading" />}>
      {children}
    </Suspense>
  )
}

/** Shown before the first snapshot is loaded. */
function NotReady() {
  const client = useClient()
  const failure = useShell((state) => state.failure)
  const lost = useShell((state) => state.connection.phase === 'lost')
  const noSession = useShell((state) => state.connection.phase === 'no_session')
  // The banner explains what to do.
  if (noSession) return null
  if (failure !== null && !lost) {
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

/** Sets the title of the window or tab. `log`: the log that is shown. */
function useTitle(label: string, log: number | null): void {
  const name = useLogs(({ logs }) => logs.find(({ id }) => id === log)?.name)
  const title = [name === undefined ? undefined : escapeControls(name), label, 'Tabscope']
    .filter((part) => part !== undefined)
    .join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}

function KeyringBanner() {
  const locked = useShell((state) => state.secretsLocked)
  if (!locked) return null
  return (
    <div
      className="note lost rounded-none border-b border-b-[color-mix(in_srgb,var(--warning)_30%,transparent)]"
      data-tone="warning"
      role="status"
    >
      <Icons.LockKeyhole />
      <p>
        <b>Your system’s keyring is locked.</b> Unlock it to use and store secrets and tokens. Until
        then, deliveries are captured but their signatures cannot be checked.
      </p>
    </div>
  )
}

function DamageBanners() {
  const files = useShell((state) => state.damagedFiles)
  return files.map((file) => (
    <div
      key={file.path}
      className="note lost rounded-none border-b border-b-[color-mix(in_srgb,var(--warning)_30%,transparent)]"
      data-tone="warning"
      role="status"
    >
      <Icons.TriangleAlert />
      <p>
        <b>{describeDamage(file, fullTime)}</b> The damaged file is kept:{' '}
        {escapeControls(file.path)}. Delete it when you no longer need it.
      </p>
    </div>
  ))
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
