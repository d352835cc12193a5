import { hasCredentials } from '#shared/text/address.ts'
import * as z from 'zod'
import { MaskedValue } from './authorization.ts'
import { credentialsInUrl, BodySlice, bodySliceInput, Id, None } from './models.ts'
import { ReceivedResponse, SentRequest, Timings } from './http.ts'

export const ApiParameter = z.object({
  name: z.string().max(1000),
  value: z.string().max(100_000),
  on: z.boolean(),
})
export type ApiParameter = z.infer<typeof ApiParameter>

/** Markers of stored secrets (`«token_12»`, `«refresh_token_12»`, `«access_secret_3»`) are replaced when the request is sent. */
export const ApiRequest = z.object({
  integrationId: Id,
  /** An `Authorization` header in `headers` takes precedence. Null: no bearer header. */
  tokenId: Id.nullable(),
  method: z.string().regex(/^[A-Z]{1,20}$/, 'Use a method such as GET or POST, in capitals.'),
  /** Relative to the base URL, or a complete http or https URL. */
  path: z
    .string()
    .trim()
    .min(1)
    .max(8000)
    .refine((path) => !/^https?:/i.test(path) || !hasCredentials(path), credentialsInUrl),
  query: z.array(ApiParameter).max(200),
  headers: z.array(ApiParameter).max(200),
  /** Empty: no body is sent. */
  body: z.string().max(4_000_000),
})
export type ApiRequest = z.infer<typeof ApiRequest>

/** What a status means and what to do, from "Errors" in the API documentation. */
export const Advice = z.object({
  code: z.enum([
    'expired',
    'expired_refreshed',
    'expired_refresh_failed',
    'revoked',
    'invalid',
    'unauthorized_without_token',
  ]),
  message: z.string(),
  /** In the API documentation: "Errors", "Authentication 5". */
  section: z.string(),
})
export type Advice = z.infer<typeof Advice>

/** The request, or its retry after a token refresh. */
export const ApiHop = z.object({
  request: SentRequest,
  response: ReceivedResponse.nullable(),
  timings: Timings.nullable(),
  /** `host:port` of the proxy that the request went through; absent: none, or there is no response. */
  proxy: z.string().optional(),
  reason: z.enum(['sent', 'retried']),
  withToken: z.boolean(),
})
export type ApiHop = z.infer<typeof ApiHop>

export const ApiSummary = z.object({
  id: Id,
  integrationId: Id,
  tokenId: Id.nullable(),
  sentAt: z.number(),
  method: z.string(),
  /** Of the first request, with secrets as markers. */
  url: z.string(),
  status: z.int().nullable(),
  durationMs: z.number(),
  /** Of the last response body. */
  bytes: z.int().nonnegative(),
})
export type ApiSummary = z.infer<typeof ApiSummary>

/** `api.body` returns the body of the last response, decoded. */
export const ApiExchange = ApiSummary.extend({
  request: ApiRequest,
  hops: z.array(ApiHop),
  /** Why there was no response, or an incomplete one. */
  error: z.string().nullable(),
  advice: Advice.nullable(),
  maskedValues: z.array(MaskedValue),
  /** Of the last response body, after secrets were replaced by markers. */
  storedBytes: z.int().nonnegative(),
  /** Why the body is not stored, or not decoded. */
  bodyNote: z.string().optional(),
})
export type ApiExchange = z.infer<typeof ApiExchange>

export const SavedRequest = z.object({
  id: Id,
  name: z.string(),
  request: ApiRequest,
  savedAt: z.number(),
})
export type SavedRequest = z.infer<typeof SavedRequest>

/** Of a stored response body, in bytes. */
export const responseLimit = 25 * 1024 * 1024

export const apiCalls = {
  /**
   * Another origin than the integration's throws `other_origin`, unless it is allowed for this request. A 401 for an expired token refreshes the token
   * and retries once, if the refresh rule is verified. No redirect is followed. A missing response is an exchange with `error`, not an exception.
   */
  'api.send': {
    input: ApiRequest.extend({
      allowOtherOrigin: z.boolean().default(false),
      /** Milliseconds. */
      timeout: z.int().min(1).max(600_000).default(30_000),
      key: z.string().max(60).optional(),
    }),
    output: ApiExchange,
  },
  'api.cancel': { input: z.object({ key: z.string().max(60) }), output: None },
  /** Before `before`, newest first. */
  'api.history': {
    input: z.object({
      integrationId: Id.optional(),
      before: Id.optional(),
      limit: z.int().min(1).max(500).default(50),
    }),
    output: z.array(ApiSummary),
  },
  'api.exchange': { input: z.object({ id: Id }), output: ApiExchange },
  'api.body': { input: bodySliceInput, output: BodySlice },
  /** Called only when the user asks for the value. */
  'api.reveal': {
    input: z.object({ id: Id, name: z.string().max(60) }),
    output: z.object({ value: z.string() }),
  },
  'api.clearHistory': { input: None, output: z.object({ deleted: z.int().nonnegative() }) },
  'api.saved': { input: None, output: z.array(SavedRequest) },
  /** With `id`, replaces that saved request. */
  'api.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(120),
      request: ApiRequest,
    }),
    output: SavedRequest,
  },
  'api.removeSaved': { input: z.object({ id: Id }), output: None },
  /** For a POSIX shell. The token is `$TOKEN` unless `withToken`. */
  'api.curl': {
    input: z.object({ request: ApiRequest, withToken: z.boolean().default(false) }),
    output: z.object({ command: z.string() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
