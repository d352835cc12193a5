import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import type { Bindings } from '../../platform/command-registry.ts'
import { say } from '../../platform/toasts.ts'
import { checkTunnel, closeTunnel, copyPublic, openTunnel } from './commands.ts'
import { useTunnel } from '../../state/tunnel.ts'
import { checkWord, publicUrl } from '../../state/tunnel-labels.ts'

/** What can be done with the tunnel as it is now, whatever page is shown. */
export function useTunnelCommands(): Bindings {
  const client = useClient()
  const view = useTunnel((state) => state.view)
  const first = useEndpoints((state) => state.endpoints[0])
  if (view === null) return {}
  const url = view.url !== null && first ? publicUrl(view.url, first.slug) : null
  return {
    ...(view.state === 'off'
      ? { 'tunnel-open': () => void openTunnel(client) }
      : { 'tunnel-close': () => void closeTunnel(client) }),
    ...(checkWord(view) !== null && { 'tunnel-check': () => void checkTunnel(client) }),
    ...(url !== null && {
      'tunnel-copy': () =>
        void copyPublic(client, url).then(
          () => say('valid', 'Public webhook URL copied.', { about: 'tunnel' }),
          () => say('invalid', 'Could not copy the public webhook URL.', { about: 'tunnel' }),
        ),
    }),
  }
}
