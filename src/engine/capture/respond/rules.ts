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

export interface Decision {
  readonly counted: CountedRule | null
  readonly met: readonly number[]
}

/** The response rules of all endpoints, with how often each came up. */
export class Rules {
  #counted = new Map<number, CountedRule>()
  #byEndpoint = new Map<number, CountedRule[]>()
  readonly #stored: Map<number, RuleUse>

  /** `stored` are the counts of earlier runs. */
  constructor(stored: readonly RuleUse[] = []) {
    this.#stored = new Map(stored.map((use) => [use.ruleId, use]))
  }

  /**
   * Takes the rules that are on, in the order in which they are tried. Those that were there, and are as they were, count on; the
   * others begin at what is stored of them, or at nothing, and those that are gone are forgotten.
   */
  configure(rules: readonly ResponseRule[]): void {
    const before = this.#counted
    this.#counted = new Map()
    this.#byEndpoint = new Map()
    for (const rule of rules) {
      const known = before.get(rule.id)
      const counted = known && isSame(known.rule, rule) ? known : this.#begin(rule)
      this.#counted.set(rule.id, counted)
      const others = this.#byEndpoint.get(rule.endpointId)
      if (others) others.push(counted)
      else this.#byEndpoint.set(rule.endpointId, [counted])
    }
  }

  /**
   * The rule that decides about a delivery of this type (null: it has none): the first one that fits and is due; null: none is. A rule
   * counts what it fits and no rule before it decided; `met` are the IDs of those that counted. `random` gives a number from 0 up to, but
   * without, 1.
   */
  decide(endpointId: number, type: string | null, random: () => number): Decision {
    const met: number[] = []
    for (const counted of this.#byEndpoint.get(endpointId) ?? []) {
      const { rule } = counted
      if (rule.type !== null && rule.type !== type) continue
      counted.met += 1
      met.push(rule.id)
      if (!isDue(counted, random)) continue
      counted.applied += 1
      return { counted, met }
    }
    return { counted: null, met }
  }

  uses(): RuleUse[] {
    return [...this.#counted.values()].map(({ rule, met, applied }) => ({
      ruleId: rule.id,
      met,
      applied,
    }))
  }

  /** The stored count holds for the rule as it was stored, and so only once. */
  #begin(rule: ResponseRule): CountedRule {
    const { met = 0, applied = 0 } = this.#stored.get(rule.id) ?? {}
    this.#stored.delete(rule.id)
    return { rule, ready: readyOf(rule), met, applied }
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

function readyOf({ answer }: ResponseRule): ReadyAnswer | null {
  return answer.kind === 'drop'
    ? null
    : readyAnswer(answer.status, answer.headers, Buffer.from(answer.body, 'utf8'))
}

function isSame(one: ResponseRule, other: ResponseRule): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
