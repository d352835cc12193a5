import type { Delivery, Header, SignatureReport } from '#contract/models.ts'
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
  /** Of an event log: its body was redacted, or is not in the log. Null: the body is here as captured. */
  readonly altered: 'redacted' | 'omitted' | null
  readonly read: ReadSlice
}

/** A delivery as one of the two. `ofLog`: what its signature report says of its body. */
export function deliverySide(
  client: Client,
  delivery: Delivery,
  log: Scope,
  ofLog: SignatureReport['ofLog'],
): DiffSide {
  const { id, headers, bytes, bytesKept, sha256 } = delivery
  const omitted = ofLog !== null && ofLog.omitted !== null
  const altered = omitted ? 'omitted' : ofLog?.bodyRedacted === true ? 'redacted' : null
  return {
    headers,
    bytes,
    bytesKept,
    // An older log has the digest of the body as captured, which is not that of a body that was redacted.
    sha256: altered === null ? digestOf(sha256) : null,
    altered,
    read: (slice) => client.call('deliveries.body', { id, log, ...slice }),
  }
}

/** In an event log a pseudonym stands in the place of the digest of a redacted body: it says nothing about the bytes that are here. */
export function digestOf(sha256: string): string | null {
  return /^[0-9a-f]{64}$/i.test(sha256) ? sha256 : null
}
