import type { DeliverySummary } from '#contract/models.ts'
import type { ForwardTarget } from '#contract/answering.ts'
import type { CountedRule } from './rules.ts'

/** How a delivery is answered that does not get the usual status. */
export interface Plan {
  /** What is known of the answer when the delivery goes to the disk. Null: none goes out, or it comes later. */
  readonly status: number | null
  readonly answeredBy: DeliverySummary['answeredBy']
  readonly reason: string | null
  /** IDs of the response rules that counted it. The delivery's record has them, so that the counts survive a crash. */
  readonly met: readonly number[]
  readonly how:
    /** As without a plan. */
    | { readonly kind: 'usual' }
    | { readonly kind: 'rule'; readonly counted: CountedRule }
    /** The target's answer is ours. */
    | { readonly kind: 'pass'; readonly forward: ForwardTarget }
    /** Its connection is about to be dropped for a request before it. */
    | { readonly kind: 'silent' }
}

export const droppedReason = 'The connection was dropped, as the response rule says.'

export const silentPlan: Plan = {
  status: null,
  answeredBy: null,
  reason: 'The connection was dropped for the request before this one, as the response rule says.',
  met: [],
  how: { kind: 'silent' },
}

/** What is answered at once is known now; what comes later is told when it is out. */
export function rulePlan(counted: CountedRule, met: readonly number[]): Plan {
  const how = { kind: 'rule', counted } as const
  const { rule, ready } = counted
  if (rule.delay > 0) return { status: null, answeredBy: null, reason: null, met, how }
  return ready
    ? { status: ready.status, answeredBy: 'rule', reason: null, met, how }
    : { status: null, answeredBy: 'rule', reason: droppedReason, met, how }
}

export function passPlan(forward: ForwardTarget, met: readonly number[]): Plan {
  return { status: null, answeredBy: null, reason: null, met, how: { kind: 'pass', forward } }
}

/** `status` is that which is answered without rules. */
export function usualPlan(status: number, met: readonly number[]): Plan {
  return { status, answeredBy: null, reason: null, met, how: { kind: 'usual' } }
}
