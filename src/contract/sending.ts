import { z } from 'zod'
import { BodySlice, bodySliceInput } from './body-slice.ts'
import { Timings } from './http.ts'
import { LogId } from './log-id.ts'
import { Header, Id } from './models.ts'

const None = z.object({})

const MiB = 1024 * 1024

/** An answer is kept up to this many bytes; the rest is counted for a while, then the connection is cut. */
export const keptAnswerBytes = MiB
/** A body that takes the place of the captured one, as it is sent with a call, in bytes. */
export const editedBodyLimit = 25 * MiB

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** What can be wrong with a signature on purpose. `digit`: one hex digit is another; `prefix`: `sha256=` before it; `other_secret`: a random one. */
export const signFaults = ['digit', 'base64', 'prefix', 'other_secret'] as const

const SecretChoice = z.object({
  /** Whose; null: the delivery's own endpoint's, which for many may be several. */
  endpointId: Id.nullable(),
  which: z.enum(['current', 'previous']),
})

/**
 * What becomes of the signature header. `auto`: as captured while body and secret are as they were, else signed anew with the current
 * secret of the endpoint, where it has one. `keep`: as captured. `none`: left out.
 */
export const SignChoice = z.discriminatedUnion('how', [
  z.object({ how: z.literal('auto') }),
  z.object({ how: z.literal('keep') }),
  z.object({ how: z.literal('none') }),
  SecretChoice.extend({ how: z.literal('secret') }),
  SecretChoice.extend({ how: z.literal('broken'), fault: z.enum(signFaults) }),
])
export type SignChoice = z.infer<typeof SignChoice>

/** What is changed of a captured delivery, wherever it goes out by its id. A header takes the place of those of its name, else it comes last. */
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
 * Where a target is. `own`: our own listener. `loopback` and `private` by all the addresses its name has (RFC 1918, 4193, 3927, 4291, 6598);
 * one address that is neither makes it `public`.
 */
export const Place = z.enum(['own', 'loopback', 'private', 'public', 'unresolved'])
export type Place = z.infer<typeof Place>

/** What is known of a target, by its origin. */
export const Target = z.object({
  /** `https://host:port`, the port only where it is not the usual one. */
  origin: z.string(),
  place: Place,
  /** The user has said that deliveries may go there. Asked for once, where the place is `public`. */
  confirmed: z.boolean(),
  /** False only by choice: then any certificate is taken. */
  verifyTls: z.boolean(),
})
export type Target = z.infer<typeof Target>

/** `resend`: a captured delivery, edited or not. `compose`: a draft that comes from none. `forward`: by itself. `pass_through`: by itself, for our answer. */
export const attemptKinds = ['resend', 'compose', 'forward', 'pass_through'] as const

/** Why no whole answer came; stable. */
export const attemptErrorCodes = [
  'unresolved',
  'refused',
  'reset',
  'tls',
  'timeout',
  'aborted',
  'malformed',
  'unreachable',
  /** The request cannot be sent. */
  'invalid_request',
  /** A public target that nobody has confirmed. */
  'unconfirmed',
  /** Its delivery or its secret is not there any more. */
  'gone',
] as const

export const AttemptError = z.object({
  code: z.enum(attemptErrorCodes),
  /** A sentence that says what to do. */
  message: z.string(),
})
export type AttemptError = z.infer<typeof AttemptError>

/** One time that something was sent. Never a body, never a header. */
export const AttemptSummary = z.object({
  id: Id,
  deliveryId: Id.nullable(),
  draftId: Id.nullable(),
  jobId: Id.nullable(),
  forwardId: Id.nullable(),
  kind: z.enum(attemptKinds),
  /** Milliseconds since the epoch, when it began. */
  at: z.number(),
  method: z.string(),
  url: z.string(),
  /** Null: there was no response. */
  status: z.int().nullable(),
  error: AttemptError.nullable(),
  /** Milliseconds, of all of it. */
  took: z.number(),
  /** Anything but `Host` differs from the delivery; true where there is none. */
  edited: z.boolean(),
  bodyEdited: z.boolean(),
  /** What the signature header is. `none`: there is none. */
  signing: z.enum(['kept', 'signed', 'broken', 'none']),
  /** Which secret signed ("current of Main"); null: none did. */
  secretName: z.string().nullable(),
  /**
   * Against the attempt before it, of the same delivery or draft to the same address: both were answered with 2xx or neither (`same`),
   * this one is (`fixed`), this one is not (`regressed`). Attempts whose signature was broken on purpose are compared with none, and none
   * with them: a target that refuses them does what it should. Null: there is none before it.
   */
  verdict: z.enum(['same', 'fixed', 'regressed']).nullable(),
  previousId: Id.nullable(),
  /** 1, or the number of a try of a forward. */
  tryNumber: z.int().positive(),
  /** Bytes of body. */
  requestBytes: z.int().nonnegative(),
  /** Bytes of body that came. */
  answerBytes: z.int().nonnegative(),
})
export type AttemptSummary = z.infer<typeof AttemptSummary>

/** The head of an answer as it came. Its body is fetched by `attempts.body`. */
export const AttemptAnswer = z.object({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: z.array(Header),
  /** Bytes of body that are kept; fewer than came when there were more than 1 MiB. */
  bytesKept: z.int().nonnegative(),
})
export type AttemptAnswer = z.infer<typeof AttemptAnswer>

export const Attempt = AttemptSummary.extend({
  /** As it went out: order, case and duplicates. */
  request: z.object({
    /** What stands in the request line behind the method. */
    target: z.string(),
    headers: z.array(Header),
    trailers: z.array(Header),
    /** Hex SHA-256 of the body. */
    sha256: z.string(),
  }),
  answer: AttemptAnswer.nullable(),
  timings: Timings.nullable(),
  /** Address and port that it went to; null: no connection came about. */
  remoteAddress: z.string().nullable(),
  /** The connection was there already: then there is no time of looking up and connecting. */
  reused: z.boolean(),
  /** Null: no TLS. False: the certificate was not looked at, by choice. */
  tlsVerified: z.boolean().nullable(),
  /** What is to be known beside, as sentences: a loop was cut, a redirect not followed, an endpoint without a secret ... */
  notes: z.array(z.string()),
})
export type Attempt = z.infer<typeof Attempt>

/** How fast deliveries go out, always in the order in which they arrived. */
export const JobPace = z.discriminatedUnion('how', [
  /** The next one when the one before is answered. */
  z.object({ how: z.literal('one_by_one'), stopOnFailure: z.boolean().default(false) }),
  z.object({ how: z.literal('rate'), perSecond: z.number().min(0.1).max(1000) }),
  /** As far apart as they arrived, `speed` times as fast; a longer gap is cut to `longestGap` milliseconds. */
  z.object({
    how: z.literal('spacing'),
    speed: z.number().min(0.01).max(1000).default(1),
    longestGap: z.int().min(0).max(86_400_000).default(60_000),
  }),
  /** So many under way at once; they begin in order, but may arrive otherwise. */
  z.object({ how: z.literal('at_once'), width: z.int().min(1).max(64) }),
])
export type JobPace = z.infer<typeof JobPace>

export const itemStates = [
  'waiting',
  /** About to be sent, or under way. */
  'claimed',
  /** Was claimed when Tabscope ended: it may have arrived. */
  'uncertain',
  'ok',
  'failed',
  'skipped',
] as const

/** Re-sending many. */
export const Job = z.object({
  id: Id,
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  /** `interrupted`: Tabscope ended while it ran. */
  state: z.enum(['running', 'paused', 'interrupted', 'done', 'cancelled']),
  /** Why it is paused, as a sentence; null: by the user, or it is not. */
  reason: z.string().nullable(),
  /** Null: a selection. */
  filter: z.string().nullable(),
  /** Null: each to where it would go by itself. */
  url: z.string().nullable(),
  sign: SignChoice,
  pace: JobPace,
  edited: z.boolean(),
  total: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
  underWay: z.int().nonnegative(),
  /** As expected: answered with 2xx, or with 4xx where the signature was broken on purpose. */
  ok: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Not sent: its delivery was gone, or the user left out what was `uncertain`. */
  skipped: z.int().nonnegative(),
  /** Claimed before a crash, and not known to have arrived or not: sent again only when asked. */
  uncertain: z.int().nonnegative(),
  /** How often each status came, or each error. */
  outcomes: z.array(
    z.object({ status: z.int().nullable(), error: z.string().nullable(), count: z.int() }),
  ),
})
export type Job = z.infer<typeof Job>

export const JobItem = z.object({
  /** From 0, in order of arrival. */
  position: z.int().nonnegative(),
  deliveryId: Id,
  /** Of the delivery, as in the list; null: it is deleted. */
  title: z.string().nullable(),
  state: z.enum(itemStates),
  attemptId: Id.nullable(),
  status: z.int().nullable(),
  /** As a sentence. */
  error: z.string().nullable(),
})
export type JobItem = z.infer<typeof JobItem>

/** What a job would send. */
export const JobPlan = z.object({
  requests: z.int().nonnegative(),
  /** The deliveries that do not exist. */
  missing: z.array(Id),
  /** At most 20, those with most requests first. */
  targets: z.array(
    z.object({
      /** Null: there is no default target. */
      url: z.string().nullable(),
      requests: z.int().positive(),
      /** Null: there is no target. */
      place: Place.nullable(),
    }),
  ),
})
export type JobPlan = z.infer<typeof JobPlan>

/** Deliveries in one job. */
export const jobLimit = 100_000

const Address = z.string().trim().min(1).max(8000)
/** Milliseconds for one attempt, from the name being looked up to the last byte. */
const Timeout = z.int().min(1).max(600_000).default(30_000)

export const sendingCalls = {
  /**
   * Sends a captured delivery again. Without `url` to where it went last, else to the first forward target of its endpoint, else to our own
   * listener. No answer is an attempt with `error`, not an error. Throws `target_unconfirmed`, `bad_target`, `secret_unavailable`,
   * `not_found`, `bad_input`.
   */
  'deliveries.resend': {
    input: z.object({
      id: Id,
      url: Address.nullable().default(null),
      sign: SignChoice.default({ how: 'auto' }),
      edits: Edits.prefault({}),
      timeout: Timeout,
      /** For this attempt only. */
      insecure: z.boolean().default(false),
      /** Chosen by the caller, to cancel it by (`attempts.cancel`). */
      key: z.string().max(60).optional(),
    }),
    output: Attempt,
  },
  /** Newest first, those before `before`, of one delivery, draft or job. */
  'attempts.list': {
    input: z.object({
      log: LogId,
      deliveryId: Id.optional(),
      draftId: Id.optional(),
      jobId: Id.optional(),
      before: Id.optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    output: z.object({
      rows: z.array(AttemptSummary),
      total: z.int().nonnegative(),
      /** Of a delivery: where it was not forwarded to, and why, as sentences. */
      notForwarded: z.array(z.string()),
    }),
  },
  'attempts.get': { input: z.object({ id: Id, log: LogId }), output: Attempt },
  'attempts.body': {
    input: bodySliceInput.extend({
      log: LogId,
      which: z.enum(['request', 'answer']),
      decoded: z.boolean().default(false),
    }),
    output: BodySlice,
  },
  'attempts.cancel': { input: z.object({ key: z.string().max(60) }), output: None },

  /** What is known of the target of an address, its name looked up. Throws `bad_target` for one that cannot be sent to. */
  'targets.look': { input: z.object({ url: Address }), output: Target },
  /** Those that were confirmed, or whose certificate is not looked at. */
  'targets.list': { input: None, output: z.array(Target) },
  /** What is left out stays as it is. */
  'targets.set': {
    input: z.object({
      url: Address,
      confirmed: z.boolean().optional(),
      verifyTls: z.boolean().optional(),
    }),
    output: Target,
  },

  /** Begins at once. `ids` or `filter`; at most 100,000 deliveries. Throws as `deliveries.resend`, and `bad_filter`. */
  'jobs.start': {
    input: z.object({
      ids: z.array(Id).min(1).max(jobLimit).optional(),
      filter: z.string().max(4000).optional(),
      /** With `filter`: up to this delivery. */
      upTo: z.int().nonnegative().nullable().default(null),
      url: Address.nullable().default(null),
      sign: SignChoice.default({ how: 'auto' }),
      edits: Edits.prefault({}),
      pace: JobPace.default({ how: 'one_by_one', stopOnFailure: false }),
      timeout: Timeout,
      insecure: z.boolean().default(false),
    }),
    output: Job,
  },
  /** What `jobs.start` would send, and where. Throws `bad_target`, `bad_filter`, and `not_found` where nothing matches the filter. */
  'jobs.plan': {
    input: z.object({
      ids: z.array(Id).min(1).max(jobLimit).optional(),
      filter: z.string().max(4000).optional(),
      url: Address.nullable().default(null),
    }),
    output: JobPlan,
  },
  /** Nothing new begins; what is under way is waited for. */
  'jobs.pause': { input: z.object({ id: Id }), output: Job },
  /** `uncertain`: what becomes of those that may have arrived already. Throws `run_over` when it is done. */
  'jobs.resume': {
    input: z.object({ id: Id, uncertain: z.enum(['skip', 'send']).default('skip') }),
    output: Job,
  },
  'jobs.cancel': { input: z.object({ id: Id }), output: Job },
  /**
   * A new job that sends what failed of one that is over, in the same way to the same address. Throws `in_use` while that job is not over,
   * `bad_input` where nothing of it failed, and what `jobs.start` throws.
   */
  'jobs.resendFailed': { input: z.object({ id: Id }), output: Job },
  /** Newest first. Of those that are over the last hundred are kept, or fewer where they have more than a million items. */
  'jobs.list': { input: None, output: z.array(Job) },
  'jobs.get': { input: z.object({ id: Id }), output: Job },
  'jobs.items': {
    input: z.object({
      id: Id,
      states: z.array(z.enum(itemStates)).default([]),
      /** Those behind this position. */
      after: z.int().min(-1).default(-1),
      limit: z.int().min(1).max(1000).default(200),
    }),
    output: z.array(JobItem),
  },
  /** Its attempts stay. Refused with `in_use` while it runs. */
  'jobs.remove': { input: z.object({ id: Id }), output: None },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
