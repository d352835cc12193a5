import { eventTypes } from '#catalogue/catalogue.ts'
import type { SandboxState } from '#contract/models.ts'
import { plural } from '#shared/text/format.ts'
import { useClient } from '../../platform/use-client.ts'
import { useEndpoints } from '../../state/endpoints.ts'
import type { Bindings } from '../../platform/command-registry.ts'
import { toastError, toast } from '../../platform/toasts.ts'
import { useSandbox } from '../../state/sandbox.ts'

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

/** Sends from the sandbox, and shows a message if that created the secret of the endpoint. */
export async function reportNewSecret<T>(endpointId: number, send: () => Promise<T>): Promise<T> {
  const hadSecret = hasSecret(endpointId)
  const result = await send()
  if (!hadSecret && hasSecret(endpointId)) {
    toast(
      'valid',
      'The endpoint had no secret. A random one was created, so deliveries are signed.',
      {
        action: { label: 'Show the secret', run: () => location.assign('#/setup/endpoints') },
        about: 'sandbox-secret',
      },
    )
  }
  return result
}

function hasSecret(endpointId: number): boolean {
  const { endpoints } = useEndpoints.getState()
  return endpoints.find(({ id }) => id === endpointId)?.secret.set === true
}

const types = eventTypes.map(({ type }) => type)

function storeState(sandbox: SandboxState): void {
  useSandbox.setState({ sandbox })
}
