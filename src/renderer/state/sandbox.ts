import { create } from 'zustand'
import type { SandboxState, SandboxRoute } from '#contract/models.ts'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { useAction, useClient, type Action } from '../platform/use-client.ts'

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
