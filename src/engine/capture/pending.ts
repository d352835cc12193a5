import type { Arrived } from './arrived.ts'
import type { Inspection } from './inspect.ts'
import type { DeliveryMeta } from './journal-format.ts'
import type { Plan } from './respond/plan.ts'

/** One inspected request on its way into the journal: the text parts, ready to be written. */
export interface Pending {
  readonly arrived: Arrived
  /** Null: it gets its usual status. */
  readonly plan: Plan | null
  readonly meta: DeliveryMeta
  readonly headers: string
  readonly trailers: string
}

/** Its id is 0 until it is written. */
export function pendingOf(
  arrived: Arrived,
  inspection: Inspection,
  plan: Plan | null,
  fallbackBrand: string,
): Pending {
  const { endpoint, own, via } = arrived
  const meta: DeliveryMeta = [
    0,
    arrived.receivedUs,
    arrived.method,
    arrived.path,
    arrived.httpVersion,
    arrived.remoteAddress,
    endpoint?.id ?? null,
    endpoint?.name ?? null,
    endpoint?.brand ?? fallbackBrand,
    arrived.arrival,
    plan ? plan.reason : arrived.reason,
    arrived.bytes,
    plan ? plan.status : arrived.status,
    inspection.type,
    inspection.target,
    inspection.locationName,
    inspection.createdAt,
    inspection.verdict,
    inspection.secretName,
    inspection.findings,
  ]
  const answeredBy = plan?.answeredBy ?? null
  if (plan && plan.met.length > 0) {
    const applied = plan.how.kind === 'rule' ? plan.how.counted.rule.id : null
    meta.push(own, answeredBy, via, { met: plan.met, applied })
  } else if (via !== null) meta.push(own, answeredBy, via)
  else if (own !== null || answeredBy !== null) meta.push(own, answeredBy)
  return {
    arrived,
    plan,
    meta,
    headers: arrived.rawHeaders.join('\n'),
    trailers: arrived.rawTrailers.join('\n'),
  }
}
