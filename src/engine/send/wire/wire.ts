import type { AttemptError } from '#contract/sending.ts'
import type { Timings } from '#contract/http.ts'
import type { Header } from '#contract/models.ts'

/**
 * One request as bytes on a connection. The headers go out as they stand, in this order and case, and nothing is added; the body is framed as
 * they say: by `Content-Length`, in one chunk where `Transfer-Encoding` is `chunked`, else not at all.
 */
export interface WireRequest {
  readonly method: string
  /** http or https. */
  readonly url: URL
  /** What stands in the request line behind the method, as it goes out. Without it path and query of the address. */
  readonly target?: string
  readonly headers: readonly Header[]
  readonly body: Uint8Array
  /** Behind the last chunk; none where the body is not in chunks. */
  readonly trailers: readonly Header[]
}

export interface WireOptions {
  /** Milliseconds for all of it. */
  readonly timeout: number
  /** Of the answer's body so much is kept, in bytes. */
  readonly maxAnswerBytes: number
  /** False: any certificate is taken. */
  readonly verifyTls: boolean
  /** False: an address that is neither loopback nor private is not connected to (`unconfirmed`). Judged by the address that is connected to. */
  readonly publicAllowed: boolean
  /** Uses a connection that is there, and leaves it open for the next. False: one of its own, so that all of its phases are timed. */
  readonly keepAlive: boolean
  /** By what our own listener is to know it, when it goes there. */
  readonly own: 'forward' | 'send'
  readonly signal?: AbortSignal | undefined
}

export interface WireAnswer {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  /** Order, case and duplicates as they came. */
  readonly headers: readonly Header[]
  /** What is kept of it, not decoded. */
  readonly body: Uint8Array
  /** Bytes that came. */
  readonly bytes: number
}

/** What came of it. Both `answer` and `error` are set where the answer broke off. */
export interface WireOutcome {
  readonly answer: WireAnswer | null
  readonly error: AttemptError | null
  readonly timings: Timings
  /** `127.0.0.1:3000`; null: no connection came about. */
  readonly remoteAddress: string | null
  readonly reused: boolean
  /** Null: no TLS. */
  readonly tlsVerified: boolean | null
}

/** Connections to targets. One for the sender thread. */
export interface Wire {
  /** Never rejects. */
  exchange(request: WireRequest, options: WireOptions): Promise<WireOutcome>
  /** Ends what is under way as `aborted`, and closes every connection. */
  close(): Promise<void>
}
