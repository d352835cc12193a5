import { create } from 'zustand'
import type { SandboxState, SandboxRoute } from '#contract/models.ts'
import type { SandboxService } from '#contract/sandbox-service.ts'

interface SandboxPageState {
  readonly sandbox: SandboxState
  /** Null until the first snapshot came. */
  readonly service: SandboxService | null
  /** The endpoint chosen on the page; null: the first. */
  readonly endpointId: number | null
  readonly rate: number
  /** Straight to the listener, or by the tunnel's public address. */
  readonly through: SandboxRoute
}

export const useSandbox = create<SandboxPageState>(() => ({
  sandbox: { running: false, rate: 0, sent: 0, failed: 0, lastError: null },
  service: null,
  endpointId: null,
  rate: 2,
  through: 'listener',
}))
