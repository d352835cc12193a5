import { eventOf } from '#catalogue/ids.ts'
import type { Related } from '#contract/deliveries.ts'
import type { PageSummary } from '#contract/log-page.ts'
import { throttleOf } from '#engine/trace/throttle.ts'
import { targetOf } from '#engine/trace/traced.ts'
import type { PageLog } from '../log/log.ts'
import type { TraceRecords } from './trace-source.ts'

const shown = 20
const scansLookedInto = 2000

/** What else in this file is like a delivery; null: there is no such delivery. */
export function relatedTo(log: PageLog, records: TraceRecords, id: number): Related | null {
  const delivery = records.traced(id)
  if (!delivery) return null
  const { row, payload } = delivery
  // A part may begin like another, and nothing is the same as nothing.
  const whole = row.arrival === 'complete' && row.bytes > 0
  const event = whole ? eventOf(payload) : null
  const target = targetOf(payload)
  const scans =
    payload.type === 'QR_SCANNED' && target !== null
      ? records.source().mentioning(target, {
          around: id,
          most: scansLookedInto,
          wanted: (head) => head.type === 'QR_SCANNED' && head.target === target,
        }).found
      : []
  return {
    sameBody: alike(
      log,
      (one) => whole && one.id !== id && isWhole(one) && one.sha256 === row.sha256,
    ),
    sameEvent: alike(
      log,
      (one) =>
        event !== null &&
        one.id !== id &&
        one.type === row.type &&
        one.target === row.target &&
        one.createdAt === row.createdAt &&
        one.sha256 !== row.sha256 &&
        isWhole(one) &&
        eventOf(records.traced(one.id)?.payload ?? {}) === event,
    ),
    throttle: throttleOf(delivery, scans),
    indexed: true,
  }
}

function isWhole({ arrival, bytes }: PageSummary): boolean {
  return arrival === 'complete' && bytes > 0
}

/** Newest first. */
function alike(log: PageLog, is: (row: PageSummary) => boolean): Related['sameBody'] {
  const found = log.rows.filter(is).toReversed()
  return { total: found.length, rows: found.slice(0, shown) }
}
