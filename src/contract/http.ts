import { z } from 'zod'
import { Header } from './models.ts'

/** Local hosts, which usually have no TLS certificate. All repetitions are bounded. */
const localHost =
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i

/**
 * Adds a missing scheme to an entered URL: `localhost:3000/hook` becomes `http://localhost:3000/hook`. Applies to hosts on this computer
 * and in private networks. Other input is returned trimmed, because it is unknown whether a public host supports https.
 */
export function withScheme(typed: string): string {
  const written = typed.trim()
  return localHost.test(written) ? `http://${written}` : written
}

/** Duration of each phase of an HTTP request in milliseconds; null: the phase did not occur, or the connection was reused. */
export const Timings = z.object({
  dns: z.number().nullable(),
  connect: z.number().nullable(),
  tls: z.number().nullable(),
  /** From sending the request to the first byte of the response. */
  firstByte: z.number().nullable(),
  total: z.number(),
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
export const ReceivedAnswer = z.object({
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
export type ReceivedAnswer = z.infer<typeof ReceivedAnswer>
