import type { SandboxProblem } from '#contract/models.ts'
import { eventTypes } from '#catalogue/catalogue.ts'
import { plural } from '#shared/text/format.ts'
import type { Client } from '#client/client.ts'
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
  const endpointId = selectedId ?? endpoint?.id
  return {
    ...(endpointId !== undefined && {
      samples: () => void sendSamples(client, endpointId, allTypes).catch(toastError),
      ...(!running && {
        'traffic-start': () => void startTraffic(client, endpointId).catch(toastError),
      }),
    }),
    ...(running && { 'traffic-stop': () => void stopTraffic(client).catch(toastError) }),
  }
}

export const allTypes = eventTypes.map(({ type }) => type)

export async function sendSamples(
  client: Client,
  endpointId: number,
  types: readonly string[],
  problem: SandboxProblem | null = null,
): Promise<void> {
  const { through } = useSandbox.getState()
  const { sent } = await reportNewSecret(endpointId, () =>
    client.call('sandbox.send', { endpointId, types: [...types], through, problem }),
  )
  toast('valid', `${plural(sent, 'sample', 'samples')} sent.`, {
    action: { label: 'Show deliveries', run: () => location.assign('#/deliveries') },
    about: 'samples',
  })
}

export async function startTraffic(client: Client, endpointId: number): Promise<void> {
  const { rate, through } = useSandbox.getState()
  const sandbox = await reportNewSecret(endpointId, () =>
    client.call('sandbox.startTraffic', { endpointId, rate, through }),
  )
  useSandbox.setState({ sandbox })
}

export async function stopTraffic(client: Client): Promise<void> {
  useSandbox.setState({ sandbox: await client.call('sandbox.stop', {}) })
}
