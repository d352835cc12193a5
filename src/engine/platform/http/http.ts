import type { Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'

/** An HTTP request. It is sent unchanged, except that `Host`, `Connection` and the body's length are added if missing. */
export interface HttpRequest {
  readonly method: string
  /** http or https; a fragment is not sent. */
  readonly url: URL
  readonly headers: readonly Header[]
  /** Null: no body. */
  readonly body: Uint8Array | null
  /** Time limit for everything, from the DNS lookup to the last byte, in milliseconds. */
  readonly timeout: number
  /** Maximum number of bytes of the response body to keep; the rest is counted and discarded. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  /** In the original order and case, with duplicates. */
  readonly headers: readonly Header[]
  /** As received, not decoded. */
  readonly body: Uint8Array
  /** Size of the body as received; larger than `body` if it is truncated. */
  readonly bytes: number
  readonly truncated: boolean
  readonly timings: Timings
}

/** Why there is no complete response. */
export type HttpFailureCode =
  | 'unresolved'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'malformed'
  | 'invalid_request'
  | 'unreachable'

/** A failed request. `message` is a sentence for users, without the query of the URL. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly code: HttpFailureCode
  readonly timings: Timings
  /** The incomplete response, so that a record can show it; null if not even its headers were received. */
  readonly partial: HttpAnswer | null

  constructor(
    code: HttpFailureCode,
    message: string,
    timings: Timings,
    cause?: unknown,
    partial?: HttpAnswer,
  ) {
    super(message, { cause })
    this.code = code
    this.timings = timings
    this.partial = partial ?? null
  }
}
