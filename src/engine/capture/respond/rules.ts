import type { ResponseRule, RuleUse, ForwardTarget } from '#contract/answering.ts'
import type { DeliverySummary, Header } from '#contract/models.ts'
import { validateHeaderName, validateHeaderValue } from 'node:http'

/** A rule with its prepared response and its counts. */
export interface CountedRule {
  readonly rule: ResponseRule
  /** Null: the connection is dropped. */
  readonly prepared: PreparedResponse | null
  met: number
  applied: number
}

export interface Decision {
  readonly counted: CountedRule | null
  readonly met: readonly number[]
}

/** The response rules of all endpoints, with their use counts. */
export class Rules {
  #counted = new Map<number, CountedRule>()
  #byEndpoint = new Map<number, CountedRule[]>()
  readonly #stored: Map<number, RuleUse>

  /** `stored`: counts from earlier runs. */
  constructor(stored: readonly RuleUse[] = []) {
    this.#stored = new Map(stored.map((use) => [use.ruleId, use]))
  }

  /**
   * Sets the enabled rules, in the order in which they are tried. Unchanged rules keep their counts, others start with the stored counts or zero, and
   * deleted rules are dropped.
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
   * Returns the rule that decides the response to a delivery of this type (null: it has none): the first rule that matches and is due, or null. A
   * rule counts every delivery that it matches and that no earlier rule decided; `met` lists the IDs of the rules that counted this one. `random`
   * returns a number in [0, 1).
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
      matchCount: met,
      applied,
    }))
  }

  /** The stored count applies only to the rule as it was stored, so it is used once. */
  #begin(rule: ResponseRule): CountedRule {
    const { matchCount = 0, applied = 0 } = this.#stored.get(rule.id) ?? {}
    this.#stored.delete(rule.id)
    return { rule, prepared: prepareRuleResponse(rule), met: matchCount, applied }
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

function prepareRuleResponse({ response }: ResponseRule): PreparedResponse | null {
  return response.kind === 'drop'
    ? null
    : prepareResponse(response.status, response.headers, Buffer.from(response.body, 'utf8'))
}

function isSame(a: ResponseRule, b: ResponseRule): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** How to respond to a delivery that does not get the default status. */
export interface Plan {
  /** Status of the response when the delivery is written to disk. Null: no response, or it is sent later. */
  readonly status: number | null
  readonly answeredBy: DeliverySummary['respondedBy']
  readonly reason: string | null
  /** IDs of the response rules that counted this delivery. They are part of its record, so that the counts survive a crash. */
  readonly met: readonly number[]
  readonly action:
    /** The default status. */
    | { readonly kind: 'usual' }
    | { readonly kind: 'rule'; readonly counted: CountedRule }
    /** The response of the target. */
    | { readonly kind: 'pass'; readonly forward: ForwardTarget }
    /** No response: its connection is being dropped because of an earlier request. */
    | { readonly kind: 'silent' }
}

export const droppedReason = 'Tabscope dropped the connection because of a response rule.'

export const silentPlan: Plan = {
  status: null,
  answeredBy: null,
  reason:
    'Tabscope dropped the connection because a response rule matched the request before this one.',
  met: [],
  action: { kind: 'silent' },
}

/** An immediate response is known now; a delayed one is recorded when it is sent. */
export function rulePlan(counted: CountedRule, met: readonly number[]): Plan {
  const action = { kind: 'rule', counted } as const
  const { rule, prepared } = counted
  if (rule.delayMs > 0) return { status: null, answeredBy: null, reason: null, met, action }
  return prepared
    ? { status: prepared.status, answeredBy: 'rule', reason: null, met, action }
    : { status: null, answeredBy: 'rule', reason: droppedReason, met, action }
}

export function passPlan(forward: ForwardTarget, met: readonly number[]): Plan {
  return { status: null, answeredBy: null, reason: null, met, action: { kind: 'pass', forward } }
}

/** `status`: the status without rules. */
export function usualPlan(status: number, met: readonly number[]): Plan {
  return { status, answeredBy: null, reason: null, met, action: { kind: 'usual' } }
}

/** A prepared response other than the default 200. */
export interface PreparedResponse {
  readonly status: number
  /** Name, value, name, value, in this order and case. Without framing headers. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

/** Framing headers. Tabscope sets these itself: otherwise the next response on the connection could not be read. */
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

/** Statuses whose responses have no body (RFC 9110, sections 15.3.5, 15.3.6, 15.4.5). */
const bodiless = new Set([204, 205, 304])

/**
 * Prepares a response. Framing headers (`Content-Length`, `Transfer-Encoding`, `Connection` and related ones) are removed, because they are set
 * when the response is sent, and so are invalid headers. A given `Date` replaces ours. The body is removed if the status allows none.
 */
export function prepareResponse(
  status: number,
  headers: readonly Header[],
  body: Uint8Array,
): PreparedResponse {
  return {
    status,
    rawHeaders: headers.filter(isAllowed).flat(),
    body: bodiless.has(status) ? new Uint8Array() : body,
  }
}

/** Whether the response has `Content-Length`. 204 must not have it (RFC 9110, section 8.6); with 304 it would describe another response. */
export function hasContentLength({ status }: PreparedResponse): boolean {
  return status !== 204 && status !== 304
}

function isAllowed(header: Header): boolean {
  return !framing.has(header[0].toLowerCase()) && isHeader(header)
}

/** Returns true for a valid HTTP header: a token, and a Latin-1 value without control characters (RFC 9110, sections 5.1 and 5.5). */
export function isHeader([name, value]: Header): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
