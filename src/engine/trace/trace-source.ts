import type { Traced } from './traced.ts'

/** A body above this is not parsed for a trace, in bytes: the query must not hold up those behind it. */
export const traceBodyLimit = 256 * 1024

/** What a row tells of a delivery without its body. */
export interface Head {
  readonly id: number
  readonly type: string | null
  readonly target: string | null
  readonly location: string | null
}

export interface Found {
  /** In order of arrival. */
  readonly found: Traced[]
  /** True: there may be more. */
  readonly cut: boolean
}

/** What traces ask of the store. */
export interface TraceSource {
  /** The delivery as it is, or null where there is none. */
  read(id: number): Traced | null
  /**
   * Those that mention an id in whatever field, as far as the search index knows, nearest to `around` in arrival first when there are more
   * than `most`. Hashes find them: whoever asks compares the payload.
   */
  mentioning(
    id: string,
    options: { around: number; most: number; wanted?: (head: Head) => boolean },
  ): Found
  /** Those of a type that arrived between two times (milliseconds since the epoch), the earliest first where there are too many. */
  arrived(
    type: string,
    options: { from: number; to: number; most: number; wanted?: (head: Head) => boolean },
  ): Found
  /** Deliveries whose bodies were too large to be looked into. */
  unread(): number
}
