import { create } from 'zustand'
import type { SandboxState } from '#contract/models.ts'

interface SandboxPageState {
  readonly sandbox: SandboxState
  /** The endpoint chosen on the page; null: the first. */
  readonly endpointId: number | null
  readonly rate: number
}

export const useSandbox = create<SandboxPageState>(() => ({
  sandbox: { running: false, rate: 0, sent: 0, failed: 0, lastError: null },
  endpointId: null,
  rate: 2,
}))
