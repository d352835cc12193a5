import { create } from 'zustand'
import type { SandboxState, SandboxRoute } from '#contract/models.ts'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { useAction, type Action } from '#kit/use-action.ts'
import { toast } from '#kit/toasts.ts'
import { useClient } from '../use-client.ts'
import { useEndpoints } from './live-values.ts'

interface SandboxPageState {
  readonly sandbox: SandboxState
  /** Null until the first snapshot is loaded. */
  readonly service: SandboxService | null
  /** The endpoint selected on the page; null for the first. */
  readonly endpointId: number | null
  readonly rate: number
  /** Directly to the listener, or through the tunnel. */
  readonly through: SandboxRoute
}

export const useSandbox = create<SandboxPageState>(() => ({
  sandbox: { running: false, rate: 0, sent: 0, failed: 0, lastError: null },
  service: null,
  endpointId: null,
  rate: 2,
  through: 'listener',
}))

/** The action that starts the simulated service. */
export function useStartSandbox(): Action {
  const client = useClient()
  return useAction(async () => {
    useSandbox.setState({ service: await client.call('sandboxService.start', {}) })
  })
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
