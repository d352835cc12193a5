import { z } from 'zod'
import { Id } from '../models.ts'
import { Duration, ErrorOutput, HeaderOutput, Time, TimingsOutput } from './common.ts'

const attempt = {
  id: Id,
  deliveryId: Id.nullable(),
  draftId: Id.nullable(),
  jobId: Id.nullable(),
  forwardTargetId: Id.nullable(),
  /** `pass_through`: a forward whose response is returned to the sender. */
  kind: z.enum(['resend', 'compose', 'forward', 'pass_through']),
  sentAt: Time,
  durationMs: Duration,
  method: z.string(),
  url: z.string(),
  /** The response has a 2xx status. */
  ok: z.boolean(),
  /** Null: no response. */
  status: z.int().nullable(),
  error: ErrorOutput.nullable(),
  edited: z.boolean(),
  bodyEdited: z.boolean(),
  signing: z.enum(['kept', 'signed', 'broken', 'none']),
  secretName: z.string().nullable(),
  /** Only of a signature that was broken on purpose: whether the target refused it, as expected. */
  brokenSignature: z.enum(['refused', 'accepted']).nullable(),
  /** Against the attempt before it, to the same address. */
  comparison: z.enum(['same', 'fixed', 'regressed']).nullable(),
  previousAttemptId: Id.nullable(),
  tryNumber: z.int().positive(),
  requestBytes: z.int().nonnegative(),
  responseBytes: z.int().nonnegative(),
}

/** One request that was sent, in a list. */
export const AttemptOutput = z.strictObject({ event: z.literal('attempt'), ...attempt })
export type AttemptOutput = z.infer<typeof AttemptOutput>

/** The same with its request and response. */
export const FullAttemptOutput = AttemptOutput.extend({
  request: z.strictObject({
    /** As in the request line. */
    target: z.string(),
    headers: z.array(HeaderOutput),
    trailers: z.array(HeaderOutput),
    sha256: z.string(),
  }),
  response: z
    .strictObject({
      status: z.int(),
      statusText: z.string(),
      httpVersion: z.string(),
      headers: z.array(HeaderOutput),
      storedBytes: z.int().nonnegative(),
      /** Null: it is not text, and in `bodyBase64`. */
      body: z.string().nullable(),
      bodyBase64: z.string().optional(),
    })
    .nullable(),
  timings: TimingsOutput.nullable(),
  remoteAddress: z.string().nullable(),
  reusedConnection: z.boolean(),
  /** Null: no TLS. False: the certificate was not verified, as asked. */
  tlsVerified: z.boolean().nullable(),
  notes: z.array(z.string()),
})
export type FullAttemptOutput = z.infer<typeof FullAttemptOutput>

/** The result of forwarding a delivery, while `listen` runs. */
export const ForwardResultOutput = z.strictObject({ event: z.literal('forward'), ...attempt })

/** Where deliveries of an endpoint are forwarded to. */
export const ForwardTargetOutput = z.strictObject({
  event: z.literal('forward_target'),
  id: Id,
  endpointId: Id,
  url: z.string(),
  /** Empty: all. */
  types: z.array(z.string()),
  /** `after`: behind our own response. `return`: the target's response is returned to the sender. */
  mode: z.enum(['after', 'return']),
  retries: z.int().nonnegative(),
  timeoutMs: Duration,
  concurrency: z.int().positive(),
  queueLimit: z.int().positive(),
  enabled: z.boolean(),
  /** It ends with the command that added it. */
  temporary: z.boolean(),
  /** Only in `forward list`, while Tabscope runs. */
  health: z
    .strictObject({
      state: z.enum(['off', 'idle', 'good', 'failing', 'down']),
      since: Time,
      waiting: z.int().nonnegative(),
      inFlight: z.int().nonnegative(),
      ok: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      skipped: z.int().nonnegative(),
      recent: z.strictObject({ ok: z.int().nonnegative(), failed: z.int().nonnegative() }),
      lastStatus: z.int().nullable(),
      lastError: z.string().nullable(),
      retryAt: Time.nullable(),
    })
    .optional(),
})

/** A response rule: what is returned instead of 200. */
export const RuleOutput = z.strictObject({
  event: z.literal('rule'),
  id: Id,
  endpointId: Id,
  /** Null: every type. */
  type: z.string().nullable(),
  response: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('status'),
      status: z.int(),
      headers: z.array(HeaderOutput),
      body: z.string(),
    }),
    /** The connection is closed without a response. */
    z.strictObject({ kind: z.literal('drop') }),
  ]),
  delayMs: Duration,
  when: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('always') }),
    z.strictObject({ kind: z.literal('first'), count: z.int().positive() }),
    z.strictObject({ kind: z.literal('share'), share: z.number() }),
  ]),
  enabled: z.boolean(),
  /** Deliveries that it was the first rule for, and those of them that it was applied to. */
  matched: z.int().nonnegative(),
  applied: z.int().nonnegative(),
})

/** How often each status or error was the result. */
const Results = z.array(
  z.strictObject({
    status: z.int().nullable(),
    error: ErrorOutput.nullable(),
    count: z.int().positive(),
  }),
)

const jobCounts = {
  total: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  /** Unknown whether it was sent before a crash. */
  uncertain: z.int().nonnegative(),
}

/** Re-sending many deliveries. */
export const JobOutput = z.strictObject({
  event: z.literal('job'),
  id: Id,
  createdAt: Time,
  endedAt: Time.nullable(),
  state: z.enum(['running', 'paused', 'interrupted', 'done', 'cancelled']),
  /** Why it is paused; null: by the user, or it is not. */
  reason: z.string().nullable(),
  /** Null: chosen by IDs. */
  filter: z.string().nullable(),
  /** Null: each to its default target. */
  url: z.string().nullable(),
  edited: z.boolean(),
  ...jobCounts,
  inFlight: z.int().nonnegative(),
})

/** The same with its results. */
export const FullJobOutput = JobOutput.extend({ results: Results })

/** One delivery of a job for which there is no attempt. */
export const JobItemOutput = z.strictObject({
  event: z.literal('job_item'),
  jobId: Id,
  /** From 0, in order of arrival. */
  position: z.int().nonnegative(),
  deliveryId: Id,
  attemptId: Id.nullable(),
  state: z.enum(['waiting', 'claimed', 'uncertain', 'ok', 'failed', 'skipped']),
  status: z.int().nullable(),
  error: ErrorOutput.nullable(),
})

/** A sample that `trigger` sent. */
export const SentOutput = z.strictObject({
  event: z.literal('sent'),
  type: z.string(),
  /** Only where it was received by the Tabscope on this data folder. */
  deliveryId: Id.nullable(),
  status: z.int().nullable(),
  ok: z.boolean(),
  durationMs: Duration,
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  error: ErrorOutput.nullable(),
})

/** What `--dry-run` would send. */
export const PlanOutput = z.strictObject({
  event: z.literal('plan'),
  requests: z.int().nonnegative(),
  /** At most 20, those with most requests first. */
  targets: z.array(
    z.strictObject({
      /** Null: there is no default target. */
      url: z.string().nullable(),
      requests: z.int().positive(),
      /** It is the listener of this Tabscope. */
      own: z.boolean(),
    }),
  ),
})

/** The last line of a command that sends many. */
export const DoneOutput = z.strictObject({
  event: z.literal('done'),
  /** Requests whose response is as expected: 2xx, or 4xx for a signature that was broken on purpose. */
  sent: z.int().nonnegative(),
  /** The other requests. */
  failed: z.int().nonnegative(),
  /** Only of a job. */
  job: z
    .strictObject({ id: Id, state: JobOutput.shape.state, ...jobCounts, results: Results })
    .optional(),
})

export const sendingOutputs = [
  AttemptOutput,
  FullAttemptOutput,
  ForwardResultOutput,
  ForwardTargetOutput,
  RuleOutput,
  JobOutput,
  FullJobOutput,
  JobItemOutput,
  SentOutput,
  PlanOutput,
  DoneOutput,
] as const
