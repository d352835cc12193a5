import * as z from 'zod'
import { Header } from './models.ts'

/** Null: the phase did not occur, or the connection was reused. */
export const Timings = z.object({
  dnsMs: z.number().nullable(),
  connectMs: z.number().nullable(),
  tlsMs: z.number().nullable(),
  /** From sending the request to the first byte of the response. */
  firstByteMs: z.number().nullable(),
  totalMs: z.number(),
})
export type Timings = z.infer<typeof Timings>

/** With secrets as markers (`masks.ts`). */
export const SentRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.array(Header),
  body: z.string().nullable(),
})
export type SentRequest = z.infer<typeof SentRequest>

/** With secrets as markers. */
export const ReceivedResponse = z.object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: z.array(Header),
  /** At most 64 KiB; null: not text, or stored elsewhere. */
  body: z.string().nullable(),
  bytes: z.int().nonnegative(),
  truncated: z.boolean(),
})
export type ReceivedResponse = z.infer<typeof ReceivedResponse>
