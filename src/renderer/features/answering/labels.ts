import { formatCount as count } from '#shared/text/format.ts'
import type { ForwardHealth, ForwardTarget, ResponseRule, RuleUse } from '#contract/answering.ts'

/** "500", "no answer". */
export function answerWord({ answer }: Pick<ResponseRule, 'answer'>): string {
  return answer.kind === 'drop' ? 'no response' : String(answer.status)
}

/** When a rule comes up: "always", "the first 3", "20 % at random". */
export function whenLabel({ when }: Pick<ResponseRule, 'when'>): string {
  switch (when.kind) {
    case 'always':
      return 'always'
    case 'first':
      return when.count === 1 ? 'the first delivery' : `the first ${count(when.count)}`
    case 'share':
      return `${Math.round(when.share * 1000) / 10}% at random`
  }
}

/** Milliseconds as people say them. */
export function delayLabel(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

/** How far a rule has come: "2 of 3 done", "4 of 19 so far". Empty while nothing came. */
export function usageLabel({ when }: Pick<ResponseRule, 'when'>, use: RuleUse | undefined): string {
  if (!use || use.met === 0) return when.kind === 'first' ? `0 of ${count(when.count)}` : ''
  switch (when.kind) {
    case 'always':
      return `${count(use.applied)} so far`
    case 'first':
      return `${count(use.applied)} of ${count(when.count)}`
    case 'share':
      return `${count(use.applied)} of ${count(use.met)} so far`
  }
}

/** True once a rule of the first N has done what it was for: then all is answered with 200 again. */
export function isSpent({ when }: ResponseRule, use: RuleUse | undefined): boolean {
  return when.kind === 'first' && use !== undefined && use.applied >= when.count
}

/** The rules that make an answer other than 200 now. */
export function provoking(
  rules: readonly ResponseRule[],
  uses: readonly RuleUse[],
): ResponseRule[] {
  return rules.filter((rule) => {
    const use = uses.find(({ ruleId }) => ruleId === rule.id)
    return rule.on && !isSpent(rule, use) && !isUsual(rule)
  })
}

/** Answers as without a rule, at once. */
function isUsual({ answer, delay }: ResponseRule): boolean {
  return answer.kind === 'status' && answer.status === 200 && delay === 0
}

/** One line for the connection bar: "500 to ORDER_PLACED". */
export function ruleInBrief(rule: ResponseRule): string {
  const to = rule.type ?? 'every type'
  const late = rule.delay > 0 ? ` after ${delayLabel(rule.delay)}` : ''
  return `${answerWord(rule)} to ${to}${late}`
}

const lights = {
  off: { tone: 'unsigned', word: 'Off' },
  idle: { tone: 'info', word: 'Nothing sent yet' },
  good: { tone: 'valid', word: 'Working' },
  failing: { tone: 'missing', word: 'Failing' },
  down: { tone: 'invalid', word: 'No response' },
} as const satisfies Record<ForwardHealth['light'], { tone: string; word: string }>

export function lightOf(
  forward: ForwardTarget,
  health: ForwardHealth | undefined,
): { readonly light: ForwardHealth['light']; readonly tone: string; readonly word: string } {
  const light = forward.on ? (health?.light ?? 'idle') : 'off'
  if (light === 'good' && health !== undefined && health.recent.failed > 0) {
    return { light, tone: 'missing', word: 'Some failed' }
  }
  return { light, ...lights[light] }
}

/** What became of what was forwarded: "120 answered with 2xx, 3 failed, 5,312 skipped, 12 wait". */
export function countsLabel({ ok, failed, skipped, waiting, underWay }: ForwardHealth): string {
  const parts = [
    ok > 0 ? `${count(ok)} answered with 2xx` : '',
    failed > 0 ? `${count(failed)} failed` : '',
    skipped > 0 ? `${count(skipped)} skipped` : '',
    waiting + underWay > 0 ? `${count(waiting + underWay)} queued` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
