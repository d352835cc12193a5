import type { Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'

/** Sent unchanged, except that `Host`, `Connection` and the body's length are added if missing. */
export interface HttpRequest {
  readonly method: string
  /** http or https; a fragment is not sent. */
  readonly url: URL
  readonly headers: readonly Header[]
  readonly body: Uint8Array | null
  /** Milliseconds from the DNS lookup to the last byte. */
  readonly timeout: number
  /** How much of the response body to keep; the rest is counted and discarded. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface HttpResponse {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  /** In the original order and case, with duplicates. */
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  readonly bytes: number
  readonly truncated: boolean
  readonly timings: Timings
  /** `host:port` of the proxy that the request went through; absent: none. */
  readonly proxy?: string
}

export type HttpFailureCode =
  | 'unresolved'
  | 'refused'
  /** The proxy cannot be reached, or refuses the request. */
  | 'proxy'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'malformed'
  | 'invalid_request'
  | 'unreachable'

/** `message` is a sentence for users, without the query of the URL. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly code: HttpFailureCode
  readonly timings: Timings
  /** The incomplete response; null if not even its headers were received. */
  readonly partial: HttpResponse | null

  constructor(
    code: HttpFailureCode,
    message: string,
    timings: Timings,
    cause?: unknown,
    partial?: HttpResponse,
  ) {
    super(message, { cause })
    this.code = code
    this.timings = timings
    this.partial = partial ?? null
  }
}
