import type { Header } from '#contract/models.ts'
import type { RehearsalLevel } from '#contract/rehearsal.ts'
import type { SampleSource } from '../define.ts'
import type { Payload } from '../payload.ts'

export interface Transmission {
  /** Size of each write of head and body. */
  readonly pieceBytes?: number
  readonly part?: 'head' | 'body'
  readonly pauseMs?: number
  /** Closes the connection after this many bytes of the body, without waiting for a response. */
  readonly stopAfter?: number
}

/** A request of a case, without the address of the target. */
export interface DesignedRequest {
  /** Default: POST. */
  readonly method?: string
  /** Appended to the query of the target. */
  readonly query?: string
  /** In order, without `Host`. Values are Latin-1. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly transmission?: Transmission
  /** Reuses a connection that an earlier request of the variant opened. */
  readonly keepAlive?: boolean
  /** The valid delivery that the request was made from. */
  readonly valid: { readonly headers: readonly Header[]; readonly body: Uint8Array }
}

export interface DeliverOptions {
  /** Null: no header. Default: the signature of the body, if there is a secret. */
  readonly signature?: string | null
  /** The signature still covers the valid body, unless `signed` is set. */
  readonly body?: Uint8Array | string
  /** The signature covers `body`. */
  readonly signed?: boolean
  readonly contentType?: string
  /** Default: the type of the payload. */
  readonly eventType?: string
  /** Removes `Content-Length`, and sends the body as one chunk (RFC 9112, 7.1). */
  readonly chunked?: boolean
  /** Applied to the complete list. */
  readonly headers?: (headers: readonly Header[]) => readonly Header[]
  readonly method?: string
  readonly query?: string
  readonly transmission?: Transmission
  readonly keepAlive?: boolean
}

export interface SignOptions {
  /** Default: the secret. */
  readonly key?: string
  readonly algorithm?: 'hmac-sha256' | 'hmac-sha1' | 'sha256'
  readonly encoding?: 'hex' | 'base64'
}

/** The same seed gives the same identifiers; only `createdAt` is the current time. */
export interface RequestBuilder {
  readonly brand: string
  /** False: no request has a signature. */
  readonly hasSecret: boolean
  /** Of the endpoint. */
  readonly previousSecret: string | null
  /** Of the integration; null: unknown. */
  readonly accessSecret: string | null
  readonly sample: SampleSource
  /** Has generated identifiers. `changes` replaces common properties; undefined removes one. */
  event(type?: string, changes?: Payload): Payload
  /** A string is the exact text of the body. */
  deliver(payload: Payload | string, options?: DeliverOptions): DesignedRequest
  /** Empty without a secret. */
  sign(body: Uint8Array | string, options?: SignOptions): string
  randomHex(length: number): string
  /** RFC 1952 */
  gzip(body: string): Uint8Array
}

/**
 * `reject`: 4xx. `reject-or-acknowledge`: also accepted, if the handler acknowledges first. `refuse`: 4xx or a closed connection, before the complete
 * body was read. `no-server-error`: below 500. `accept-or-too-large`: accepted or 413. `not-allowed`: 404 or 405. `none`: anything, even no response.
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
  /** In order; the requests of a list are sent at the same time. */
  readonly steps: readonly (DesignedRequest | readonly DesignedRequest[])[]
  /** For every response, or one for each step. */
  readonly expect: StatusExpectation | readonly StatusExpectation[]
  /** The result of a 5xx response to a request that must be rejected. Default: fail. */
  readonly serverError?: 'warn'
  /** What a failure with this status says, as a sentence; null: there was no response. */
  readonly meaning?: (status: number | null) => string
  /** How many effects the requests must have; `asVariant`: as many as those of an earlier variant, whose effects are `recorded`. Absent: not judged. */
  readonly effects?:
    | { readonly exactly: number }
    | { readonly asVariant: string }
    | { readonly recorded: true }
  /** Default: that of the case. A variant of level INFO does not change the result of a case of another level. */
  readonly level?: RehearsalLevel
}

export function variant(
  name: string,
  steps: Variant['steps'],
  expect: Variant['expect'],
  more: Omit<Variant, 'name' | 'steps' | 'expect'> = {},
): Variant {
  return { name, steps, expect, ...more }
}

export function requestsOf(step: Variant['steps'][number]): readonly DesignedRequest[] {
  return 'body' in step ? [step] : step
}

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

/** For webhook handlers. To add a case, add it to the file of its group in `rehearsal-cases/`. */
export interface RehearsalCase {
  /** `S4`; never reused. */
  readonly id: string
  readonly group: CaseGroup
  readonly title: string
  readonly level: RehearsalLevel
  /** The section of the API documentation, or the RFC. Null: the documentation does not describe it. */
  readonly basis: string | null
  readonly quote?: string
  /** What a correct handler does. */
  readonly expected: string
  /** What it costs to fail, in money or data. */
  readonly why: string
  readonly fix: FixTopic
  /** Sends requests that a handler must not act on. A valid delivery then checks that the handler still responds. */
  readonly hostile?: true
  readonly load?: true
  readonly needsSecret?: true
  /** Its variants are bodies of growing size. */
  readonly growing?: true
  /** Judges an effect, which a status cannot show. */
  readonly needsObserver?: true
  /** Empty: the case is skipped because of `skipped`. Absent: it judges the responses of all other cases (`engine/handlers/rehearsal/all-responses.ts`). */
  variants?(builder: RequestBuilder): readonly Variant[]
  /** Why the case is skipped if it has no variants. */
  readonly skipped?: string
}

export function casesOf(
  group: CaseGroup,
  cases: readonly Omit<RehearsalCase, 'group'>[],
): readonly RehearsalCase[] {
  return cases.map((each) => ({ ...each, group }))
}

const basis = 'Signature verification'
/** The members of cases that are based on the same sentence of the API documentation. */
export const verification = {
  rawBody: { basis, quote: 'Take the raw request body as a string, before any JSON parsing.' },
  compute: {
    basis,
    quote: 'Compute HMAC-SHA256 of the body with the secret as key and hex-encode the result.',
  },
  compare: {
    basis,
    quote:
      'Compare with the value of `X-Service-Signature`; they must be equal for an authentic delivery.',
  },
} as const

export const unknownEventType = 'TABSCOPE_UNKNOWN'

/**
 * The JSON of an event with some data in another form: `bodyWith(event, { total: '12.50' })`. `members`: JSON texts by key; keys that the data does not
 * have are added, in this order.
 */
export function bodyWith(event: Payload, members: Readonly<Record<string, string>>): string {
  const { data, ...common } = event
  const known: Record<string, unknown> = Object(data)
  const texts = new Map(Object.entries(known).map(([key, value]) => [key, JSON.stringify(value)]))
  for (const [key, text] of Object.entries(members)) texts.set(key, text)
  const all = [...texts].map(([key, text]) => `${JSON.stringify(key)}:${text}`)
  return `${JSON.stringify(common).slice(0, -1)},"data":{${all.join(',')}}}`
}

export interface OAuthCase extends Pick<
  RehearsalCase,
  'id' | 'title' | 'level' | 'basis' | 'quote' | 'expected' | 'why'
> {
  readonly fix: string
  /** A client that fails it reveals its secret or a token, or lets somebody act in another user's session. Caps the grade at F. */
  readonly critical?: true
}
