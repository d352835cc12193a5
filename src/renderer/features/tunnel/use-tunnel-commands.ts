import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../endpoints/store.ts'
import type { Bindings } from '../shell/command-registry.ts'
import { say } from '../shell/toasts.ts'
import { checkTunnel, closeTunnel, copyPublic, openTunnel } from './commands.ts'
import { useTunnel } from './store.ts'
import { checkWord, publicUrl } from './labels.ts'

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
          () => say('valid', 'The public webhook URL is copied.', { about: 'tunnel' }),
          () => say('invalid', 'It could not be copied.', { about: 'tunnel' }),
        ),
    }),
  }
}
