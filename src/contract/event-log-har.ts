import { z } from 'zod'
import { LogDelivery, LogEnd, LogHead } from './event-log.ts'
import { Id } from './models.ts'
import { Attempt, AttemptResponse } from './sending.ts'

/*
 * An event log as HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Data without a HAR field is in `_tabscope` of the log and of
 * each entry: HAR reserves names with a leading underscore for custom fields. A delivery is an entry, followed by one entry for each of its
 * attempts, oldest first. Integrations, endpoints, tokens and runs are not included.
 */

/** `log._tabscope`. */
export const HarHead = LogHead.omit({ kind: true, format: true }).extend({
  format: z.literal('tabscope-har'),
})
export type HarHead = z.infer<typeof HarHead>

/** `log._tabscopeEnd`. */
export const HarEnd = LogEnd.pick({ deliveries: true, removed: true })
export type HarEnd = z.infer<typeof HarEnd>

/**
 * `_tabscope` of a delivery entry. `request.headers`: as received, one character per byte. The body is `request.postData.text` if it is UTF-8, otherwise
 * `bodyBase64`; `omitted` says why it is not included. None of the three: empty body.
 */
export const HarDelivery = z.object({
  kind: z.literal('delivery'),
  fields: LogDelivery.omit({ kind: true, headers: true, body: true, attempts: true }),
  bodyBase64: z.string().optional(),
  omitted: z.string().optional(),
  attempts: z.int().nonnegative(),
})
export type HarDelivery = z.infer<typeof HarDelivery>

/** `_tabscope` of an attempt entry. Bodies as for a delivery, and `response.content.text` with its `encoding`. */
export const HarAttempt = z.object({
  kind: z.literal('attempt'),
  deliveryId: Id,
  fields: Attempt.extend({
    request: Attempt.shape.request.omit({ headers: true }),
    response: AttemptResponse.omit({ headers: true }).nullable(),
  }),
  /** The sent body equals the delivery's body, which is not repeated. */
  bodyAsCaptured: z.boolean(),
  bodyBase64: z.string().optional(),
  /** False: the response body is not stored, which differs from an empty body. */
  answerBodyKept: z.boolean(),
})
export type HarAttempt = z.infer<typeof HarAttempt>

export const HarEntryMore = z.discriminatedUnion('kind', [HarDelivery, HarAttempt])
export type HarEntryMore = z.infer<typeof HarEntryMore>
