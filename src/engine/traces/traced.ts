import type { TraceEntry, TraceMark } from '#contract/deliveries.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { field, type Payload } from '#catalogue/payload.ts'

/** A delivery as a trace reads it: its row, and its body where that is a JSON object (else an empty one). */
export interface Traced {
  readonly row: DeliverySummary
  readonly payload: Payload
}

/** A delivery that belongs into a trace, and why. */
export interface Placed extends Traced {
  readonly relation: TraceEntry['relation']
  readonly by: string
  /** What was seen while it was looked for (`merged`, `caused`). */
  readonly marks: readonly TraceMark[]
}

/** Milliseconds since the epoch: when it was created, as the service says; where it does not say, when it arrived. */
export function timeOf({ createdAt, receivedAt }: DeliverySummary): number {
  return createdAt ?? receivedAt
}

/** An id as text, numbers as they would be written; null for everything else and for the empty text. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** An id directly in `data`. */
export function dataId({ data }: Payload, key: string): string | null {
  return idText(field(data, key))
}

/** The target: `targetUuid`, else `targetId`. */
export function targetOf({ targetUuid, targetId }: Payload): string | null {
  return idText(targetUuid) ?? idText(targetId)
}

/** A name for people, or null. */
export function nameText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}

/** Whether two events say that they occurred at one location; null: what they say cannot be compared. */
export function sameLocation(a: Payload, b: Payload): boolean | null {
  for (const key of ['locationUuid', 'locationId', 'locationName'] as const) {
    const [one, other] = [idText(a[key]), idText(b[key])]
    if (one !== null && other !== null) return one === other
  }
  return null
}

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
