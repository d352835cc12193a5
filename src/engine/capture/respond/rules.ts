import type { ResponseRule, RuleUse } from '#contract/answering.ts'
import { readyAnswer, type ReadyAnswer } from './ready-answer.ts'

/** A rule that has its answer ready, and counts. */
export interface CountedRule {
  readonly rule: ResponseRule
  /** Null: the connection is dropped. */
  readonly ready: ReadyAnswer | null
  met: number
  applied: number
}

/** The response rules of all endpoints, with how often each came up. */
export class Rules {
  #counted = new Map<number, CountedRule>()
  #byEndpoint = new Map<number, CountedRule[]>()

  /**
   * Takes the rules that are on, in the order in which they are tried. Those that were there, and are as they were, count on; the
   * others begin at nothing, and those that are gone are forgotten.
   */
  configure(rules: readonly ResponseRule[]): void {
    const before = this.#counted
    this.#counted = new Map()
    this.#byEndpoint = new Map()
    for (const rule of rules) {
      const known = before.get(rule.id)
      const counted = known && isSame(known.rule, rule) ? known : begin(rule)
      this.#counted.set(rule.id, counted)
      const others = this.#byEndpoint.get(rule.endpointId)
      if (others) others.push(counted)
      else this.#byEndpoint.set(rule.endpointId, [counted])
    }
  }

  /**
   * The rule that decides about a delivery of this type (null: it has none): the first one that fits and is due; null: none is. A rule
   * counts what it fits and no rule before it decided. `random` gives a number from 0 up to, but without, 1.
   */
  decide(endpointId: number, type: string | null, random: () => number): CountedRule | null {
    for (const counted of this.#byEndpoint.get(endpointId) ?? []) {
      const { rule } = counted
      if (rule.type !== null && rule.type !== type) continue
      counted.met += 1
      if (!isDue(counted, random)) continue
      counted.applied += 1
      return counted
    }
    return null
  }

  uses(): RuleUse[] {
    return [...this.#counted.values()].map(({ rule, met, applied }) => ({
      ruleId: rule.id,
      met,
      applied,
    }))
  }
}

function isDue({ rule: { when }, met }: CountedRule, random: () => number): boolean {
  switch (when.kind) {
    case 'always':
      return true
    case 'first':
      return met <= when.count
    case 'share':
      return random() < when.share
  }
}

function begin(rule: ResponseRule): CountedRule {
  const { answer } = rule
  const ready =
    answer.kind === 'drop'
      ? null
      : readyAnswer(answer.status, answer.headers, Buffer.from(answer.body, 'utf8'))
  return { rule, ready, met: 0, applied: 0 }
}

function isSame(one: ResponseRule, other: ResponseRule): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
