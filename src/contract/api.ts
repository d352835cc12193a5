import { z } from 'zod'
import { HeldBack } from './authorization.ts'
import { BodySlice, bodySliceInput } from './body-slice.ts'
import { ReceivedAnswer, SentRequest, Timings } from './http.ts'
import { Id } from './models.ts'

const None = z.object({})

/** A name and a value that can be switched off without being lost. */
export const ApiParameter = z.object({
  name: z.string().max(1000),
  value: z.string().max(100_000),
  on: z.boolean(),
})
export type ApiParameter = z.infer<typeof ApiParameter>

/**
 * A request of the console as the user writes it. No path is the service's: its document shows none. The marker of a secret that is held here
 * (`«token_12»`, `«refresh_token_12»`, `«access_secret_3»`) is filled in when it is sent.
 */
export const ApiRequest = z.object({
  integrationId: Id,
  /** Its bearer header is added, unless `headers` have an Authorization of their own: that wins. Null: none is added. */
  tokenId: Id.nullable(),
  method: z.string().regex(/^[A-Z]{1,20}$/, 'Use a method such as GET or POST, in capitals.'),
  /** Under the base URL, or a whole http or https address. */
  path: z.string().trim().min(1).max(8000),
  query: z.array(ApiParameter).max(200),
  headers: z.array(ApiParameter).max(200),
  /** Empty: none is sent. */
  body: z.string().max(4_000_000),
})
export type ApiRequest = z.infer<typeof ApiRequest>

/** What the service's document says of a status, and what to do (SPEC, "Errors"). */
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
  /** Section of the document: "Errors", "Authentication 5". */
  section: z.string(),
})
export type Advice = z.infer<typeof Advice>

/** One request on the way: the first, a redirect that was followed, or the one retry after a refresh. */
export const ApiHop = z.object({
  request: SentRequest,
  answer: ReceivedAnswer.nullable(),
  timings: Timings.nullable(),
  reason: z.enum(['sent', 'redirected', 'retried']),
  /** Whether the bearer header went with it; a redirect to another origin drops it. */
  withToken: z.boolean(),
})
export type ApiHop = z.infer<typeof ApiHop>

export const ApiSummary = z.object({
  id: Id,
  integrationId: Id,
  tokenId: Id.nullable(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  method: z.string(),
  /** The address asked for first, secrets as markers. */
  url: z.string(),
  /** Null: there was no response. */
  status: z.int().nullable(),
  /** Milliseconds; of all hops together. */
  took: z.number(),
  /** Bytes of body of the last answer. */
  bytes: z.int().nonnegative(),
})
export type ApiSummary = z.infer<typeof ApiSummary>

/** One request of the console with all that came of it. The body of the last answer is fetched by `api.body`. */
export const ApiExchange = ApiSummary.extend({
  request: ApiRequest,
  hops: z.array(ApiHop),
  /** Why there was no response, or not all of it, or why its redirect was not followed, as a sentence. */
  error: z.string().nullable(),
  advice: Advice.nullable(),
  heldBack: z.array(HeldBack),
  /** Of the last answer's body: bytes kept, after its secrets became markers. */
  bytesKept: z.int().nonnegative(),
  /** A sentence where the body is not kept as it came: decoded, since it held a secret under its encoding, or not at all. */
  bodyNote: z.string().optional(),
})
export type ApiExchange = z.infer<typeof ApiExchange>

export const SavedRequest = z.object({
  id: Id,
  name: z.string(),
  request: ApiRequest,
  /** Milliseconds since the epoch. */
  savedAt: z.number(),
})
export type SavedRequest = z.infer<typeof SavedRequest>

/** An answer is kept up to this many bytes. */
export const answerLimit = 25 * 1024 * 1024

export const apiCalls = {
  /**
   * Sends. A token goes to the integration's origin only: for another one it is `other_origin`, unless it is allowed for this request.
   * A 401 after the token's end refreshes it and tries once more, when the refresh is proven; nothing else is ever sent twice. No answer is
   * an exchange with `error`, not an error.
   */
  'api.send': {
    input: ApiRequest.extend({
      allowOtherOrigin: z.boolean().default(false),
      followRedirects: z.boolean().default(true),
      /** Milliseconds. */
      timeout: z.int().min(1).max(600_000).default(30_000),
      /** Chosen by the caller, to cancel it by. */
      key: z.string().max(60).optional(),
    }),
    output: ApiExchange,
  },
  'api.cancel': { input: z.object({ key: z.string().max(60) }), output: None },
  /** Newest first, those before `before`. */
  'api.history': {
    input: z.object({
      integrationId: Id.optional(),
      before: Id.optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    output: z.array(ApiSummary),
  },
  'api.exchange': { input: z.object({ id: Id }), output: ApiExchange },
  'api.body': {
    input: bodySliceInput.extend({ decoded: z.boolean().default(true) }),
    output: BodySlice,
  },
  /** Lets one held-back value out; only ever on a click of the user. */
  'api.reveal': {
    input: z.object({ id: Id, name: z.string().max(60) }),
    output: z.object({ value: z.string() }),
  },
  'api.clearHistory': { input: None, output: z.object({ deleted: z.int().nonnegative() }) },
  'api.saved': { input: None, output: z.array(SavedRequest) },
  /** With `id` it takes the place of that one. */
  'api.save': {
    input: z.object({
      id: Id.optional(),
      name: z.string().trim().min(1).max(120),
      request: ApiRequest,
    }),
    output: SavedRequest,
  },
  'api.removeSaved': { input: z.object({ id: Id }), output: None },
  /** As a command for a POSIX shell. The token stands as `$TOKEN` unless `withToken`. */
  'api.curl': {
    input: z.object({ request: ApiRequest, withToken: z.boolean().default(false) }),
    output: z.object({ command: z.string() }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>
