import type { Header } from '#contract/models.ts'
import type { RehearsalLevel } from '#contract/rehearsal.ts'
import type { SampleSource } from '../define.ts'
import type { Payload } from '../payload.ts'

/** How the bytes of a request are written to the connection. */
export interface Transmission {
  /** Bytes of head and body for each write. */
  readonly pieceBytes?: number
  /** Milliseconds between the writes. */
  readonly pauseMs?: number
  /** Closes the connection after this many bytes of the body, without waiting for a response. */
  readonly stopAfter?: number
}

/** A request of a case, before it gets the address of the target. */
export interface DesignedRequest {
  /** Default: POST. */
  readonly method?: string
  /** Appended to the query of the target. */
  readonly query?: string
  /** All headers, in order, without `Host`. Values are Latin-1 text. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly transmission?: Transmission
  /** True: a connection that an earlier request of the variant opened is used again. Default: a new connection. */
  readonly keepAlive?: boolean
  /** The valid delivery that the request was made from. */
  readonly valid: { readonly headers: readonly Header[]; readonly body: Uint8Array }
}

export interface DeliverOptions {
  /** Value of the signature header. Null: no header. Default: the signature of the body, if there is a secret. */
  readonly signature?: string | null
  /** Replaces the body. The signature still covers the valid body, unless `signed` is set. */
  readonly body?: Uint8Array | string
  /** True: the signature covers `body`. */
  readonly signed?: boolean
  readonly contentType?: string
  /** Value of the event type header. Default: the type of the payload. */
  readonly eventType?: string
  /** Removes `Content-Length`, and sends the body as one chunk (RFC 9112, 7.1). */
  readonly chunked?: boolean
  /** Changes the complete list of headers. */
  readonly headers?: (headers: readonly Header[]) => readonly Header[]
  readonly method?: string
  readonly query?: string
  readonly transmission?: Transmission
  readonly keepAlive?: boolean
}

export interface SignOptions {
  /** Text of the key. Default: the secret. */
  readonly key?: string
  readonly algorithm?: 'hmac-sha256' | 'hmac-sha1' | 'sha256'
  readonly encoding?: 'hex' | 'base64'
}

/** What a case makes its requests with. The same seed gives the same identifiers; only `createdAt` is the current time. */
export interface RequestBuilder {
  readonly brand: string
  /** False: no secret is configured, so that no request has a signature. */
  readonly hasSecret: boolean
  /** The previous secret of the endpoint; null: none. */
  readonly previousSecret: string | null
  /** The access secret of the integration; null: unknown. */
  readonly accessSecret: string | null
  readonly sample: SampleSource
  /** A new event with made-up identifiers. `changes` replaces common properties; undefined removes one. */
  event(type?: string, changes?: Payload): Payload
  /** The delivery of a payload or of the exact text of a body. */
  deliver(payload: Payload | string, options?: DeliverOptions): DesignedRequest
  /** A signature of the body. Empty without a secret. */
  sign(body: Uint8Array | string, options?: SignOptions): string
  /** Digits and letters, for a wrong key or signature. */
  randomHex(length: number): string
  /** The body, compressed (RFC 1952). */
  gzip(body: string): Uint8Array
}

/**
 * What a response must be. `accept`: an accepted status. `reject`: 4xx. `reject-or-acknowledge`: also accepted, if the handler acknowledges first. `refuse`: 4xx or a closed connection, before the complete body was read.
 * `no-server-error`: a response below 500. `accept-or-too-large`: accepted or 413. `not-allowed`: 404 or 405. `none`: everything is correct, even no
 * response.
 */
export type StatusExpectation =
  | 'accept'
  | 'reject'
  | 'reject-or-acknowledge'
  | 'refuse'
  | 'no-server-error'
  | 'accept-or-too-large'
  | 'not-allowed'
  | 'none'

export interface Variant {
  /** "one byte flipped" */
  readonly name: string
  /** Requests in order; those of a list are sent at the same time. */
  readonly steps: readonly (DesignedRequest | readonly DesignedRequest[])[]
  /** For every response, or one for each step. */
  readonly expect: StatusExpectation | readonly StatusExpectation[]
  /** The result of a 5xx response to a request that must be rejected. Default: fail. */
  readonly serverError?: 'warn'
  /**
   * How many effects the requests must have; `asVariant`: as many as those of an earlier variant, whose effects are `recorded`. Absent: not judged.
   */
  readonly effects?:
    | { readonly exactly: number }
    | { readonly asVariant: string }
    | { readonly recorded: true }
  /** Default: that of the case. A variant of level INFO does not change the result of a case of another level. */
  readonly level?: RehearsalLevel
}

/** The requests of one step. */
export function requestsOf(step: Variant['steps'][number]): readonly DesignedRequest[] {
  return 'body' in step ? [step] : step
}

/** Topics of fixes, each with code or advice for every framework. */
export type FixTopic =
  | 'verify-raw-body'
  | 'compare-signature'
  | 'require-secret'
  | 'tolerate-fields'
  | 'parse-safely'
  | 'deduplicate'
  | 'verify-first'
  | 'order'
  | 'dispatch-on-body'
  | 'hide-errors'
  | 'body-limit'
  | 'transport'
  | 'respond-fast'
  | 'method'

export type CaseGroup = 'precheck' | 'events' | 'signature' | 'body' | 'effects' | 'transport'

/** A test case for webhook handlers. To add one, add a file to `rehearsal-cases/`. */
export interface RehearsalCase {
  /** Never reused, as `S4`. */
  readonly id: string
  readonly group: CaseGroup
  readonly title: string
  readonly level: RehearsalLevel
  /** The section of the API documentation, or the RFC. Null: the documentation does not describe it. */
  readonly basis: string | null
  /** The sentence of that section. */
  readonly quote?: string
  /** What a correct handler does. */
  readonly expected: string
  /** What it costs to fail, in money or data. */
  readonly why: string
  readonly fix: FixTopic
  /** Sends requests that a handler must not act on. A valid delivery then checks that the handler still responds. */
  readonly hostile?: true
  /** Only runs when load is allowed. */
  readonly load?: true
  /** Requires a secret. */
  readonly needsSecret?: true
  /** Judges an effect, which a status cannot show. */
  readonly needsOracle?: true
  /**
   * The requests of each variant. An empty list: the case does not apply, because `skipped` says why. Absent: the case judges the responses of all other
   * cases (see `engine/rehearsal/all-responses.ts`).
   */
  variants?(builder: RequestBuilder): readonly Variant[]
  /** Why the case is skipped if it has no variants. */
  readonly skipped?: string
}

/** Defines a case. The catalogue collects the default exports of `rehearsal-cases/`. */
export function defineCase(definition: RehearsalCase): RehearsalCase {
  return definition
}

/** A type that the API documentation does not have. */
export const unknownEventType = 'TABSCOPE_UNKNOWN'

/**
 * The JSON of an event, some of whose data is written in another form: `bodyWith(event, { total: '12.50' })`.
 *
 * @param members JSON texts by key. Keys that the data does not have are added, in this order.
 */
export function bodyWith(event: Payload, members: Readonly<Record<string, string>>): string {
  const { data, ...common } = event
  const known: Record<string, unknown> = Object(data)
  const texts = new Map(Object.entries(known).map(([key, value]) => [key, JSON.stringify(value)]))
  for (const [key, text] of Object.entries(members)) texts.set(key, text)
  const all = [...texts].map(([key, text]) => `${JSON.stringify(key)}:${text}`)
  return `${JSON.stringify(common).slice(0, -1)},"data":{${all.join(',')}}}`
}

/** A test case for OAuth clients. `engine/rehearsal/oauth/scenarios.ts` has what the authorization server does. To add one, add a file to `oauth-cases/`. */
export interface OAuthCase extends Pick<
  RehearsalCase,
  'id' | 'title' | 'level' | 'basis' | 'quote' | 'expected' | 'why'
> {
  /** How a client is fixed. */
  readonly fix: string
  /** A client that fails it reveals its secret or a token, or lets somebody act in the session of another user. It caps the grade at F. */
  readonly critical?: true
}

/** Defines a case. `oauth-cases.ts` collects the default exports of `oauth-cases/`. */
export function defineOAuthCase(definition: OAuthCase): OAuthCase {
  return definition
}
