import { z } from 'zod'
import { LogDelivery, LogEnd, LogHead } from './event-log.ts'
import { Id } from './models.ts'
import { Attempt, AttemptAnswer } from './sending.ts'

/*
 * An event log as HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/). What HAR has no place for stands under `_tabscope`,
 * as HAR keeps names that begin with an underscore for whoever wrote it: of the log, of each entry. A delivery is an entry; each of its
 * attempts is an entry behind it, oldest first. Integrations, endpoints, tokens and runs are not in it.
 */

/** `log._tabscope`, before the entries. */
export const HarHead = LogHead.omit({ kind: true, format: true }).extend({
  format: z.literal('tabscope-har'),
})
export type HarHead = z.infer<typeof HarHead>

/** `log._tabscopeEnd`, behind the entries. */
export const HarEnd = LogEnd.pick({ deliveries: true, removed: true })
export type HarEnd = z.infer<typeof HarEnd>

/**
 * `_tabscope` of the entry of a delivery. Headers are those of `request.headers`: names and values as they came, one character a byte. The
 * body is `request.postData.text` where it is UTF-8, else `bodyBase64`; `omitted` says why it is not here. None of the three: it is empty.
 */
export const HarDelivery = z.object({
  kind: z.literal('delivery'),
  fields: LogDelivery.omit({ kind: true, headers: true, body: true, attempts: true }),
  bodyBase64: z.string().optional(),
  omitted: z.string().optional(),
  /** How many attempts of it follow. */
  attempts: z.int().nonnegative(),
})
export type HarDelivery = z.infer<typeof HarDelivery>

/**
 * `_tabscope` of the entry of an attempt. Headers are those of `request.headers` and `response.headers`; bodies as of a delivery, and
 * `response.content.text` with its `encoding`.
 */
export const HarAttempt = z.object({
  kind: z.literal('attempt'),
  /** The delivery before it. */
  deliveryId: Id,
  fields: Attempt.extend({
    request: Attempt.shape.request.omit({ headers: true }),
    /** Null: there was no response. */
    answer: AttemptAnswer.omit({ headers: true }).nullable(),
  }),
  /** What was sent is the delivery's body, which is not here again. */
  bodyAsCaptured: z.boolean(),
  bodyBase64: z.string().optional(),
  /** False: nothing of the answer's body is kept, which is not the same as an empty one. */
  answerBodyKept: z.boolean(),
})
export type HarAttempt = z.infer<typeof HarAttempt>

export const HarEntryMore = z.discriminatedUnion('kind', [HarDelivery, HarAttempt])
export type HarEntryMore = z.infer<typeof HarEntryMore>
