import type { Related } from '#contract/deliveries.ts'
import { field } from '#catalogue/payload.ts'
import { repeatsOf } from './marks.ts'
import { nameText, sameLocation, targetOf, timeOf, type Traced } from './traced.ts'

/** SPEC, "Limits": at most one QR_SCANNED per customer and target in so many milliseconds. */
export const throttleMs = 5 * 60_000

/**
 * What the throttle lets one say of a scan: until when no event comes for the same guest, and how many guests there were at least. Null
 * for other types. `others`: scans of the same target, this one may be among them. Never a violation: the payload has no customer. Pure.
 */
export function throttleOf(scan: Traced, others: readonly Traced[]): Related['throttle'] {
  const target = targetOf(scan.payload)
  if (scan.payload.type !== 'QR_SCANNED' || target === null) return null
  const at = timeOf(scan.row)
  const before = others.filter(
    ({ row, payload }) =>
      row.id !== scan.row.id &&
      payload.type === 'QR_SCANNED' &&
      targetOf(payload) === target &&
      sameLocation(scan.payload, payload) !== false &&
      timeOf(row) > at - throttleMs &&
      timeOf(row) <= at,
  )
  const scans = [...before, scan]
  // What was sent twice is one event: it tells of no second guest.
  const events = scans.length - repeatsOf(scans).size
  return {
    target,
    name: nameText(field(scan.payload.data, 'targetName')),
    until: at + throttleMs,
    events,
    guestsAtLeast: events,
  }
}
