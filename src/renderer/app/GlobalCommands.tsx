import { sentence } from '../platform/call-error.ts'
import { copyText } from '../platform/clipboard.ts'
import { useClient } from '../platform/use-client.ts'
import { refreshAddress, runAddress, setupAddress, tokensAddress } from '../routes/authorization.ts'
import { useCompose } from '../features/compose/index.ts'
import { listAddress } from '../routes/deliveries.ts'
import { endpointUrl, useEndpoints } from '../state/endpoints.ts'
import { openExportDialog } from '../features/logs/index.ts'
import { togglePalette } from '../state/palette.ts'
import { useSandboxCommands } from '../features/sandbox/index.ts'
import { selectTheme } from '../platform/theme.ts'
import { useTunnelCommands } from '../features/tunnel/index.ts'
import { openDialog } from '../platform/dialogs.ts'
import type { Bindings } from '../platform/command-registry.ts'
import { useCommands, useKeys } from '../platform/command-registry.ts'
import { navigateAndRunBindings } from '../platform/navigate-and-run.ts'
import { useCan, useShell } from '../state/app.ts'
import { checkForUpdates, showLogFile } from '../platform/system.ts'
import { say } from '../platform/toasts.ts'

/** Binds the commands that are available on every page. */
export function GlobalCommands() {
  const client = useClient()
  const ready = useShell((state) => state.ready)
  const updates = useCan('updates')
  useKeys({
    help: () => useShell.setState({ keysShown: true }),
    ...(ready && {
      palette: togglePalette,
      ...pages,
      'user-guide': navigateTo('#/help'),
      about: () => openDialog('about'),
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
      ? { ...navigateAndRunBindings(), ...listener, ...tunnel, ...sandbox, ...authorizationViews }
      : {},
  )
  return null
}

const navigateTo = (address: string) => () => location.assign(address)

const pages: Bindings = {
  'go-deliveries': () => location.assign(listAddress(null)),
  'go-compose': () => location.assign(useCompose.getState().address),
  'go-jobs': navigateTo('#/jobs'),
  'go-conformance': navigateTo('#/conformance'),
  'go-rehearse': navigateTo('#/rehearse'),
  'go-authorization': navigateTo('#/authorization'),
  'go-console': navigateTo('#/console'),
  'go-endpoints': navigateTo('#/endpoints'),
  tunnel: navigateTo('#/tunnel'),
  'go-sandbox': navigateTo('#/sandbox'),
  logs: navigateTo('#/logs'),
  'go-assistants': navigateTo('#/assistants'),
  'go-settings': navigateTo('#/settings'),
}

const authorizationViews: Bindings = {
  runs: navigateTo(runAddress(null)),
  tokens: navigateTo(tokensAddress),
  refresh: navigateTo(refreshAddress),
  setup: navigateTo(setupAddress),
}

function useListenerCommands(): Bindings {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const endpoint = useEndpoints((state) => state.endpoints[0])
  const stored = useShell((state) => state.stats.deliveries)
  const url = endpoint ? endpointUrl(listener, endpoint) : null
  return {
    'listener-restart': () =>
      void client.call('listener.start', {}).then((state) => {
        if (state.state === 'listening') say('valid', `Listening on ${state.origin}.`)
      }, showError),
    ...(url !== null && {
      'listener-copy': () =>
        void copyText(url).then(
          () => say('valid', 'Webhook URL copied.'),
          () => say('invalid', 'Could not copy the webhook URL.'),
        ),
    }),
    ...(stored > 0 && { 'deliveries-clear': () => openDialog('clear') }),
    'logs-export': () => openExportDialog({ log: null, which: 'all' }),
  }
}

function showError(error: unknown): void {
  say('invalid', sentence(error))
}
