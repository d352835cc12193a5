import { sentence } from '../platform/call-error.ts'
import { copyText } from '../platform/clipboard.ts'
import { useClient } from '../platform/use-client.ts'
import { refreshAddress, runAddress, setupAddress, tokensAddress } from '../routes/authorization.ts'
import { useCompose } from '../features/compose/index.ts'
import { listAddress } from '../routes/use-list-address.ts'
import { endpointUrl, useEndpoints } from '../state/endpoints.ts'
import { openExportDialog } from '../features/logs/index.ts'
import { togglePalette } from '../state/palette.ts'
import { useSandboxCommands } from '../features/sandbox/index.ts'
import { chooseTheme } from '../platform/theme.ts'
import { useTunnelCommands } from '../features/tunnel/index.ts'
import { openDialog } from '../platform/dialogs.ts'
import type { Bindings } from '../platform/command-registry.ts'
import { useCommands, useKeys } from '../platform/command-registry.ts'
import { navigateAndRunBindings } from '../platform/navigate-and-run.ts'
import { useCan, useShell } from '../state/app.ts'
import { checkForUpdates, showLogFile } from '../platform/system.ts'
import { say } from '../platform/toasts.ts'

/** Binds what can be done from every page. */
export function Everywhere() {
  const client = useClient()
  const ready = useShell((state) => state.ready)
  const updates = useCan('updates')
  useKeys({
    help: () => useShell.setState({ keysShown: true }),
    ...(ready && {
      palette: togglePalette,
      ...pages,
      'user-guide': go('#/help'),
      about: () => openDialog('about'),
      licences: () => openDialog('licences'),
      'theme-light': () => chooseTheme(client, 'light'),
      'theme-dark': () => chooseTheme(client, 'dark'),
      'theme-system': () => chooseTheme(client, 'system'),
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

const go = (address: string) => () => location.assign(address)

const pages: Bindings = {
  'go-deliveries': () => location.assign(listAddress(null)),
  'go-compose': () => location.assign(useCompose.getState().address),
  'go-jobs': go('#/jobs'),
  'go-conformance': go('#/conformance'),
  'go-authorization': go('#/authorization'),
  'go-console': go('#/console'),
  'go-endpoints': go('#/endpoints'),
  tunnel: go('#/tunnel'),
  'go-sandbox': go('#/sandbox'),
  logs: go('#/logs'),
  'go-settings': go('#/settings'),
}

const authorizationViews: Bindings = {
  runs: go(runAddress(null)),
  tokens: go(tokensAddress),
  refresh: go(refreshAddress),
  setup: go(setupAddress),
}

function useListenerCommands(): Bindings {
  const client = useClient()
  const listener = useShell((state) => state.listener)
  const endpoint = useEndpoints((state) => state.endpoints[0])
  const kept = useShell((state) => state.stats.deliveries)
  const url = endpoint ? endpointUrl(listener, endpoint) : null
  return {
    'listener-restart': () =>
      void client.call('listener.start', {}).then((state) => {
        if (state.state === 'listening') say('valid', `Listening on ${state.origin}.`)
      }, refused),
    ...(url !== null && {
      'listener-copy': () =>
        void copyText(url).then(
          () => say('valid', 'Webhook URL copied.'),
          () => say('invalid', 'Could not copy the webhook URL.'),
        ),
    }),
    ...(kept > 0 && { 'deliveries-clear': () => openDialog('clear') }),
    'logs-export': () => openExportDialog({ log: null, which: 'all' }),
  }
}

function refused(error: unknown): void {
  say('invalid', sentence(error))
}
