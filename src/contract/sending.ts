import * as z from 'zod'
import { itemStates, jobLimit } from './constants.ts'
import { BodySlice, bodySliceInput, Bytes, Header, Id, LogId, None } from './models.ts'
import { Timings } from './http.ts'
import { ScriptName } from './scripts.ts'

const MiB = 1024 * 1024

/** For a body that replaces the captured one. */
export const editedBodyLimit = 25 * MiB

/** `digit`: one hex digit is changed; `prefix`: `sha256=` is prepended; `other_secret`: a random secret. */
export const signFaults = ['digit', 'base64', 'prefix', 'other_secret'] as const

const SecretChoice = z.object({
  /** Null: the endpoint of each delivery. */
  endpointId: Id.nullable(),
  which: z.enum(['current', 'previous']),
})

/** `auto`: as captured if body and secret are unchanged, otherwise with the current secret of the endpoint, if any. `keep`: as captured. `none`: omitted. */
export const SignChoice = z.discriminatedUnion('how', [
  z.object({ how: z.literal('auto') }),
  z.object({ how: z.literal('keep') }),
  z.object({ how: z.literal('none') }),
  SecretChoice.extend({ how: z.literal('secret') }),
  SecretChoice.extend({ how: z.literal('broken'), fault: z.enum(signFaults) }),
])
export type SignChoice = z.infer<typeof SignChoice>

/** A header replaces headers of the same name, or is added at the end. */
export const Edits = z.object({
  headers: z.array(Header).max(200).default([]),
  /** Null: as captured. */
  body: Bytes.refine(
    (bytes) => bytes.byteLength <= editedBodyLimit,
    'The body is larger than 25 MiB.',
  )
    .nullable()
    .default(null),
})
export type Edits = z.infer<typeof Edits>

/**
 * `own`: the Tabscope listener. `loopback` and `private` if all addresses of the name are (RFC 1918, 4193, 3927, 4291, 6598); any other address makes
 * it `public`.
 */
export const Place = z.enum(['own', 'loopback', 'private', 'public', 'unresolved'])
export type Place = z.infer<typeof Place>

export const Target = z.object({
  /** `https://host:port`, without the default port. */
  origin: z.string(),
  location: Place,
  /** The user has confirmed that deliveries may be sent to it. Required once if `location` is `public`. */
  confirmed: z.boolean(),
  /** False: any certificate is accepted. */
  verifyTls: z.boolean(),
})
export type Target = z.infer<typeof Target>

/** `compose`: a draft without a delivery. `forward`: automatic. `pass_through`: automatic, with its response returned to the sender. */
export const attemptKinds = ['resend', 'compose', 'forward', 'pass_through'] as const

/** Why there is no complete response. Stable. */
export const attemptErrorCodes = [
  'unresolved',
  'refused',
  /** The proxy cannot be reached, or refuses the request. */
  'proxy',
  'reset',
  'tls',
  'timeout',
  'aborted',
  'malformed',
  'unreachable',
  'invalid_request',
  'unconfirmed',
  'gone',
] as const

export const AttemptError = z.object({
  code: z.enum(attemptErrorCodes),
  message: z.string(),
})
export type AttemptError = z.infer<typeof AttemptError>

/** Never contains a body or a header. */
export const AttemptSummary = z.object({
  id: Id,
  deliveryId: Id.nullable(),
  draftId: Id.nullable(),
  jobId: Id.nullable(),
  forwardId: Id.nullable(),
  kind: z.enum(attemptKinds),
  sentAt: z.number(),
  method: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  error: AttemptError.nullable(),
  durationMs: z.number(),
  /** Something except `Host` differs from the delivery, or there is no delivery. */
  edited: z.boolean(),
  bodyEdited: z.boolean(),
  /** The script of its target failed, so it changed nothing. A note says why. */
  scriptFailed: z.boolean().optional(),
  /** `none`: no signature header. */
  signing: z.enum(['kept', 'signed', 'broken', 'none']),
  secretName: z.string().nullable(),
  /**
   * With the previous attempt to the same URL: both or neither got 2xx (`same`), only this one (`fixed`), only the previous one (`regressed`). Attempts
   * with an intentionally broken signature are excluded, because a target is expected to reject them.
   */
  comparison: z.enum(['same', 'fixed', 'regressed']).nullable(),
  previousAttemptId: Id.nullable(),
  /** Higher than 1 for retries of a forward. */
  tryNumber: z.int().positive(),
  requestBytes: z.int().nonnegative(),
  responseBytes: z.int().nonnegative(),
})
export type AttemptSummary = z.infer<typeof AttemptSummary>

/** As received. `attempts.body` returns the body. */
export const AttemptResponse = z.object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: z.array(Header),
  /** At most 1 MiB. */
  storedBytes: z.int().nonnegative(),
})
export type AttemptResponse = z.infer<typeof AttemptResponse>

export const Attempt = AttemptSummary.extend({
  /** As sent, with original order, case and duplicates. */
  request: z.object({
    target: z.string(),
    headers: z.array(Header),
    trailers: z.array(Header),
    sha256: z.string(),
  }),
  response: AttemptResponse.nullable(),
  timings: Timings.nullable(),
  /** With port; null: no connection. */
  remoteAddress: z.string().nullable(),
  /** The times of lookup and connect are then missing. */
  reusedConnection: z.boolean(),
  /** Null: no TLS. False: certificate verification was disabled. */
  tlsVerified: z.boolean().nullable(),
  /** A loop was detected, a redirect was not followed, the endpoint has no secret ... */
  notes: z.array(z.string()),
})
export type Attempt = z.infer<typeof Attempt>

/** Deliveries are always sent in order of arrival. */
export const JobPace = z.discriminatedUnion('how', [
  /** Each after the response to the previous one. */
  z.object({ how: z.literal('one_by_one'), stopOnFailure: z.boolean().default(false) }),
  z.object({ how: z.literal('rate'), perSecond: z.number().min(0.1).max(1000) }),
  /** The original gaps, `speed` times as fast. Gaps are limited to `longestGap` milliseconds. */
  z.object({
    how: z.literal('spacing'),
    speed: z.number().min(0.01).max(100_000).default(1),
    longestGap: z.int().min(0).max(86_400_000).default(60_000),
  }),
  /** They start in order, but may arrive in a different order. */
  z.object({ how: z.literal('concurrent'), concurrency: z.int().min(1).max(64) }),
])
export type JobPace = z.infer<typeof JobPace>

export const JobScenario = z.object({
  /** Its event log, whose deliveries the items name. */
  logId: Id,
  name: z.string(),
  keepIds: z.boolean(),
  /** Of the new IDs. */
  seed: z.int(),
  /** The job with the last complete run to the same target; null: there is none. */
  comparedTo: Id.nullable(),
  /** With another status than there, and sent without a signature. Counted when the job pauses or ends. */
  changed: z.int().nonnegative(),
  unsigned: z.int().nonnegative(),
})

export const Job = z.object({
  id: Id,
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** `interrupted`: Tabscope ended while the job was running. */
  state: z.enum(['running', 'paused', 'interrupted', 'done', 'cancelled']),
  /** Null: paused by the user, or not paused. */
  reason: z.string().nullable(),
  /** Null: individually selected deliveries. */
  filter: z.string().nullable(),
  /** Null: to the default target of each delivery. */
  url: z.string().nullable(),
  sign: SignChoice,
  pace: JobPace,
  edited: z.boolean(),
  /** The scenario that it sends; null: deliveries of the store. */
  scenario: JobScenario.nullable(),
  total: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
  inFlight: z.int().nonnegative(),
  /** 2xx, or 4xx for an intentionally broken signature. */
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** The delivery was deleted, or the user skipped `uncertain` items. */
  skipped: z.int().nonnegative(),
  /** Claimed before a crash, with unknown result. Sent again only on request. */
  uncertain: z.int().nonnegative(),
  results: z.array(
    z.object({ status: z.int().nullable(), error: z.string().nullable(), count: z.int() }),
  ),
})
export type Job = z.infer<typeof Job>

export const JobItem = z.object({
  /** From 0, in order of arrival. */
  position: z.int().nonnegative(),
  deliveryId: Id,
  title: z.string().nullable(),
  state: z.enum(itemStates),
  attemptId: Id.nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  /** Null: it was not sent, or its attempt was deleted. */
  durationMs: z.number().nullable(),
  /** Of a scenario: the status in the run that it is compared to, null without a response; absent: the same, or not compared. */
  before: z.int().nullable().optional(),
})
export type JobItem = z.infer<typeof JobItem>

export const JobPlan = z.object({
  requests: z.int().nonnegative(),
  missing: z.array(Id),
  /** At most 20, most requests first. */
  targets: z.array(
    z.object({
      /** Null: there is no default target. */
      url: z.string().nullable(),
      requests: z.int().positive(),
      /** Null: there is no target. */
      location: Place.nullable(),
    }),
  ),
})
export type JobPlan = z.infer<typeof JobPlan>

const Address = z.string().trim().min(1).max(8000)
/** Of one attempt in milliseconds, from the DNS lookup to the last byte. */
const Timeout = z.int().min(1).max(600_000).default(30_000)

export const sendingCalls = {
  /**
   * Without `url`: to the last target, otherwise to the first forward target of the endpoint, otherwise to the Tabscope listener. A missing response is an
   * attempt with `error`. Throws `target_unconfirmed`, `bad_target`, `secret_unavailable`, `not_found`, `bad_input`.
   */
  'deliveries.resend': {
    input: z.object({
      id: Id,
      url: Address.nullable().default(null),
      sign: SignChoice.default({ how: 'auto' }),
      edits: Edits.prefault({}),
      /** Changes the request of each delivery; null: none. */
      script: ScriptName.nullable().default(null),
      timeout: Timeout,
      /** For this attempt only. */
      insecure: z.boolean().default(false),
      key: z.string().max(60).optional(),
    }),
    output: Attempt,
  },
  /** Of one delivery, draft or job, before `before`, newest first. */
  'attempts.list': {
    input: z.object({
      log: LogId,
      deliveryId: Id.optional(),
      draftId: Id.optional(),
      jobId: Id.optional(),
      before: Id.optional(),
      limit: z.int().min(1).max(500).default(50),
    }),
    output: z.object({
      rows: z.array(AttemptSummary),
      total: z.int().nonnegative(),
      /** Targets and reasons, for a delivery. */
      notForwarded: z.array(z.string()),
    }),
  },
  'attempts.get': { input: z.object({ id: Id, log: LogId }), output: Attempt },
  'attempts.body': {
    input: bodySliceInput.extend({
      log: LogId,
      which: z.enum(['request', 'response']),
      decoded: z.boolean().default(false),
    }),
    output: BodySlice,
  },
  'attempts.cancel': { input: z.object({ key: z.string().max(60) }), output: None },

  'targets.resolve': { input: z.object({ url: Address }), output: Target },
  /** Confirmed, or without verification of certificates. */
  'targets.list': { input: None, output: z.array(Target) },
  /** Omitted fields are not changed. */
  'targets.set': {
    input: z.object({
      url: Address,
      confirmed: z.boolean().optional(),
      verifyTls: z.boolean().optional(),
    }),
    output: Target,
  },

  /** Requires `ids` or `filter`; at most 100,000 deliveries. Throws the errors of `deliveries.resend`, and `bad_filter`. */
  'jobs.start': {
    input: z.object({
      ids: z.array(Id).min(1).max(jobLimit).optional(),
      filter: z.string().max(4000).optional(),
      upTo: z.int().nonnegative().nullable().default(null),
      url: Address.nullable().default(null),
      sign: SignChoice.default({ how: 'auto' }),
      edits: Edits.prefault({}),
      /** Changes the request of each delivery; null: none. */
      script: ScriptName.nullable().default(null),
      pace: JobPace.default({ how: 'one_by_one', stopOnFailure: false }),
      timeout: Timeout,
      insecure: z.boolean().default(false),
    }),
    output: Job,
  },
  /** What `jobs.start` would send. Throws `bad_target`, `bad_filter`, and `not_found` if nothing matches the filter. */
  'jobs.plan': {
    input: z.object({
      ids: z.array(Id).min(1).max(jobLimit).optional(),
      filter: z.string().max(4000).optional(),
      url: Address.nullable().default(null),
    }),
    output: JobPlan,
  },
  /** Running requests are completed. */
  'jobs.pause': { input: z.object({ id: Id }), output: Job },
  /** `uncertain`: what to do with items that may have been delivered. Throws `run_over` when the job is done. */
  'jobs.resume': {
    input: z.object({ id: Id, uncertain: z.enum(['skip', 'send']).default('skip') }),
    output: Job,
  },
  'jobs.cancel': { input: z.object({ id: Id }), output: Job },
  /** A new job with the same options. Throws `in_use` while the job is not finished, `bad_input` without failed items, and the errors of `jobs.start`. */
  'jobs.resendFailed': { input: z.object({ id: Id }), output: Job },
  /** Newest first. The last hundred finished jobs are stored, or fewer if they have more than a million items. */
  'jobs.list': { input: None, output: z.array(Job) },
  'jobs.get': { input: z.object({ id: Id }), output: Job },
  'jobs.items': {
    input: z.object({
      id: Id,
      states: z.array(z.enum(itemStates)).default([]),
      after: z.int().min(-1).default(-1),
      limit: z.int().min(1).max(10_000).default(200),
    }),
    output: z.array(JobItem),
  },
  /** Its attempts are kept. Throws `in_use` while it is running. */
  'jobs.remove': { input: z.object({ id: Id }), output: None },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
