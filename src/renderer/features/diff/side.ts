import type { Delivery, Header } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import type { ReadSlice } from '../body/use-body.ts'
import type { Scope } from '../deliveries/scope/scope.ts'

/** One of two messages that are compared. Made once for as long as it is shown: another object is another message. */
export interface DiffSide {
  readonly headers: readonly Header[]
  /** Bytes of body that came, and that are kept. */
  readonly bytes: number
  readonly bytesKept: number
  /** Hex, of the body as kept; null: not known, as of a body that was redacted. */
  readonly sha256: string | null
  readonly read: ReadSlice
}

/** A delivery as one of the two. */
export function deliverySide(client: Client, delivery: Delivery, log: Scope): DiffSide {
  const { id, headers, bytes, bytesKept, sha256 } = delivery
  return {
    headers,
    bytes,
    bytesKept,
    sha256: digestOf(sha256),
    read: (slice) => client.call('deliveries.body', { id, log, ...slice }),
  }
}

/** In an event log a pseudonym stands in the place of the digest of a redacted body: it says nothing about the bytes that are here. */
export function digestOf(sha256: string): string | null {
  return /^[0-9a-f]{64}$/i.test(sha256) ? sha256 : null
}
