import { z } from 'zod'
import { Header } from './models.ts'

/** Milliseconds of each phase of one HTTP request; null: it did not take place, or the connection was there already. */
export const Timings = z.object({
  dns: z.number().nullable(),
  connect: z.number().nullable(),
  tls: z.number().nullable(),
  /** From the request being sent to the first byte of the answer. */
  firstByte: z.number().nullable(),
  total: z.number(),
})
export type Timings = z.infer<typeof Timings>

/** A request as it was sent, secrets as markers (`masks.ts`). */
export const SentRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.array(Header),
  /** Null: none was sent. */
  body: z.string().nullable(),
})
export type SentRequest = z.infer<typeof SentRequest>

/** An answer as it came, secrets as markers. */
export const ReceivedAnswer = z.object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: z.array(Header),
  /** The body as text, at most 64 KiB of it; null: not text, or kept elsewhere. */
  body: z.string().nullable(),
  /** Bytes of body that came. */
  bytes: z.int().nonnegative(),
  /** True when more came than is kept. */
  truncated: z.boolean(),
})
export type ReceivedAnswer = z.infer<typeof ReceivedAnswer>
