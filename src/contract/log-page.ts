import { z } from 'zod'
import { LogBody, LogDelivery, LogEnd } from './event-log.ts'
import { DeliverySummary } from './models.ts'

/*
 * The blocks of the exported page (format `html`): elements `<script type="application/json" data-log="…">` behind the page itself. A
 * browser neither runs nor parses them, and `<` never stands in one. `head` first, `about` for each line of an event log that is neither
 * delivery nor part, `delivery` for each delivery, oldest first, `end` last.
 */

/** What `data-log` says. */
export type PageBlockKind = 'head' | 'about' | 'delivery' | 'end'

/** Where the built page takes the blocks in: stands there once. */
export const recordsMark = '<!--tabscope:records-->'

/**
 * First line of a `delivery` block: what the list needs, and what filters ask most. It is an event log's line without what is in the second.
 */
export const PageSummary = DeliverySummary.extend({
  via: LogDelivery.shape.via,
  endpointName: LogDelivery.shape.endpointName,
  secretName: LogDelivery.shape.secretName,
})
export type PageSummary = z.infer<typeof PageSummary>

/** Second line: what is read when the delivery is opened or searched. */
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
  /** The body with its `Content-Encoding` undone, since a page cannot do that; null: it has none. */
  decoded: LogBody.nullable(),
})
export type PageContent = z.infer<typeof PageContent>

/** Each line behind the second: base64 of a piece of the body whose `parts` have this key, in order. */
export const PagePart = z.object({ key: z.int().nonnegative(), base64: z.string() })

export const PageEnd = LogEnd.pick({ deliveries: true, removed: true })
export type PageEnd = z.infer<typeof PageEnd>
