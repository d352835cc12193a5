import { z } from 'zod'
import { Arrival, Id, Verdict } from '../models.ts'
import { Duration, FindingOutput, HeaderOutput, Time } from './common.ts'

/** A delivery in a list. */
export const DeliveryOutput = z.strictObject({
  event: z.literal('delivery'),
  id: Id,
  receivedAt: Time,
  method: z.string(),
  path: z.string(),
  type: z.string().nullable(),
  /** `targetUuid` of the body, else `targetId`. */
  target: z.string().nullable(),
  verdict: Verdict,
  /** Only where the signature was checked again: the verdict at arrival. */
  verdictAtArrival: Verdict.optional(),
  /** The codes of its findings; `deliveries show` has them as objects. */
  findings: z.array(z.string()),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** The status of our response; null: none was sent. */
  status: z.int().nullable(),
  /** Only where it was not the usual response: a response rule, or a target whose response was returned. */
  answeredBy: z.enum(['rule', 'target']).optional(),
  /** Only of a request that Tabscope itself sent. */
  own: z.enum(['forward', 'send']).optional(),
  pinned: z.boolean(),
  /** It has a note. */
  noted: z.boolean(),
  tags: z.array(z.string()),
})

/** One delivery with all that is known of it but its body. */
export const FullDeliveryOutput = DeliveryOutput.omit({ findings: true }).extend({
  findings: z.array(FindingOutput),
  findingCodes: z.array(z.string()),
  title: z.string(),
  locationName: z.string().nullable(),
  /** `createdAt` of the body. */
  createdAt: Time.nullable(),
  endpointId: Id.nullable(),
  endpointName: z.string().nullable(),
  brand: z.string(),
  /** The secret that the signature matches ("current", "previous"). */
  secretName: z.string().nullable(),
  httpVersion: z.string(),
  remoteAddress: z.string(),
  /** Null: straight to the listener. */
  via: z.literal('tunnel').nullable(),
  headers: z.array(HeaderOutput),
  trailers: z.array(HeaderOutput),
  arrival: Arrival,
  /** Why it is not complete, or has no response, as a sentence. */
  reason: z.string().nullable(),
  /** Bytes of body that are stored. */
  storedBytes: z.int().nonnegative(),
  /** From the first byte of the request to our response. */
  responseMs: Duration.nullable(),
  recheckedAt: Time.nullable(),
  /** The earliest delivery that was the same. */
  repeats: z.strictObject({ deliveryId: Id, by: z.enum(['body', 'event']) }).nullable(),
  /** The last attempt to send it; `status` null: no response. */
  lastAttempt: z.strictObject({ status: z.int().nullable() }).nullable(),
  /** What proxy headers claim about the sender. */
  claims: z.looseObject({}).nullable(),
  note: z.string(),
})

/** A possible reason for a signature that does not match. */
export const CauseOutput = z.strictObject({
  code: z.string(),
  title: z.string(),
  outcome: z.enum(['matches', 'ruled_out', 'untried']),
  detail: z.string(),
  fix: z.string(),
  where: z.enum(['here', 'dashboard', 'between', 'sender']),
})

/** The result of `verify`. */
export const VerifyOutput = z.strictObject({
  event: z.literal('verify'),
  valid: z.boolean(),
  verdict: z.enum(['valid', 'invalid']),
  /** The bytes that the signature was computed over. */
  bytes: z.int().nonnegative(),
  /** Only where it is invalid. */
  conclusion: z.string().optional(),
  causes: z.array(CauseOutput).optional(),
})

export const deliveryOutputs = [DeliveryOutput, FullDeliveryOutput, VerifyOutput] as const
