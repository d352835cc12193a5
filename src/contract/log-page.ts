import { z } from 'zod'
import { LogBody, LogDelivery, LogEnd } from './event-log.ts'
import { DeliverySummary } from './models.ts'

/*
 * The data blocks of the exported page (format `html`): `<script type="application/json" data-log="…">` elements after the page itself.
 * Browsers neither run nor parse them, and they never contain `<`. Order: `head`, `about` for each event log line that belongs neither to
 * a rehearsal nor to a delivery, `counts` (a line for each), `rehearsal` for each rehearsal, `case` for each of its cases
 * (the line of the case, then those of its requests), `delivery` for each delivery (oldest first), `end`.
 */

export type PageBlockKind = 'head' | 'about' | 'rehearsal' | 'case' | 'delivery' | 'end'

/** The blocks are inserted here. Occurs once in the built page. */
export const recordsMark = '<!--tabscope:records-->'

/** First line of a `delivery` block, for the list and most filters. An event log line without the fields of the second line. */
export const PageSummary = DeliverySummary.extend({
  via: LogDelivery.shape.via,
  relay: LogDelivery.shape.relay,
  endpointName: LogDelivery.shape.endpointName,
  secretName: LogDelivery.shape.secretName,
})
export type PageSummary = z.infer<typeof PageSummary>

/** Second line: read when the delivery is opened or searched. */
export const PageContent = LogDelivery.pick({
  httpVersion: true,
  remoteAddress: true,
  headers: true,
  trailers: true,
  reason: true,
  brand: true,
  note: true,
  body: true,
  bodyRedacted: true,
  attempts: true,
  notForwarded: true,
}).extend({
  /** After decoding `Content-Encoding`, because a page cannot; null: no encoding. */
  decoded: LogBody.nullable(),
})
export type PageContent = z.infer<typeof PageContent>

/** Each following line: one part of the body whose `parts` have this key, in order. */
export const PagePart = z.object({ key: z.int().nonnegative(), base64: z.string() })

export const PageEnd = LogEnd.pick({ deliveries: true, removed: true })
export type PageEnd = z.infer<typeof PageEnd>
