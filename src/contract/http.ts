import { z } from 'zod'
import { Header } from './models.ts'

/** Duration of each phase of an HTTP request in milliseconds; null: the phase did not occur, or the connection was reused. */
export const Timings = z.object({
  dnsMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable(),
  /** From sending the request to the first byte of the response. */
  firstByteMs: z.number().nullable(),
  totalMs: z.number(),
})
export type Timings = z.infer<typeof Timings>

/** A sent request, with secrets as markers (`masks.ts`). */
export const SentRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.array(Header),
  /** Null: no body was sent. */
  body: z.string().nullable(),
})
export type SentRequest = z.infer<typeof SentRequest>

/** A received response, with secrets as markers. */
export const ReceivedResponse = z.object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: z.array(Header),
  /** The body as text, at most 64 KiB; null: not text, or stored elsewhere. */
  body: z.string().nullable(),
  /** Received size of the body in bytes. */
  bytes: z.int().nonnegative(),
  /** True when more was received than is stored. */
  truncated: z.boolean(),
})
export type ReceivedResponse = z.infer<typeof ReceivedResponse>
