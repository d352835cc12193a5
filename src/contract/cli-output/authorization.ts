import { z } from 'zod'
import { RunAgent, RunFailureCode, stepKinds } from '../authorization.ts'
import { RefreshTemplate } from '../integrations.ts'
import { Id, SecretView } from '../models.ts'
import {
  Duration,
  ErrorOutput,
  FindingOutput,
  HeaderOutput,
  Time,
  TimingsOutput,
} from './common.ts'

/** A client application of the service. Of its secret only whether it is set, and its last four characters. */
export const IntegrationOutput = z.strictObject({
  event: z.literal('integration'),
  id: Id,
  name: z.string(),
  kind: z.enum(['service', 'sandbox']),
  brand: z.string(),
  /** Empty: not set. */
  baseUrl: z.string(),
  /** Empty: not set. */
  accessId: z.string(),
  accessSecret: SecretView.strict(),
  redirectUrls: z.array(z.string()),
  /** The one that an authorization uses; empty: none. */
  redirectUrl: z.string(),
  refresh: z.strictObject({
    /** As `integration set --refresh-template` reads it. */
    template: RefreshTemplate.strict(),
    /** When this template last returned a token; null: never, so tokens are not refreshed automatically. */
    provenAt: Time.nullable(),
    automatic: z.boolean(),
    /** How long before it expires a token is due. */
    dueBeforeMs: Duration,
  }),
})
export type IntegrationOutput = z.infer<typeof IntegrationOutput>

/** What was checked before an authorization. */
export const PreflightOutput = z.strictObject({
  event: z.literal('preflight'),
  integrationId: Id,
  integration: z.string(),
  /** No check has the result `error`. */
  ready: z.boolean(),
  redirectUrl: z.string(),
  /** `served`: Tabscope receives the redirect. `paste`: the address has to be pasted. */
  redirectMode: z.enum(['served', 'paste']),
  /** `{state}` stands for the value that each run has. Null: it cannot be built yet. */
  authorizeUrl: z.string().nullable(),
  tokenUrl: z.string().nullable(),
  checks: z.array(
    z.strictObject({
      code: z.string(),
      result: z.enum(['ok', 'warning', 'error']),
      field: z.enum(['baseUrl', 'accessId', 'accessSecret', 'redirectUrl']),
      redirectUrl: z.string().nullable(),
      message: z.string(),
      suggestion: z.string().nullable(),
    }),
  ),
})
export type PreflightOutput = z.infer<typeof PreflightOutput>

/** The address to open, and where the browser is redirected to afterwards. */
export const AuthorizeUrlOutput = z.strictObject({
  event: z.literal('authorize_url'),
  url: z.string().nullable(),
  redirectUrl: z.string(),
  runId: Id,
})

/** A pasted address that is not the redirect URL of this run, which still waits. */
export const RefusedOutput = z.strictObject({
  event: z.literal('refused'),
  code: z.string(),
  message: z.string(),
})

/** A token; never its value, unless `token show --reveal` asks for it. */
export const TokenOutput = z.strictObject({
  event: z.literal('token'),
  id: Id,
  integrationId: Id,
  label: z.string(),
  state: z.enum([
    'active',
    'due',
    'expired',
    'suspect',
    'revoked',
    'invalid',
    'forgotten',
    'unavailable',
  ]),
  /** The last four characters of the value. */
  ending: z.string().nullable(),
  hasRefreshToken: z.boolean(),
  /** As the service sent them, in seconds since the epoch; the same as times are `initiatedAt` and `expiresAt`. */
  initiated: z.int().nullable(),
  expires: z.int().nullable(),
  /** Seconds, as the service sent it. */
  expiresIn: z.int().nullable(),
  initiatedAt: Time.nullable(),
  expiresAt: Time.nullable(),
  obtainedAt: Time,
  version: z.int().positive(),
  refreshing: z.boolean(),
  /** Deviations of the token response from the API documentation. */
  findings: z.array(FindingOutput),
  /** Oldest first. */
  timeline: z.array(
    z.strictObject({
      kind: z.string(),
      at: Time,
      detail: z.string().nullable(),
      runId: Id.nullable(),
    }),
  ),
  /** Only with `--reveal`. */
  accessToken: z.string().optional(),
  /** Only with `--reveal`; null: there is none. */
  refreshToken: z.string().nullable().optional(),
})
export type TokenOutput = z.infer<typeof TokenOutput>

/** A request as it was sent; secrets are masked. */
export const SentRequestOutput = z.strictObject({
  method: z.string(),
  url: z.string(),
  headers: z.array(HeaderOutput),
  /** Null: none was sent. */
  body: z.string().nullable(),
})
export type SentRequestOutput = z.infer<typeof SentRequestOutput>

/** Its response; secrets are masked. */
export const ReceivedResponseOutput = z.strictObject({
  status: z.int(),
  statusText: z.string(),
  httpVersion: z.string(),
  headers: z.array(HeaderOutput),
  /** At most 64 KiB; null: it is not text, or is stored elsewhere. */
  body: z.string().nullable(),
  bytes: z.int().nonnegative(),
  /** More bytes were received than are stored. */
  truncated: z.boolean(),
})
export type ReceivedResponseOutput = z.infer<typeof ReceivedResponseOutput>

/** An authorization or a refresh, in a list. */
export const RunOutput = z.strictObject({
  event: z.literal('run'),
  id: Id,
  integrationId: Id,
  kind: z.enum(['authorize', 'refresh']),
  agent: RunAgent.nullable(),
  state: z.enum(['running', 'waiting', 'succeeded', 'failed']),
  startedAt: Time,
  endedAt: Time.nullable(),
  redirectUrl: z.string(),
  tokenId: Id.nullable(),
  error: ErrorOutput.extend({ code: RunFailureCode }).nullable(),
  /** What the error most likely means, and what to do. */
  meaning: z.string().nullable(),
  remedy: z.string().nullable(),
})
export type RunOutput = z.infer<typeof RunOutput>

/** The same with each step. Secrets are masked. */
export const FullRunOutput = RunOutput.extend({
  /** Null: a refresh. */
  authorizeUrl: z.string().nullable(),
  /** It waits, and takes a pasted address. */
  acceptsPaste: z.boolean(),
  /** When it stops waiting. */
  timeoutAt: Time.nullable(),
  steps: z.array(
    z.strictObject({
      kind: z.enum(stepKinds).exclude(['answer']).or(z.literal('response')),
      at: Time,
      durationMs: Duration.nullable(),
      result: z.enum(['ok', 'failed', 'waiting', 'note']),
      title: z.string(),
      detail: z.string().nullable(),
      facts: z.array(z.strictObject({ name: z.string(), value: z.string() })),
      request: SentRequestOutput.nullable(),
      response: ReceivedResponseOutput.nullable(),
      timings: TimingsOutput.nullable(),
    }),
  ),
  findings: z.array(FindingOutput),
  maskedValues: z.array(
    z.strictObject({ name: z.string(), label: z.string(), ending: z.string().nullable() }),
  ),
  /** The refused response held a token, which can be kept in the interface. */
  hasRefusedToken: z.boolean(),
})
export type FullRunOutput = z.infer<typeof FullRunOutput>

/** The response to `call`. */
export const ResponseOutput = z.strictObject({
  event: z.literal('response'),
  /** Of the request in the history of the console. */
  id: Id,
  integrationId: Id,
  /** Null: sent without a token. */
  tokenId: Id.nullable(),
  method: z.string(),
  url: z.string(),
  /** Null: no response. */
  status: z.int().nullable(),
  headers: z.array(HeaderOutput),
  /** Null: no response, or it is not text and in `bodyBase64`. */
  body: z.string().nullable(),
  bodyBase64: z.string().optional(),
  /** Why the body is not exactly as received. */
  bodyNote: z.string().nullable(),
  /** Of all requests together. */
  durationMs: Duration,
  /** Of the last request. */
  timings: TimingsOutput.nullable(),
  /** What the API documentation says of the status. */
  advice: z.strictObject({ code: z.string(), message: z.string(), section: z.string() }).nullable(),
  /** Each request that was sent: redirects that were followed, and the retry with a refreshed token. */
  hops: z.array(
    z.strictObject({
      reason: z.enum(['sent', 'redirected', 'retried']),
      withToken: z.boolean(),
      request: SentRequestOutput,
      response: ReceivedResponseOutput.nullable(),
      timings: TimingsOutput.nullable(),
    }),
  ),
  error: z
    .strictObject({
      code: z.enum(['cancelled', 'no_response', 'incomplete_response', 'redirect_not_followed']),
      message: z.string(),
    })
    .nullable(),
})
export type ResponseOutput = z.infer<typeof ResponseOutput>

/** A webhook URL. Of its secrets only whether they are set, and their last four characters. */
export const EndpointOutput = z.strictObject({
  event: z.literal('endpoint'),
  id: Id,
  integrationId: Id,
  integration: z.string(),
  name: z.string(),
  slug: z.string(),
  /** Null: the listener does not run. */
  url: z.string().nullable(),
  secret: SecretView.strict(),
  previousSecret: SecretView.strict(),
  /** Empty: any. */
  applicationId: z.string(),
  customHeaders: z.array(HeaderOutput),
  /** Only of `endpoint set-secret --generate --reveal`. */
  newSecret: z.string().optional(),
})
export type EndpointOutput = z.infer<typeof EndpointOutput>

/** A setting of Tabscope. */
export const SettingOutput = z.strictObject({
  event: z.literal('setting'),
  name: z.string(),
  /** Sizes in bytes. */
  value: z.union([z.string(), z.int(), z.boolean()]),
  default: z.union([z.string(), z.int(), z.boolean()]),
})
export type SettingOutput = z.infer<typeof SettingOutput>

export const authorizationOutputs = [
  IntegrationOutput,
  PreflightOutput,
  AuthorizeUrlOutput,
  RefusedOutput,
  TokenOutput,
  RunOutput,
  FullRunOutput,
  ResponseOutput,
  EndpointOutput,
  SettingOutput,
] as const
