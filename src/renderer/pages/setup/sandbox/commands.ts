import { eventTypes } from '#catalogue/catalogue.ts'
import type { SandboxState } from '#contract/models.ts'
import { plural } from '#shared/text/format.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import type { Bindings } from '#client/command-registry.ts'
import { toastError, toast } from '#kit/toasts.ts'
import { reportNewSecret, useSandbox } from '#client/state/sandbox.ts'

/** The sandbox commands that are available on every page. */
export function useSandboxCommands(): Bindings {
  const client = useClient()
  const running = useSandbox((state) => state.sandbox.running)
  const endpoint = useEndpoints((state) => state.endpoints[0])
  const selectedId = useSandbox((state) => state.endpointId)
  const rate = useSandbox((state) => state.rate)
  const through = useSandbox((state) => state.through)
  const endpointId = selectedId ?? endpoint?.id
  return {
    ...(endpointId !== undefined && {
      samples: () =>
        void reportNewSecret(endpointId, () =>
          client.call('sandbox.send', { endpointId, types, through }),
        ).then(
          ({ sent }) => toast('valid', `${plural(sent, 'sample', 'samples')} sent.`),
          toastError,
        ),
      ...(!running && {
        'traffic-start': () =>
          void reportNewSecret(endpointId, () =>
            client.call('sandbox.startTraffic', { endpointId, rate, through }),
          ).then(storeState, toastError),
      }),
    }),
    ...(running && {
      'traffic-stop': () => void client.call('sandbox.stop', {}).then(storeState, toastError),
    }),
  }
}

const types = eventTypes.map(({ type }) => type)

function storeState(sandbox: SandboxState): void {
  useSandbox.setState({ sandbox })
}
