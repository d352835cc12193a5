import * as z from 'zod'
import { oauthTimes } from './constants.ts'
import { Bytes, Header, Id, LogId, None, UrlSetting } from './models.ts'

/** `MUST`: the API documentation or an RFC requires it. `SHOULD`: sound practice. `INFO`: recorded, never judged. */
export const RehearsalLevel = z.enum(['MUST', 'SHOULD', 'INFO'])
export type RehearsalLevel = z.infer<typeof RehearsalLevel>

export const rehearsalResults = ['pass', 'fail', 'warn', 'review', 'skipped', 'flaky'] as const
export const RehearsalResult = z.enum(rehearsalResults)
export type RehearsalResult = z.infer<typeof RehearsalResult>

export const RehearsalGrade = z.enum(['A', 'B', 'C', 'D', 'E', 'F'])
export type RehearsalGrade = z.infer<typeof RehearsalGrade>

/** Where effects are counted, before and after. The command runs where the rehearsal was started (`rehearsals.observe`). */
export const Observer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('command'), command: z.string().min(1).max(4000) }),
])
export type Observer = z.infer<typeof Observer>

const Cases = z.array(z.string().min(1).max(20)).max(200).default([])
const Url = z.string().min(1).max(2000)

/** An authorization server for a client, and how its flows begin. */
export const OAuthOptions = z.object({
  /** Begins a flow of the client; null: the user begins each flow in a browser. */
  startUrl: Url.nullable().default(null),
  /** Makes the client call the API; null: it does so at the end of a flow, or the user causes it. */
  callUrl: Url.nullable().default(null),
  /** As configured for the client; null: unknown, so that the one of the first flow counts. */
  redirectUrl: Url.nullable().default(null),
  /** On 127.0.0.1; 0: a free port. */
  port: z.int().min(0).max(65_535).default(0),
  /** Empty: made up. */
  accessId: z.string().max(200).default(''),
  /** Milliseconds until a flow must have begun. Its case is skipped otherwise. */
  flowTimeout: z.int().min(50).max(3_600_000).default(oauthTimes.flow),
  /** Milliseconds after each step in which the client must not do what it must not do. */
  watchTime: z.int().min(50).max(60_000).default(oauthTimes.watch),
})
export type OAuthOptions = z.infer<typeof OAuthOptions>

export const RehearsalOptions = z.object({
  /** Of the handler. For an OAuth client: where its flows begin, or the base URL of the authorization server. */
  url: Url,
  /** Present: the run tests an OAuth client, not a webhook handler. */
  oauth: OAuthOptions.optional(),
  /** Its secret, brand and custom headers are used; null: none. */
  endpointId: Id.nullable().default(null),
  /** IDs or prefixes of cases (`S4`, `B*`); empty: all. */
  only: Cases,
  skip: Cases,
  seed: z.int().nonnegative(),
  /** Accepted statuses; empty: any 2xx. */
  accept: z.array(z.int().min(100).max(599)).max(50).default([]),
  /** Responses to hostile requests prove nothing if the handler responds before it verifies. */
  acknowledgesFirst: z.boolean().default(false),
  observer: Observer.default({ kind: 'none' }),
  load: z.boolean().default(false),
  /** Allows a target outside this machine and its network. */
  allowTarget: z.boolean().optional(),
  /** Milliseconds for one request. A response that takes longer fails. */
  requestTimeout: z.int().min(100).max(120_000).default(15_000),
  /** Milliseconds. */
  runTimeout: z.int().min(1000).max(3_600_000).default(600_000),
  /** `--secret-env NAME` or `--endpoint SLUG`, and `--previous-secret-env NAME`; `--access-secret-env NAME`; or nothing. */
  secretOption: z.string().max(300).default(''),
})
export type RehearsalOptions = z.infer<typeof RehearsalOptions>

export const VariantResult = z.object({
  name: z.string(),
  result: RehearsalResult,
  received: z.string(),
  reason: z.string().nullable(),
})
export type VariantResult = z.infer<typeof VariantResult>

export const CaseResult = z.object({
  id: z.string(),
  level: RehearsalLevel,
  result: RehearsalResult,
  sent: z.string(),
  expected: z.string(),
  received: z.string(),
  reason: z.string().nullable(),
  repeat: z.string(),
  variants: z.array(VariantResult),
  durationMs: z.number().nonnegative(),
})
export type CaseResult = z.infer<typeof CaseResult>

const Count = z.int().nonnegative()

export const OAuthProgress = z.object({
  /** Null: the first flow, which shows that the app can be judged. */
  caseId: z.string().nullable(),
  /** Such as "a wrong state". */
  variant: z.string(),
  /** `act`: the user has to do something. `watch`: requests that must not happen are awaited. `work`: neither. */
  phase: z.enum(['act', 'watch', 'work']),
  action: z.string().nullable(),
  /** The latest end of the phase; null: unknown. */
  until: z.number().nullable(),
  /** Requests since the variant began. Not updated after 50. */
  received: z.object({ authorize: Count, token: Count, api: Count, other: Count }),
})
export type OAuthProgress = z.infer<typeof OAuthProgress>

export const RehearsalProblem = z.object({
  message: z.string(),
  causes: z.array(z.string()),
})
export type RehearsalProblem = z.infer<typeof RehearsalProblem>

export const Rehearsal = z.object({
  id: Id,
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** `interrupted`: Tabscope ended during the run. `failed`: the run could not judge the handler. */
  state: z.enum(['running', 'interrupted', 'done', 'cancelled', 'failed']),
  options: RehearsalOptions,
  hasSecret: z.boolean(),
  total: z.int().nonnegative(),
  counts: z.record(RehearsalResult, z.int().nonnegative()),
  grade: RehearsalGrade.nullable(),
  cappedBy: z.string().nullable(),
  problem: RehearsalProblem.nullable(),
  /** For the user, in a run for an OAuth client. */
  step: z.string().nullable().optional(),
  /** Of a run for an OAuth client; null: it is not running. */
  progress: OAuthProgress.nullable().optional(),
})
export type Rehearsal = z.infer<typeof Rehearsal>

export const OAuthClientConfig = z.object({
  baseUrl: z.string(),
  accessId: z.string(),
  /** Null: the one that was given. */
  accessSecret: z.string().nullable(),
})
export type OAuthClientConfig = z.infer<typeof OAuthClientConfig>

/** For an OAuth client: a request that the client sent, or that its callback got. */
export const RehearsalRequest = z.object({
  caseId: z.string(),
  variant: z.string(),
  /** 0: the first time. A failed variant is repeated. */
  repetition: z.int().nonnegative(),
  method: z.string(),
  url: z.string(),
  headers: z.array(Header),
  /** A valid delivery has these. */
  missingHeaders: z.array(Header),
  /** Indexes of headers that a valid delivery does not have. */
  changedHeaders: z.array(z.int().nonnegative()),
  /** At most 64 KiB. */
  body: Bytes,
  bodyBytes: z.int().nonnegative(),
  /** From and to, in bytes: what differs from a valid delivery. */
  bodyChange: z.tuple([z.int().nonnegative(), z.int().nonnegative()]).nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  responseHeaders: z.array(Header),
  /** At most 64 KiB. */
  responseBody: Bytes,
  durationMs: z.number().nonnegative(),
  /** In an event log. Absent: both bodies are included. */
  omitted: z.string().optional(),
})
export type RehearsalRequest = z.infer<typeof RehearsalRequest>

export const rehearsalCalls = {
  /** Resolves when the run has started. Throws `bad_target`, `target_unconfirmed`, `bad_input` for no cases. */
  'rehearsals.start': {
    input: RehearsalOptions.omit({ oauth: true }).extend({
      /** Signs instead of the endpoint's secret. Never stored. */
      secret: z.string().min(1).max(1000).optional(),
      previousSecret: z.string().min(1).max(1000).optional(),
    }),
    output: Rehearsal,
  },
  /** Resolves when the authorization server listens. Throws `port_in_use`, `bad_target`, `target_unconfirmed`, `bad_input` for no cases. */
  'rehearsals.startOauth': {
    input: OAuthOptions.extend({
      redirectUrl: UrlSetting.min(1).max(2000).nullable().default(null),
      only: Cases,
      skip: Cases,
      /** Absent: made up. Never stored. */
      accessSecret: z.string().min(8).max(1000).optional(),
      secretOption: z.string().max(300).default(''),
      /** Milliseconds. */
      requestTimeout: z.int().min(100).max(120_000).default(15_000),
      runTimeout: z.int().min(1000).max(3_600_000).default(3_600_000),
      /** Outside this machine and its network. */
      allowTarget: z.boolean().default(false),
    }),
    output: z.object({ rehearsal: Rehearsal, client: OAuthClientConfig }),
  },
  /** Of the live store, or of an event log, which are read-only. */
  'rehearsals.list': { input: z.object({ log: LogId }), output: z.array(Rehearsal) },
  'rehearsals.get': {
    input: z.object({ id: Id, log: LogId }),
    output: z.object({
      rehearsal: Rehearsal,
      results: z.array(CaseResult),
      client: OAuthClientConfig.nullable(),
    }),
  },
  'rehearsals.requests': {
    input: z.object({ id: Id, caseId: z.string().max(20), log: LogId }),
    output: z.array(RehearsalRequest),
  },
  'rehearsals.cancel': { input: z.object({ id: Id }), output: Rehearsal },
  'rehearsals.remove': { input: z.object({ id: Id }), output: None },
  /** The reply to the push `rehearsals.observe`. */
  'rehearsals.observed': {
    input: z.object({
      id: Id,
      key: z.int().nonnegative(),
      /** Null: it could not be read, because of `error`. */
      value: z.number().nullable(),
      error: z.string().max(1000).nullable(),
    }),
    output: None,
  },
} as const

export const rehearsalPushes = {
  /** A run started or ended, or a case of it ended. `removed`: it was deleted. */
  'rehearsals.changed': z.object({ rehearsal: Rehearsal, removed: z.boolean() }),
  'rehearsals.result': z.object({ id: Id, result: CaseResult }),
  /** Asks the client that started the run to run its command. */
  'rehearsals.observe': z.object({ id: Id, key: z.int().nonnegative() }),
} as const
