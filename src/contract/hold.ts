import * as z from 'zod'
import { holdLimit, maxHeld } from './constants.ts'
import { DraftContent } from './compose.ts'
import { Header, Id, None } from './models.ts'

/** `forward`: after the response, before forwarding. `response`: before the response; the service waits. */
export const holdPlaces = ['forward', 'response'] as const

export { holdLimit, maxHeld }

/** Applies until it is used up, stopped, or Tabscope closes. */
export const HoldRule = z.object({
  id: Id,
  filter: z.string(),
  at: z.enum(holdPlaces),
  /** How many more deliveries it holds; null: until it is stopped. */
  remaining: z.int().positive().nullable(),
  /** After this time, a delivery whose response waits is released, in milliseconds. */
  limitMs: z.int(),
  /** How many it has held. */
  held: z.int().nonnegative(),
})
export type HoldRule = z.infer<typeof HoldRule>

export const HeldDelivery = z.object({
  deliveryId: Id,
  type: z.string().nullable(),
  title: z.string(),
  bytes: z.int().nonnegative(),
  /** `response`: the service waits for its response. */
  at: z.enum(holdPlaces),
  /** In milliseconds since the epoch. */
  heldAt: z.number(),
  /** When it is released automatically; null: never. */
  releaseAt: z.number().nullable(),
  /** The URLs to which it is forwarded once it is released. */
  targets: z.array(z.string()),
  /** Why it is held, if no rule holds it: a script failed, or Tabscope ended while it was held. */
  reason: z.string().nullable(),
  /** Tabscope ended while it was being released, so it may have been forwarded. "Release all" leaves it. */
  uncertain: z.boolean(),
})
export type HeldDelivery = z.infer<typeof HeldDelivery>

export const HoldState = z.object({
  rules: z.array(HoldRule),
  /** In order of arrival. */
  held: z.array(HeldDelivery),
  /** Matching deliveries that were not held because of `maxHeld`, since a rule was last added. */
  notHeld: z.int().nonnegative(),
})
export type HoldState = z.infer<typeof HoldState>

export const nothingHeld: HoldState = { rules: [], held: [], notHeld: 0 }

/** Omitted: all that are held, except uncertain ones. */
const Ids = z.array(Id).min(1).max(maxHeld.deliveries).optional()

const Released = z.object({ ids: z.array(Id) })

export const holdCalls = {
  'hold.state': { input: None, output: HoldState },
  /** Throws `bad_filter`, and `bad_input` for a filter that needs the search index, and with 20 rules. */
  'hold.add': {
    input: z.object({
      /** Empty: every delivery. */
      filter: z.string().max(4000).default('').describe('Only deliveries that match this filter'),
      at: z
        .enum(holdPlaces)
        .default('forward')
        .describe('Where they are held: forward or response (default: forward)'),
      /** Null: until it is stopped. */
      count: z
        .int()
        .min(1)
        .max(maxHeld.deliveries)
        .nullable()
        .default(null)
        .describe('Hold only the next <count> (default: until it is stopped)'),
      limitMs: z
        .int()
        .min(1000)
        .max(holdLimit.maxMs)
        .default(holdLimit.defaultMs)
        .describe('With --at response: respond automatically after this time (default: 10s)'),
    }),
    output: HoldRule,
  },
  /** What is held stays held. Without `id`: all rules. Throws `not_found`. */
  'hold.stop': { input: z.object({ id: Id.optional() }), output: HoldState },
  /**
   * The request that a release would send, to be edited: the result of a script, or the delivery. Its URL is that of the first target. Throws `not_found`,
   * and `bad_input` if no forward target receives it.
   */
  'hold.edit': { input: z.object({ id: Id }), output: DraftContent },
  /**
   * Sends the response and forwards. `content`: the edited request, for a single delivery; each target gets it at its own URL. Throws `not_found` for
   * what is not held any more, and the errors of `compose.send`.
   */
  'hold.release': {
    input: z.object({ ids: Ids, content: DraftContent.optional() }),
    output: Released,
  },
  /** They are not forwarded. Throws `not_found`, and `bad_input` for a delivery whose response waits. */
  'hold.drop': { input: z.object({ ids: Ids }), output: Released },
  /** Instead of the response rule, target or default; then they are forwarded, except to a target whose response would have been returned. Throws `not_found`, `bad_input`. */
  'hold.respond': {
    input: z.object({
      ids: Ids,
      status: z.int().min(200).max(599),
      headers: z.array(Header).max(50).default([]),
      body: z.string().max(65_536).default(''),
    }),
    output: Released,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>

export const holdPushes = {
  /** At most five times a second. */
  'hold.changed': HoldState,
} as const satisfies Record<string, z.ZodType>
