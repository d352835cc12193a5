import { z } from 'zod'
import { Header } from './models.ts'

/** Hosts that a browser's address bar takes without a scheme, and that no certificate is made for. Each repetition is bounded. */
const localHost =
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i

/**
 * An address as it is typed, as a whole one: `localhost:3000/hook` becomes `http://localhost:3000/hook`, as does any address on this machine
 * or in a private network. All else is returned as it is, without the white space around it: whether a public host has https is not known.
 */
export function withScheme(typed: string): string {
  const written = typed.trim()
  return localHost.test(written) ? `http://${written}` : written
}

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
