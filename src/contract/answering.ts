import { z } from 'zod'
import { Header, Id } from './models.ts'

const None = z.object({})

/** One local address that deliveries of an endpoint are forwarded to as they arrive. */
export const ForwardTarget = z.object({
  id: Id,
  endpointId: Id,
  url: z.string(),
  /** Event types; empty: all, and those without one. */
  types: z.array(z.string()),
  /** `after`: behind our own answer; one that a rule delays is not waited for. `answer`: its answer is ours; one of these an endpoint. */
  mode: z.enum(['after', 'answer']),
  /** How often it is tried again after a failure (no answer, or 5xx or 429), each time later: 1 s, 2 s, 4 s ... to 60 s. Only `after`. */
  retries: z.int(),
  /** Milliseconds for one attempt. */
  timeout: z.int(),
  /** How many are under way at once; 1 keeps the order. */
  inFlight: z.int(),
  /** How many may wait. Over it the oldest that waits is skipped. */
  queue: z.int(),
  on: z.boolean(),
  /** True: of this run of the command line, and stored nowhere. */
  temporary: z.boolean(),
})
export type ForwardTarget = z.infer<typeof ForwardTarget>

const ForwardFields = z.object({
  url: z.string().trim().min(1).max(8000),
  types: z.array(z.string().min(1).max(200)).max(100),
  mode: z.enum(['after', 'answer']),
  retries: z.int().min(0).max(20),
  timeout: z.int().min(1).max(120_000),
  inFlight: z.int().min(1).max(32),
  queue: z.int().min(1).max(100_000),
  on: z.boolean(),
})

export const defaultForward = {
  types: [],
  mode: 'after',
  retries: 0,
  timeout: 10_000,
  inFlight: 1,
  queue: 1000,
  on: true,
} as const satisfies Omit<z.infer<typeof ForwardFields>, 'url'>

/** How many deliveries the success rate of a forward target is about. */
export const healthWindow = 100

/** How a forward target does. */
export const ForwardHealth = z.object({
  forwardId: Id,
  /** `idle`: nothing was sent yet. `good`: the last one was answered with 2xx. `failing`: with something else. `down`: not at all. */
  light: z.enum(['off', 'idle', 'good', 'failing', 'down']),
  /** Milliseconds since the epoch; since when the light is so. */
  since: z.number(),
  waiting: z.int().nonnegative(),
  /** Begun: sent and not answered yet, or about to be tried again. */
  underWay: z.int().nonnegative(),
  /** Deliveries of this run: answered with 2xx; not, at their last try; and left out, since too many waited, a loop was cut, or what waited was dropped. */
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  /** How the last deliveries ended, at most `healthWindow` of them: since the target was added, switched on, or got another address. */
  recent: z.object({ ok: z.int().nonnegative(), failed: z.int().nonnegative() }),
  lastStatus: z.int().nullable(),
  /** As a sentence. */
  lastError: z.string().nullable(),
  /** When the next try of a failed one is due; null: none is. */
  retryAt: z.number().nullable(),
})
export type ForwardHealth = z.infer<typeof ForwardHealth>

export const ResponseAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    /** As they stand, but for those of framing (`Content-Length`, `Connection` ...), which are ours to say. */
    headers: z.array(Header).max(50),
    /** As UTF-8; none with 204, 205 and 304. */
    body: z.string().max(65_536),
  }),
  /** The connection is closed without an answer. */
  z.object({ kind: z.literal('drop') }),
])
export type ResponseAnswer = z.infer<typeof ResponseAnswer>

/** What we answer instead of 200. The first rule that is on, fits the type and is due decides. */
export const ResponseRule = z.object({
  id: Id,
  endpointId: Id,
  /** Null: every type. */
  type: z.string().nullable(),
  answer: ResponseAnswer,
  /** Milliseconds before the answer. */
  delay: z.int(),
  /** `first`: the first `count` deliveries that it fits, since it was switched on. `share`: so many of them at random, 0 to 1. */
  when: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.literal('first'), count: z.int().min(1).max(1_000_000) }),
    z.object({ kind: z.literal('share'), share: z.number().min(0).max(1) }),
  ]),
  on: z.boolean(),
})
export type ResponseRule = z.infer<typeof ResponseRule>

/** How often a rule came up since it was switched on or edited. Restarts and crashes included: the count is kept with the deliveries. */
export const RuleUse = z.object({
  ruleId: Id,
  /** Deliveries that it fitted, and that no rule before it decided. */
  met: z.int().nonnegative(),
  /** Of them those that were answered by it. */
  applied: z.int().nonnegative(),
})
export type RuleUse = z.infer<typeof RuleUse>

/** As many rules as an endpoint can have. */
export const mostRules = 50

const RuleFields = ResponseRule.omit({ id: true, endpointId: true }).extend({
  type: z.string().min(1).max(200).nullable(),
  delay: z.int().min(0).max(120_000),
})

export const answeringCalls = {
  /**
   * At most 20 of an endpoint. Where a target sends the same types to the same URL already, that one is switched on and takes what is given
   * in place of a second one. Throws `target_unconfirmed`, `bad_target`, `bad_input`. */
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
  /** What waits for this target is not sent any more; the rest goes on. */
  'forwards.drop': {
    input: z.object({ id: Id }),
    output: z.object({ dropped: z.int().nonnegative() }),
  },

  /** The rules of an endpoint, in their order. One that is unchanged counts on; one that is new, edited or switched on counts from 0. Throws `bad_input`, `not_found`. */
  'responses.set': {
    input: z.object({ endpointId: Id, rules: z.array(RuleFields).max(mostRules) }),
    output: z.array(ResponseRule),
  },
  /**
   * Adds a rule, in place of those of the same type; the others keep their IDs and counts. One for a single type is tried before the others,
   * one for every type after them. Returns all rules of the endpoint in their order. Throws `bad_input`, `not_found`.
   */
  'responses.add': { input: RuleFields.extend({ endpointId: Id }), output: z.array(ResponseRule) },
  /** Returns the rules of its endpoint that are left. Throws `not_found`. */
  'responses.remove': { input: z.object({ id: Id }), output: z.array(ResponseRule) },
  /** Back to 200 for all: switches every rule off, of one endpoint or of all. */
  'responses.off': {
    input: z.object({ endpointId: Id.optional() }),
    output: z.array(ResponseRule),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
