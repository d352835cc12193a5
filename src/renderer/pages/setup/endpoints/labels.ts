import { formatCount } from '#shared/text/format.ts'
import type {
  ForwardHealth,
  ForwardTarget,
  ResponseRule,
  RuleUse,
} from '#contract/endpoint-rules.ts'

/** "500", "no response" or "script busy". */
export function responseLabel({ response }: Pick<ResponseRule, 'response'>): string {
  switch (response.kind) {
    case 'status':
      return String(response.status)
    case 'drop':
      return 'no response'
    case 'script':
      return `script ${response.script}`
  }
}

/** When a rule applies: "always", "the first 3", "20% at random". */
export function whenLabel({ when }: Pick<ResponseRule, 'when'>): string {
  switch (when.kind) {
    case 'always':
      return 'always'
    case 'first':
      return when.count === 1 ? 'the first delivery' : `the first ${formatCount(when.count)}`
    case 'share':
      return `${Math.round(when.share * 1000) / 10}% at random`
  }
}

export function delayLabel(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

/** How often a rule was applied: "2 of 3", "4 of 19 so far". Empty if it never matched. */
export function usageLabel({ when }: Pick<ResponseRule, 'when'>, use: RuleUse | undefined): string {
  if (!use || use.matchCount === 0)
    return when.kind === 'first' ? `0 of ${formatCount(when.count)}` : ''
  switch (when.kind) {
    case 'always':
      return `${formatCount(use.applied)} so far`
    case 'first':
      return `${formatCount(use.applied)} of ${formatCount(when.count)}`
    case 'share':
      return `${formatCount(use.applied)} of ${formatCount(use.matchCount)} so far`
  }
}

/** Whether a rule for the first N deliveries is used up, so that 200 is returned again. */
export function isSpent({ when }: ResponseRule, use: RuleUse | undefined): boolean {
  return when.kind === 'first' && use !== undefined && use.applied >= when.count
}

/** The rules that currently return something other than 200. */
export function rulesInEffect(
  rules: readonly ResponseRule[],
  uses: readonly RuleUse[],
): ResponseRule[] {
  return rules.filter((rule) => {
    const use = uses.find(({ ruleId }) => ruleId === rule.id)
    const { response, delayMs } = rule
    const isDefault = response.kind === 'status' && response.status === 200 && delayMs === 0
    return rule.enabled && !isSpent(rule, use) && !isDefault
  })
}

/** One line for the connection bar: "500 to ORDER_PLACED". */
export function ruleInBrief(rule: ResponseRule): string {
  const to = rule.type ?? 'all types'
  const late = rule.delayMs > 0 ? ` after ${delayLabel(rule.delayMs)}` : ''
  return `${responseLabel(rule)} for ${to}${late}`
}

const lights = {
  off: { tone: 'unsigned', word: 'Off' },
  idle: { tone: 'info', word: 'Nothing sent yet' },
  good: { tone: 'valid', word: 'Working' },
  failing: { tone: 'warning', word: 'Failing' },
  down: { tone: 'invalid', word: 'No response' },
} as const satisfies Record<ForwardHealth['state'], { tone: string; word: string }>

export function lightOf(forward: ForwardTarget, health: ForwardHealth | undefined) {
  const light = forward.enabled ? (health?.state ?? 'idle') : 'off'
  if (light === 'good' && health !== undefined && health.recent.failed > 0) {
    return { light, tone: 'warning', word: 'Some failed' } as const
  }
  return { light, ...lights[light] }
}

/** The results of forwarding: "120 succeeded, 3 failed, 5,312 skipped, 12 queued". */
export function countsLabel({ ok, failed, skipped, waiting, inFlight }: ForwardHealth): string {
  const parts = [
    ok > 0 ? `${formatCount(ok)} succeeded` : '',
    failed > 0 ? `${formatCount(failed)} failed` : '',
    skipped > 0 ? `${formatCount(skipped)} skipped` : '',
    waiting + inFlight > 0 ? `${formatCount(waiting + inFlight)} queued` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

interface Problem {
  readonly tone: 'invalid' | 'warning'
  readonly word: string
}

/** What is wrong with the forward targets of an endpoint; null: nothing. */
export function forwardState(
  { forwards, health }: Pick<Rules, 'forwards' | 'health'>,
  endpointId: number,
): Problem | null {
  const lights = forwards
    .filter((forward) => forward.endpointId === endpointId && forward.enabled)
    .map((forward) =>
      lightOf(
        forward,
        health.find(({ forwardId }) => forwardId === forward.id),
      ),
    )
  if (lights.some(({ light }) => light === 'down')) {
    return { tone: 'invalid', word: 'Forward target does not respond' }
  }
  return lights.some(({ light }) => light === 'failing')
    ? { tone: 'warning', word: 'Forwarding fails' }
    : null
}

/** The first response rule of an endpoint that is in effect; null: there is none. */
export function ruleState(
  { responses, uses }: Pick<Rules, 'responses' | 'uses'>,
  endpointId: number,
): Problem | null {
  const [rule] = rulesInEffect(
    responses.filter((response) => response.endpointId === endpointId),
    uses,
  )
  return rule ? { tone: 'warning', word: `Returns ${responseLabel(rule)} by rule` } : null
}

interface Rules {
  readonly forwards: readonly ForwardTarget[]
  readonly health: readonly ForwardHealth[]
  readonly responses: readonly ResponseRule[]
  readonly uses: readonly RuleUse[]
}
