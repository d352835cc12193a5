import type { ResponseRule, RuleUse, ForwardTarget } from '#contract/endpoint-rules.ts'
import type { DeliverySummary, Header } from '#contract/models.ts'
import { validateHeaderName, validateHeaderValue } from 'node:http'

export interface CountedRule {
  readonly rule: ResponseRule
  /** Null: drop the connection. */
  readonly prepared: PreparedResponse | null
  matchCount: number
  applied: number
}

export class Rules {
  #counted = new Map<number, CountedRule>()
  #byEndpoint = new Map<number, CountedRule[]>()

  /** Sets the enabled rules in their order. Unchanged rules keep their counts. */
  configure(rules: readonly ResponseRule[]): void {
    const before = this.#counted
    this.#counted = new Map()
    this.#byEndpoint = new Map()
    for (const rule of rules) {
      const known = before.get(rule.id)
      const counted =
        known && isSame(known.rule, rule)
          ? known
          : { rule, prepared: prepareRuleResponse(rule), matchCount: 0, applied: 0 }
      this.#counted.set(rule.id, counted)
      const others = this.#byEndpoint.get(rule.endpointId)
      if (others) others.push(counted)
      else this.#byEndpoint.set(rule.endpointId, [counted])
    }
  }

  /**
   * Returns the first rule that matches and is due. A rule counts every delivery that it matches and that no earlier rule decided. `type`: null if the
   * delivery has none. `random` returns a number in [0, 1).
   */
  decide(endpointId: number, type: string | null, random: () => number): CountedRule | null {
    for (const counted of this.#byEndpoint.get(endpointId) ?? []) {
      const { rule } = counted
      if (rule.type !== null && rule.type !== type) continue
      counted.matchCount += 1
      if (!isDue(counted, random)) continue
      counted.applied += 1
      return counted
    }
    return null
  }

  uses(): RuleUse[] {
    return [...this.#counted.values()].map(({ rule, matchCount, applied }) => ({
      ruleId: rule.id,
      matchCount,
      applied,
    }))
  }
}

function isDue({ rule: { when }, matchCount }: CountedRule, random: () => number): boolean {
  switch (when.kind) {
    case 'always':
      return true
    case 'first':
      return matchCount <= when.count
    case 'share':
      return random() < when.share
  }
}

function prepareRuleResponse({ response }: ResponseRule): PreparedResponse | null {
  switch (response.kind) {
    case 'status':
      return prepareResponse(response.status, response.headers, Buffer.from(response.body, 'utf8'))
    case 'drop':
      return null
    case 'script':
      return prepareResponse(200, [], new Uint8Array())
  }
}

function isSame(a: ResponseRule, b: ResponseRule): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export interface Plan {
  /** When the delivery is written to disk. Null: no response, or it is sent later. */
  readonly status: number | null
  readonly answeredBy: DeliverySummary['respondedBy']
  readonly reason: string | null
  readonly action:
    | { readonly kind: 'rule'; readonly counted: CountedRule }
    | { readonly kind: 'pass'; readonly forward: ForwardTarget }
    /** The sender thread may know another response; otherwise `planned`, or the default. `script`: the rule whose script computes it. */
    | { readonly kind: 'ask'; readonly planned: Plan | null; readonly script: CountedRule | null }
    /** The connection is being dropped because of an earlier request. */
    | { readonly kind: 'silent' }
}

export const droppedReason = 'Tabscope dropped the connection because of a response rule.'

export const silentPlan: Plan = {
  status: null,
  answeredBy: null,
  reason:
    'Tabscope dropped the connection because a response rule matched the request before this one.',
  action: { kind: 'silent' },
}

/** An immediate response is known now; a delayed one is recorded when it is sent. */
export function rulePlan(counted: CountedRule): Plan {
  const action = { kind: 'rule', counted } as const
  const { rule, prepared } = counted
  if (rule.delayMs > 0) return { status: null, answeredBy: null, reason: null, action }
  return prepared
    ? { status: prepared.status, answeredBy: 'rule', reason: null, action }
    : { status: null, answeredBy: 'rule', reason: droppedReason, action }
}

export function passPlan(forward: ForwardTarget): Plan {
  return {
    status: null,
    answeredBy: null,
    reason: null,
    action: { kind: 'pass', forward },
  }
}

export function askPlan(planned: Plan | null, script: CountedRule | null): Plan {
  return {
    status: null,
    answeredBy: null,
    reason: null,
    action: { kind: 'ask', planned, script },
  }
}

/** The plan that applies unless the sender thread knows another response. */
export function plannedResponse(plan: Plan | null): Plan | null {
  return plan?.action.kind === 'ask' ? plan.action.planned : plan
}

export interface PreparedResponse {
  readonly status: number
  /** A flat list without framing headers: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

/** Tabscope sets these itself: otherwise the next response on the connection could not be read. */
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

/** Responses without a body (RFC 9110, sections 15.3.5, 15.3.6, 15.4.5). */
const bodiless = new Set([204, 205, 304])

/** Removes invalid headers and framing, which is set when the response is sent, and a body that the status does not allow. A given `Date` stays. */
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

/** 204 must not have `Content-Length` (RFC 9110, section 8.6); with 304 it would describe another response. */
export function hasContentLength({ status }: PreparedResponse): boolean {
  return status !== 204 && status !== 304
}

function isAllowed(header: Header): boolean {
  return !framing.has(header[0].toLowerCase()) && isHeader(header)
}

/** A token, and a Latin-1 value without control characters (RFC 9110, sections 5.1 and 5.5). */
export function isHeader([name, value]: Header): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
