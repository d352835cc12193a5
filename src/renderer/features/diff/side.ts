import type { Delivery, Header, SignatureReport } from '#contract/models.ts'
import type { Client } from '../../platform/client.ts'
import type { ReadSlice } from '../body/index.ts'
import { type Scope, shownScope } from '../../state/scope.ts'
import { create } from 'zustand'
import { listAddress } from '../../routes/deliveries.ts'
import { openDelivery, useDeliveries } from '../../state/deliveries.ts'

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

/** A delivery that others are compared with, of any scope: one of a log can be held against a live one. */
export interface DiffBase {
  readonly log: Scope
  readonly id: number
}

interface DiffState {
  /** Null: none is chosen. */
  readonly base: DiffBase | null
}

export const useDiff = create<DiffState>(() => ({ base: null }))

export function setBase(base: DiffBase | null): void {
  useDiff.setState({ base })
}

/** Whether it is this delivery of this scope. */
export function isBase(base: DiffBase | null, log: Scope, id: number | null): boolean {
  return base !== null && base.log === log && base.id === id
}

/** The one key for it: the first delivery becomes the base, any other is compared with it, the base itself ends it. */
export function compare(): void {
  const log = shownScope()
  const { selectedId: id } = useDeliveries.getState()
  const { base } = useDiff.getState()
  if (id === null) return
  if (base === null) setBase({ log, id })
  else if (isBase(base, log, id)) setBase(null)
  else showDiff({ log, id })
}

/** Shows how a delivery differs from the base, in the list that it belongs to. */
export function showDiff({ log, id }: DiffBase): void {
  openDelivery(id, log)
  useDeliveries.of(log).setState({ tab: 'diff' })
  if (log !== shownScope()) location.assign(listAddress(log))
}
