import { create } from 'zustand'
import type {
  ForwardHealth,
  ForwardTarget,
  ResponseRule,
  RuleUse,
} from '#contract/endpoint-rules.ts'

interface EndpointRulesState {
  readonly forwards: readonly ForwardTarget[]
  readonly health: readonly ForwardHealth[]
  readonly responses: readonly ResponseRule[]
  readonly uses: readonly RuleUse[]
}

/** The response rules and forward targets of all endpoints. */
export const useEndpointRules = create<EndpointRulesState>(() => ({
  forwards: [],
  health: [],
  responses: [],
  uses: [],
}))
