import type { Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'

/** One HTTP request. It is sent as it stands: no header is added but `Host`, `Connection` and the body's length. */
export interface HttpRequest {
  readonly method: string
  /** http or https; a fragment is not sent. */
  readonly url: URL
  readonly headers: readonly Header[]
  /** Null: none is sent. */
  readonly body: Uint8Array | null
  /** Milliseconds for all of it, from the name being looked up to the last byte. */
  readonly timeout: number
  /** What of the answer's body is kept, in bytes; the rest is counted and dropped. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  /** Order, case and duplicates as they came. */
  readonly headers: readonly Header[]
  /** As it came, not decoded. */
  readonly body: Uint8Array
  /** Bytes of body that came; more than `body` holds when it is truncated. */
  readonly bytes: number
  readonly truncated: boolean
  readonly timings: Timings
}

/** Why no whole answer came. */
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

/** `message` is a sentence for people, without the address's query. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly code: HttpFailureCode
  readonly timings: Timings
  /** What came of an answer that is not whole, so that a record can show it; null when not even its headers came. */
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
