import * as z from 'zod'
import { ReceivedResponse, SentRequest, Timings } from './http.ts'
import { Finding, Id, None, UrlSetting } from './models.ts'

/** A window of Tabscope, the system's browser, or none: the user opens the page. */
export const RunAgent = z.enum(['window', 'browser', 'none'])
export type RunAgent = z.infer<typeof RunAgent>

/** Stable, because scripts depend on the codes. */
export const runFailures = [
  // Before the authorization page is opened.
  'not_ready',
  'secret_unavailable',
  'sandbox_failed',
  'redirect_port_in_use',
  'redirect_port_forbidden',
  // Ended without a redirect.
  'cancelled',
  'window_closed',
  'timed_out',
  'superseded',
  'page_failed',
  'closed',
  // The redirect does not match the redirect URL.
  'redirect_path',
  'redirect_query',
  'redirect_origin',
  'redirect_post',
  // The redirect matches, but its parameters are invalid.
  'state_missing',
  'state_mismatch',
  'access_denied',
  'authorization_error',
  'code_missing',
  'code_used',
  // Token exchange.
  'token_unreachable',
  'token_tls',
  'token_timeout',
  'token_redirected',
  'token_refused',
  'token_rate_limited',
  'token_server_error',
  'token_encoding',
  'token_not_json',
  'token_html',
  'token_truncated',
  'token_snake_case',
  'token_missing',
  'token_not_bearer',
  'token_expired',
  'token_milliseconds',
  // Refresh only.
  'refresh_template',
  'refresh_no_token',
  'internal',
] as const
export const RunFailureCode = z.enum(runFailures)
export type RunFailureCode = z.infer<typeof RunFailureCode>

export const RunFailure = z.object({
  code: RunFailureCode,
  message: z.string(),
  meaning: z.string(),
  remedy: z.string(),
})
export type RunFailure = z.infer<typeof RunFailure>

export const stepKinds = [
  'preflight',
  'opened',
  /** The service does not answer. */
  'probe',
  'hop',
  'returned',
  'state',
  'code',
  'exchange',
  'response',
  'token',
] as const

/** In order. All texts have markers (`masks.ts`) instead of secrets. */
export const RunStep = z.object({
  kind: z.enum(stepKinds),
  at: z.number(),
  /** Null while in progress, or if a duration is not meaningful. */
  durationMs: z.number().nullable(),
  outcome: z.enum(['ok', 'failed', 'waiting', 'note']),
  title: z.string(),
  detail: z.string().nullable(),
  /** The sent query, the returned parameters, the compared states ... */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  request: SentRequest.nullable(),
  response: ReceivedResponse.nullable(),
  timings: Timings.nullable(),
})
export type RunStep = z.infer<typeof RunStep>

export const MaskedValue = z.object({
  name: z.string(),
  label: z.string(),
  /** The last four characters, if there are at least twelve. */
  ending: z.string().nullable(),
})
export type MaskedValue = z.infer<typeof MaskedValue>

export const RunSummary = z.object({
  id: Id,
  integrationId: Id,
  kind: z.enum(['authorize', 'refresh']),
  agent: RunAgent.nullable(),
  state: z.enum(['running', 'waiting', 'succeeded', 'failed']),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  redirectUrl: z.string(),
  failure: RunFailure.nullable(),
  tokenId: Id.nullable(),
})
export type RunSummary = z.infer<typeof RunSummary>

export const Run = RunSummary.extend({
  /** Null for a refresh. It contains the state, which is not secret after it was compared. */
  authorizeUrl: z.string().nullable(),
  /** While `waiting`: whether a redirect URL can be pasted, and when the run times out. */
  acceptsPaste: z.boolean(),
  timeoutAt: z.number().nullable(),
  steps: z.array(RunStep),
  findings: z.array(Finding),
  maskedValues: z.array(MaskedValue),
})
export type Run = z.infer<typeof Run>

export const authorizationCalls = {
  /** Returns immediately; errors at the start are a failed run, not an exception. A waiting run of the same integration ends as `superseded`. */
  'authorization.start': {
    input: z.object({
      integrationId: Id,
      agent: RunAgent,
      /** Default: the selected one of the integration. */
      redirectUrl: UrlSetting.max(2000).optional(),
      state: z.string().min(1).max(2000).optional(),
      label: z.string().trim().max(80).optional(),
      replaces: Id.optional(),
      /** Without a redirect within this time, the run ends. */
      timeoutSeconds: z.int().min(1).max(3600).default(300),
    }),
    output: Run,
  },
  /**
   * Throws `bad_input` for an invalid URL and `not_ours` for one that is not the redirect URL; the run then continues. Throws `run_over` when the run is
   * not waiting. A redirect of this run to a different URL ends it, as with any other way of receiving it (`redirect_path` and similar).
   */
  'authorization.paste': {
    input: z.object({ runId: Id, address: z.string().max(20_000) }),
    output: Run,
  },
  'authorization.cancel': { input: z.object({ runId: Id }), output: Run },
  /** Newest first. */
  'authorization.runs': {
    input: z.object({
      integrationId: Id.optional(),
      kind: z.enum(['authorize', 'refresh']).optional(),
      limit: z.int().min(1).max(500).default(100),
    }),
    output: z.array(RunSummary),
  },
  'authorization.run': { input: z.object({ id: Id }), output: Run },
  /** Called only when the user asks for the value. */
  'authorization.reveal': {
    input: z.object({ runId: Id, name: z.string().max(60) }),
    output: z.object({ value: z.string() }),
  },
  /** Only of finished runs. Tokens are kept. */
  'authorization.clearRuns': {
    input: z.object({ integrationId: Id }),
    output: None,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
