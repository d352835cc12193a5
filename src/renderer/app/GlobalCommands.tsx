import type { Client } from '#client/client.ts'
import { copyText } from '#kit/clipboard.ts'
import { useClient } from '#client/use-client.ts'
import { endpointUrl, useMainEndpoint } from '#client/state/live-values.ts'
import { openExportDialog } from '#parts/event-logs/export/selection.ts'
import { togglePalette, closePalette, usePalette, openDialog } from '#client/state/overlays.ts'
import { useSandboxCommands } from '#pages/setup/sandbox/commands.ts'
import { selectTheme, checkForUpdates, showLogFile } from '#client/system.ts'
import { useTunnelCommands } from '#parts/tunnel/commands.ts'
import {
  useCommands,
  useKeys,
  runCommand,
  useBoundCommands,
  boundTo,
  type Bindings,
} from '#client/command-registry.ts'
import { relayAddress } from '#client/addresses/pages.ts'
import { allTabs, tabAddress } from './pages.ts'
import { useCan, useShell } from '#client/state/app.ts'
import { toast, toastError } from '#kit/toasts.ts'
import { isCommand, type CommandName } from '#contract/commands.ts'
import { commandsBound, commandWanted } from '#contract/host-messages.ts'
import { modalOpen } from '#client/keys.ts'
import { confirm } from '#kit/Confirm.tsx'
import { plural } from '#shared/text/format.ts'
import { queryOf, useDeliveries } from '#client/state/deliveries.ts'

/** Binds the commands that are available on every page. */
export function GlobalCommands() {
  const client = useClient()
  const ready = useShell((state) => state.ready)
  const updates = useCan('updates')
  useKeys({
    help: () => openDialog('keys'),
    ...(ready && {
      palette: togglePalette,
      ...goToTabs,
      about: () => openDialog('about'),
      messages: () => openDialog('messages'),
      licences: () => openDialog('licences'),
      'theme-light': () => selectTheme(client, 'light'),
      'theme-dark': () => selectTheme(client, 'dark'),
      'theme-system': () => selectTheme(client, 'system'),
      'logs-folder': () => void showLogFile(client),
      ...(updates && { 'updates-check': () => void checkForUpdates(client) }),
    }),
  })
  const listener = useListenerCommands()
  const tunnel = useTunnelCommands()
  const sandbox = useSandboxCommands()
  useCommands(
    ready
      ? {
          ...runInTabs,
          ...listener,
          ...tunnel,
          ...sandbox,
          'go-relay': () => location.assign(relayAddress),
        }
      : {},
  )
  return null
}

const goToTabs: Bindings = Object.fromEntries(
  allTabs.map((tab) => [tab.go, () => location.assign(tabAddress(tab))]),
)

const runInTabs: Bindings = Object.fromEntries(
  allTabs.flatMap((tab) =>
    (tab.runs ?? []).map((name) => [name, () => navigateAndRun(name, tabAddress(tab))]),
  ),
)

function useListenerCommands(): Bindings {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const endpoint = useMainEndpoint()
  const stored = useShell((state) => state.stats.deliveries)
  const url = endpoint ? endpointUrl(listener, endpoint) : null
  return {
    'listener-restart': () =>
      void client.call('listener.start', {}).then((state) => {
        if (state.state === 'listening') toast('valid', `Listening on ${state.origin}.`)
      }, toastError),
    ...(url !== null && {
      'listener-copy': () =>
        void copyText(url).then(
          () => toast('valid', 'Webhook URL copied.'),
          () => toast('invalid', 'Could not copy the webhook URL.'),
        ),
    }),
    ...(stored > 0 && { 'deliveries-clear': () => confirmClear(client, stored) }),
    'logs-export': () => openExportDialog({ log: null, which: 'all' }),
  }
}

/** The minimum time between two messages in milliseconds, because a page binds its commands one after another. */
const debounce = 100

/** Sends the available commands to the host on each change, and runs the commands of its menu. */
export function followHostCommands(page: Window): void {
  let timer = 0
  let lastSent = ''

  function send(): void {
    timer = 0
    const names = [...useBoundCommands.getState().names].sort()
    if (names.join() === lastSent) return
    lastSent = names.join()
    page.postMessage({ kind: commandsBound, names }, page.location.origin)
  }
  function schedule(): void {
    if (timer === 0) timer = page.setTimeout(send, debounce)
  }

  useBoundCommands.subscribe(schedule)
  schedule()
  page.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    // Only Tabscope's preload has this window as its source.
    if (source !== page || typeof data !== 'object' || data === null) return
    if (Reflect.get(data, 'kind') !== commandWanted) return
    const name: unknown = Reflect.get(data, 'name')
    if (typeof name === 'string') runHostCommand(name)
  })
}

/** Runs a command by name. Unknown and unavailable commands are ignored. */
function runHostCommand(name: string): void {
  if (!isCommand(name)) return
  if (usePalette.getState().shown) {
    closePalette(name === 'palette' ? null : () => runCommand(name))
    return
  }
  // As with keys, commands do not reach the page while a modal dialog is open.
  if (!modalOpen()) runCommand(name)
}

function confirmClear(client: Client, stored: number): void {
  const filtered = queryOf(useDeliveries.getState()) !== ''
  confirm({
    title: 'Clear deliveries?',
    description: `Deletes all deliveries that are not pinned. ${plural(stored, 'delivery is', 'deliveries are')} stored. This cannot be undone.${filtered ? ' This includes deliveries that the current list does not show.' : ''}`,
    action: 'Clear',
    async run() {
      const { deleted } = await client.call('deliveries.clear', {})
      toast('valid', `${plural(deleted, 'delivery', 'deliveries')} deleted.`)
    },
  })
}

/** How long to wait for a page, in milliseconds. Its code may have to be loaded. */
const timeout = 5000

let stopWaiting = (): void => undefined

function navigateAndRun(name: CommandName, address: string): void {
  stopWaiting()
  location.assign(address)
  const stop = useBoundCommands.subscribe(({ keyed }) => {
    if (!keyed.has(name)) return
    stopWaiting()
    // After the effects of the page have run.
    setTimeout(() => boundTo(name, { keyed: true })?.())
  })
  const timer = setTimeout(() => stopWaiting(), timeout)
  stopWaiting = () => {
    stop()
    clearTimeout(timer)
    stopWaiting = () => undefined
  }
}
