import type { SignatureReport } from '#contract/models.ts'
import { signaturesOf } from '../signature/received.ts'
import { readDelivery } from './deliveries.ts'
import type { Db } from './driver.ts'
import { createLogRestReader } from './log-deliveries.ts'

/** What a log tells of a signature: that of the moment it was captured, and whether its body is still the same. Null: not in the log. */
export function readLoggedSignature(db: Db, id: number): SignatureReport | null {
  const delivery = readDelivery(db, id)
  if (!delivery) return null
  const rest = createLogRestReader(db)(id)
  return {
    verdict: delivery.verdict,
    ...signaturesOf(delivery),
    computed: [],
    bytes: delivery.bytes,
    steps: [],
    changedSince: false,
    ofLog: { bodyRedacted: rest?.bodyRedacted ?? false, omitted: rest?.omitted ?? null },
  }
}
