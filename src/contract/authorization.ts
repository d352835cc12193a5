import { z } from 'zod'
import { ReceivedAnswer, SentRequest, Timings } from './http.ts'
import { Finding, Id } from './models.ts'

const None = z.object({})

/** How the authorization page is shown: in a window of ours, in the system's browser, or not by us: the user opens the address. */
export const RunAgent = z.enum(['window', 'browser', 'none'])
export type RunAgent = z.infer<typeof RunAgent>

/** Why a run failed. Stable: scripts branch on it. */
export const runFailures = [
  // Before anything is opened.
  'not_ready',
  'secret_unavailable',
  'sandbox_failed',
  'redirect_port_in_use',
  'redirect_port_forbidden',
  // How it can end without coming back.
  'cancelled',
  'window_closed',
  'timed_out',
  'superseded',
  'page_failed',
  'closed',
  // The way back was not ours.
  'redirect_path',
  'redirect_query',
  'redirect_origin',
  // The way back was ours, its parameters were not.
  'state_missing',
  'state_mismatch',
  'state_repeated',
  'access_denied',
  'authorization_error',
  'code_missing',
  'code_empty',
  'code_repeated',
  'code_used',
  // The exchange.
  'token_unreachable',
  'token_tls',
  'token_timeout',
  'token_redirected',
  'token_refused',
  'token_server_error',
  'token_status',
  'token_too_large',
  'token_not_json',
  'token_html',
  'token_truncated',
  'token_snake_case',
  'token_missing',
  'token_not_bearer',
  'token_expired',
  'token_milliseconds',
  // Refresh alone.
  'refresh_template',
  'refresh_no_token',
  'internal',
] as const
export const RunFailureCode = z.enum(runFailures)
export type RunFailureCode = z.infer<typeof RunFailureCode>

export const RunFailure = z.object({
  code: RunFailureCode,
  /** What happened, as a sentence. */
  message: z.string(),
  /** What it most likely means. */
  meaning: z.string(),
  /** What to do. */
  remedy: z.string(),
})
export type RunFailure = z.infer<typeof RunFailure>

export const stepKinds = [
  'preflight',
  'opened',
  'hop',
  'returned',
  'state',
  'code',
  'exchange',
  'answer',
  'token',
] as const

/** One step of a run, in the order in which it was taken. Secrets stand as markers (`masks.ts`) in every text. */
export const RunStep = z.object({
  kind: z.enum(stepKinds),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Milliseconds; null while it goes on, or where a duration means nothing. */
  took: z.number().nullable(),
  outcome: z.enum(['ok', 'failed', 'waiting', 'note']),
  title: z.string(),
  /** A sentence with more. */
  detail: z.string().nullable(),
  /** Names and values: the query sent, the parameters returned, the two states compared ... */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  request: SentRequest.nullable(),
  answer: ReceivedAnswer.nullable(),
  timings: Timings.nullable(),
})
export type RunStep = z.infer<typeof RunStep>

/** A value that a record holds back, by the name in its marker. */
export const HeldBack = z.object({
  name: z.string(),
  /** "Authorization code", "Access token" ... */
  label: z.string(),
  /** The last four characters, only when there are at least twelve. */
  ending: z.string().nullable(),
})
export type HeldBack = z.infer<typeof HeldBack>

/** What a list of runs shows. */
export const RunSummary = z.object({
  id: Id,
  integrationId: Id,
  kind: z.enum(['authorize', 'refresh']),
  agent: RunAgent.nullable(),
  state: z.enum(['running', 'waiting', 'succeeded', 'failed']),
  /** Milliseconds since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  redirectUrl: z.string(),
  failure: RunFailure.nullable(),
  /** The token that came of it, or that was refreshed. */
  tokenId: Id.nullable(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** The whole record of one run of the flow, or of one refresh. */
export const Run = RunSummary.extend({
  /** The address that was or is to be opened; null for a refresh. It carries the state, which is no secret once it was compared. */
  authorizeUrl: z.string().nullable(),
  /** While `waiting`: whether an address may be pasted, and until when it waits, in milliseconds since the epoch. */
  takesPaste: z.boolean(),
  waitsUntil: z.number().nullable(),
  steps: z.array(RunStep),
  findings: z.array(Finding),
  heldBack: z.array(HeldBack),
  /** True when a refused answer held a token that may be kept all the same (`authorization.keepToken`). */
  hasRefusedToken: z.boolean(),
})
export type Run = z.infer<typeof Run>

export const authorizationCalls = {
  /**
   * Begins a run; a run of the same integration that still waits ends as `superseded`. Returns at once; `authorization.changed` tells the
   * rest. What keeps it from beginning is a failed run, not an error.
   */
  'authorization.start': {
    input: z.object({
      integrationId: Id,
      agent: RunAgent,
      /** Another of the integration's redirect URLs for this run. */
      redirectUrl: z.string().max(2000).optional(),
      /** To test with; without it 256 random bits. */
      state: z.string().min(1).max(2000).optional(),
      /** Label of the token that comes of it. */
      label: z.string().trim().max(80).optional(),
      /** The token that the new one takes the place of. */
      replaces: Id.optional(),
      /** Seconds of silence after which it ends; five minutes unless given. */
      patience: z.int().min(1).max(3600).default(300),
    }),
    output: Run,
  },
  /**
   * Takes the address that the user landed on. Throws `bad_input` for what is no address, `not_ours` for one that is not the redirect
   * URL, `run_over` when nothing waits: the run goes on in the first two. An answer of this very run at another place ends it, as it does
   * however it comes back (`redirect_path` and its like).
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
  /** Lets one held-back value out; only ever on a click of the user. */
  'authorization.reveal': {
    input: z.object({ runId: Id, name: z.string().max(60) }),
    output: z.object({ value: z.string() }),
  },
  /** Keeps the token of a refused answer, by the user's decision. Returns the token's id. */
  'authorization.keepToken': {
    input: z.object({ runId: Id, label: z.string().trim().max(80).optional() }),
    output: z.object({ tokenId: Id }),
  },
  /** Forgets the records of runs that are over; tokens stay. */
  'authorization.clearRuns': {
    input: z.object({ integrationId: Id }),
    output: None,
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
