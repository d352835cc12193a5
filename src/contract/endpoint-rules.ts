import * as z from 'zod'
import { Header, Id, None } from './models.ts'
import { ScriptName } from './scripts.ts'

/** What happens to a delivery whose script failed: it goes on as without the script, or is held. A target whose response is returned does not hold. */
export const onScriptFailure = ['continue', 'hold'] as const

export const ForwardTarget = z.object({
  id: Id,
  endpointId: Id,
  url: z.string(),
  /** Empty: all, including deliveries without a type. */
  types: z.array(z.string()),
  /** `after`: respond first; a response delayed by a rule is not awaited. `return`: return the target's response; at most one such target per endpoint. */
  mode: z.enum(['after', 'return']),
  /** After no response, 5xx or 429, with increasing delays: 1 s, 2 s, 4 s ... up to 60 s. Only for `after`. */
  retries: z.int(),
  timeoutMs: z.int(),
  /** 1 keeps the order. */
  concurrency: z.int(),
  /** Beyond it, the oldest waiting delivery is dropped. */
  queueLimit: z.int(),
  enabled: z.boolean(),
  /** Changes the request before it is held or sent; null: none. */
  script: z.string().nullable(),
  onScriptFailure: z.enum(onScriptFailure),
  /** Added by a running command, and not stored. */
  temporary: z.boolean(),
})
export type ForwardTarget = z.infer<typeof ForwardTarget>

const ForwardFields = z.object({
  url: z.string().trim().min(1).max(8000).describe('URL to forward deliveries to'),
  types: z
    .array(z.string().min(1).max(200))
    .max(100)
    .describe('Event types, separated by commas (default: all)'),
  mode: z.enum(['after', 'return']),
  retries: z
    .int()
    .min(0)
    .max(20)
    .describe('Retries of a failed attempt, after growing pauses or as Retry-After asks'),
  timeoutMs: z.int().min(1).max(120_000).describe('Time limit of one attempt (default: 10s)'),
  concurrency: z.int().min(1).max(32).describe('Concurrent requests'),
  queueLimit: z
    .int()
    .min(1)
    .max(100_000)
    .describe('Maximum number of waiting deliveries; beyond it, the oldest is dropped'),
  enabled: z.boolean(),
  script: ScriptName.nullable().describe('Saved script that changes each request'),
  onScriptFailure: z
    .enum(onScriptFailure)
    .describe('If the script fails: continue without it (default), or hold the delivery'),
})

export const defaultForward = {
  types: [],
  mode: 'after',
  retries: 0,
  timeoutMs: 10_000,
  concurrency: 1,
  queueLimit: 1000,
  enabled: true,
  script: null,
  onScriptFailure: 'continue',
} as const satisfies Omit<z.infer<typeof ForwardFields>, 'url'>

export const ForwardHealth = z.object({
  forwardId: Id,
  /** `idle`: nothing was sent yet. `good`: the last response was 2xx. `failing`: it had another status. `down`: there was none. */
  state: z.enum(['off', 'idle', 'good', 'failing', 'down']),
  /** When `state` last changed, in milliseconds since the epoch. */
  since: z.number(),
  waiting: z.int().nonnegative(),
  /** Includes those that wait for a retry. */
  inFlight: z.int().nonnegative(),
  /** Since start. `ok`: 2xx; `failed`: the last retry failed; `skipped`: the queue was full, a loop was detected, or the queue was cleared. */
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  /** At most `healthWindow`, since the target was added, enabled, or got another URL. */
  recent: z.object({ ok: z.int().nonnegative(), failed: z.int().nonnegative() }),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  retryAt: z.number().nullable(),
})
export type ForwardHealth = z.infer<typeof ForwardHealth>

export const RuleResponse = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    /** Tabscope sets message framing headers (`Content-Length`, `Connection` ...). */
    headers: z.array(Header).max(50),
    /** Sent as UTF-8. Not sent with 204, 205 and 304. */
    body: z.string().max(65_536),
  }),
  /** The connection is closed without a response. */
  z.object({ kind: z.literal('drop') }),
  /** Computed for each delivery. If the script returns nothing, the default 200. */
  z.object({
    kind: z.literal('script'),
    script: ScriptName,
    onFailure: z.enum(onScriptFailure),
  }),
])
export type RuleResponse = z.infer<typeof RuleResponse>

/** Replaces the default 200. The first enabled rule that matches the type and the condition applies. */
export const ResponseRule = z.object({
  id: Id,
  endpointId: Id,
  /** Null: every type. */
  type: z.string().nullable(),
  response: RuleResponse,
  delayMs: z.int(),
  /** `first`: the first `count` matching deliveries since the rule was enabled or Tabscope started. `share`: a random share of them, 0 to 1. */
  when: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.literal('first'), count: z.int().min(1).max(1_000_000) }),
    z.object({ kind: z.literal('share'), share: z.number().min(0).max(1) }),
  ]),
  enabled: z.boolean(),
})
export type ResponseRule = z.infer<typeof ResponseRule>

/** Since the rule was enabled or edited, or Tabscope started. */
export const RuleUse = z.object({
  ruleId: Id,
  /** Matching deliveries to which no earlier rule applied. */
  matchCount: z.int().nonnegative(),
  applied: z.int().nonnegative(),
})
export type RuleUse = z.infer<typeof RuleUse>

/** Per endpoint. */
export const maxRules = 50

const RuleFields = ResponseRule.omit({ id: true, endpointId: true }).extend({
  type: z.string().min(1).max(200).nullable(),
  delayMs: z.int().min(0).max(120_000),
})

export const endpointRuleCalls = {
  /** At most 20 per endpoint. A target with the same types and URL is enabled and updated instead. Throws `target_unconfirmed`, `bad_target`, `bad_input`, `not_found`. */
  'forwards.add': {
    input: ForwardFields.partial().extend({
      endpointId: Id,
      url: ForwardFields.shape.url,
      temporary: z.boolean().default(false),
    }),
    output: ForwardTarget,
  },
  'forwards.update': { input: ForwardFields.partial().extend({ id: Id }), output: ForwardTarget },
  'forwards.remove': { input: z.object({ id: Id }), output: None },
  /** Drops waiting deliveries. Running requests continue. */
  'forwards.drop': {
    input: z.object({ id: Id }),
    output: z.object({ dropped: z.int().nonnegative() }),
  },

  /** In order. Unchanged rules keep their counts; new, edited or newly enabled rules start at 0. Throws `bad_input`, `not_found`. */
  'responses.set': {
    input: z.object({ endpointId: Id, rules: z.array(RuleFields).max(maxRules) }),
    output: z.array(ResponseRule),
  },
  /**
   * Replaces rules of the same type. Other rules keep their IDs and counts. A rule for a single type is placed before the others, a rule for all types
   * after them. Returns all rules of the endpoint in order. Throws `bad_input`, `not_found`.
   */
  'responses.add': { input: RuleFields.extend({ endpointId: Id }), output: z.array(ResponseRule) },
  /** Returns the remaining rules of its endpoint. Throws `not_found`. */
  'responses.remove': { input: z.object({ id: Id }), output: z.array(ResponseRule) },
  /** Without `endpointId`: of all endpoints. */
  'responses.off': {
    input: z.object({ endpointId: Id.optional() }),
    output: z.array(ResponseRule),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
