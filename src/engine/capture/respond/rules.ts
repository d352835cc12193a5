import type { ResponseRule, RuleUse, ForwardTarget } from '#contract/answering.ts'
import type { DeliverySummary, Header } from '#contract/models.ts'
import { validateHeaderName, validateHeaderValue } from 'node:http'

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

/** An answer that is not the usual 200, ready to go out. */
export interface ReadyAnswer {
  readonly status: number
  /** Name, value, name, value; in this order, with these names. None of framing. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

/** How long the body is and what becomes of the connection is ours to say: otherwise the next answer on it could not be read. */
const framing = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.3.6, 15.4.5). */
const bodiless = new Set([204, 205, 304])

/**
 * Makes an answer ready. Headers of framing (`Content-Length`, `Transfer-Encoding`, `Connection` and what belongs to it) are left out,
 * since they are said anew, and so is what is no header to HTTP. A `Date` that is given takes the place of ours. A status that has no
 * body gets none.
 */
export function readyAnswer(
  status: number,
  headers: readonly Header[],
  body: Uint8Array,
): ReadyAnswer {
  return {
    status,
    rawHeaders: headers.filter(canStand).flat(),
    body: bodiless.has(status) ? new Uint8Array() : body,
  }
}

/** Whether the answer says how long its body is. With 204 it must not (RFC 9110, 8.6); with 304 it would be that of another answer. */
export function saysLength({ status }: ReadyAnswer): boolean {
  return status !== 204 && status !== 304
}

function canStand(header: Header): boolean {
  return !framing.has(header[0].toLowerCase()) && isHeader(header)
}

/** Whether HTTP has it for a header: a token, and a value of Latin-1 without control characters (RFC 9110, 5.1 and 5.5). */
export function isHeader([name, value]: Header): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
