import { create } from 'zustand'
import type { ForwardTarget } from '#contract/answering.ts'

interface ForwardsState {
  readonly forwards: readonly ForwardTarget[]
}

/** Where deliveries are forwarded to as they arrive. */
export const useForwards = create<ForwardsState>(() => ({ forwards: [] }))
