import * as z from 'zod'
import { Id, None } from './models.ts'
import { alertKinds, healthGroupings, healthRanges } from './constants.ts'

export const HealthRange = z.enum(healthRanges)
export type HealthRange = z.infer<typeof HealthRange>

export const HealthGrouping = z.enum(healthGroupings)
export type HealthGrouping = z.infer<typeof HealthGrouping>

/** What a count is about. `*` as location or type: all beyond the maximum number of combinations, and those of requests without a valid signature. */
export const HealthScope = z.object({
  /** Null: deliveries whose path belongs to no endpoint. Absent: all. */
  endpointId: Id.nullable().optional(),
  /** Empty: without one. */
  location: z.string().max(300).optional(),
  type: z.string().max(300).optional(),
})
export type HealthScope = z.infer<typeof HealthScope>

const Counts = z.array(z.int().nonnegative())
/** In milliseconds; null: no delivery of the bucket has one. */
const Milliseconds = z.array(z.number().nullable())
const Percentiles = z.object({ p50: Milliseconds, p90: Milliseconds })
const TotalPercentiles = z.object({ p50: z.number().nullable(), p90: z.number().nullable() })

/** Why something usual did not happen. */
export const Alert = z.object({
  id: Id,
  kind: z.enum(alertKinds),
  endpointId: Id,
  /** Null: all of the endpoint. */
  location: z.string().nullable(),
  /** Of a cause. */
  code: z.string().nullable(),
  /** When the condition began: for silence the last delivery. */
  since: z.number(),
  raisedAt: z.number(),
  /** Null: it still holds. */
  endedAt: z.number().nullable(),
  /** Like `observed`, of the same weekday and hour: deliveries in an hour, a share from 0 to 1, milliseconds, or a count. */
  usual: z.number(),
  observed: z.number(),
})
export type Alert = z.infer<typeof Alert>

/** Of an endpoint. */
export const HealthRule = z.object({
  endpointId: Id,
  /** At least this long without a delivery; null: no alert. */
  silenceMinutes: z.int().min(5).max(1440).nullable(),
  /** At least this share of the deliveries of an hour, in percent; null: no alert. */
  failurePercent: z.int().min(1).max(100).nullable(),
  /** At least this long from `createdAt` to the arrival, for half of the deliveries of an hour; null: no alert. */
  delaySeconds: z.int().min(1).max(86_400).nullable(),
  newCauses: z.boolean(),
  /** No alert of this endpoint is shown until then. */
  snoozedUntil: z.number().nullable(),
})
export type HealthRule = z.infer<typeof HealthRule>

export const HealthAlerts = z.object({
  /** Those that hold and are not snoozed, oldest first. */
  alerts: z.array(Alert),
  /** Of each endpoint. */
  rules: z.array(HealthRule),
  /** For each endpoint, how many like hours (same weekday and hour) are known for the current hour; silence and delay need three. */
  learned: z.array(z.object({ endpointId: Id, hours: z.int().nonnegative() })),
})
export type HealthAlerts = z.infer<typeof HealthAlerts>

/** For each bucket of a range, oldest first. All arrays of a bucket have the length of `at`. */
export const HealthOverview = z.object({
  from: z.number(),
  to: z.number(),
  /** Length of a bucket in minutes. 1440: a day, which has 23 or 25 hours when the clock changes. */
  bucketMinutes: z.int().positive(),
  /** Start of each bucket. */
  at: z.array(z.number()),
  received: Counts,
  /** Median of the like buckets of the four weeks before (same weekday and hour). Null: fewer than three. */
  usual: z.array(z.number().nullable()),
  /** With an invalid or missing signature. */
  failed: Counts,
  /** Responses of the user's handler: to forwards, and to what was sent manually. */
  handler: z.object({
    ok: Counts,
    /** Another status than 2xx. */
    rejected: Counts,
    noResponse: Counts,
  }),
  /** From `createdAt` to the arrival. */
  delay: Percentiles,
  /** Of the handler, until its response. */
  response: Percentiles,
  /** Shares of the bucket, from 0 to 1. */
  down: z.object({
    /** Tabscope was not running. */
    tabscope: z.array(z.number()),
    tunnel: z.array(z.number()),
    relay: z.array(z.number()),
  }),
  /** By endpoint, location or type, most deliveries first. The last one may be the sum of all others, with a null key and `others`. */
  groups: z.array(
    z.object({
      /** ID of an endpoint as text, location or type; empty: none. */
      key: z.string(),
      others: z.boolean(),
      total: z.int().nonnegative(),
      received: Counts,
      failed: z.int().nonnegative(),
      lastAt: z.number().nullable(),
    }),
  ),
  /** Names of endpoints. */
  endpoints: z.array(z.object({ id: Id, name: z.string() })),
  /** Of the whole range. */
  total: z.object({
    received: z.int().nonnegative(),
    usual: z.number().nullable(),
    delay: TotalPercentiles,
    response: TotalPercentiles,
  }),
  /** Those that held in the range, oldest first. */
  alerts: z.array(Alert),
  /** Start of the oldest count of all; null: nothing was counted yet. */
  countedFrom: z.number().nullable(),
})
export type HealthOverview = z.infer<typeof HealthOverview>

/** Which deliveries were sent to one handler, by type. */
export const HandlerCoverage = z.object({
  /** Of a forward target, or of deliveries that were sent manually. */
  url: z.string(),
  /** Null: the handler got no delivery of an endpoint. */
  endpointId: Id.nullable(),
  /** The documented ones, then others that were sent to it. */
  types: z.array(
    z.object({
      type: z.string(),
      /** In the last 30 days, without those with an intentionally broken signature. */
      sent: z.int().nonnegative(),
      /** The last one of them. */
      last: z
        .object({
          attemptId: Id,
          deliveryId: Id,
          at: z.number(),
          /** Null: no response, because of `error`. */
          status: z.int().nullable(),
          error: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
})
export type HandlerCoverage = z.infer<typeof HandlerCoverage>

export const healthCalls = {
  'health.overview': {
    input: HealthScope.extend({ range: HealthRange, by: HealthGrouping.default('endpoint') }),
    output: HealthOverview,
  },
  /** Of forward targets, and of other URLs to which something was sent in the last 30 days; at most 50. */
  'health.coverage': { input: None, output: z.array(HandlerCoverage) },
  'health.alerts': { input: None, output: HealthAlerts },
  /** Throws `not_found`. */
  'health.setRule': {
    input: HealthRule.partial().required({ endpointId: true }),
    output: HealthRule,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
