import { create } from 'zustand'
import type { ForwardHealth, ForwardTarget, ResponseRule, RuleUse } from '#contract/answering.ts'

interface AnsweringState {
  readonly forwards: readonly ForwardTarget[]
  readonly health: readonly ForwardHealth[]
  readonly responses: readonly ResponseRule[]
  readonly uses: readonly RuleUse[]
}

/** The response rules and forward targets of all endpoints. */
export const useAnswering = create<AnsweringState>(() => ({
  forwards: [],
  health: [],
  responses: [],
  uses: [],
}))
