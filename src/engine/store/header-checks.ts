import type { HeaderCheck } from '#contract/deliveries.ts'
import type { Header } from '#contract/models.ts'
import { parseBody } from '../capture/parse-body.ts'
import { headerChecks } from '../conformance/header-checks.ts'
import { readBody, readDelivery } from './deliveries.ts'
import type { Db } from './driver.ts'
import { readEndpoints } from './endpoints.ts'

export interface HeaderChecksQuery {
  readonly id: number
  /** Of the endpoint as it is now; null: it is not there any more, or the delivery is one of an event log, whose endpoints stand beside it. */
  readonly settings: {
    readonly applicationId: string
    readonly customHeaders: readonly Header[]
  } | null
}

/** The header breakdown of a delivery; null: there is no such delivery. */
export function readHeaderChecks(
  db: Db,
  { id, settings }: HeaderChecksQuery,
): HeaderCheck[] | null {
  const delivery = readDelivery(db, id)
  const body = readBody(db, id, 0, Number.MAX_SAFE_INTEGER)
  if (!delivery || !body) return null
  const { brand, headers, arrival, verdict, endpointId } = delivery
  const none = { applicationId: '', customHeaders: [] }
  const beside = (): HeaderChecksQuery['settings'] =>
    readEndpoints(db).find((each) => each.id === endpointId) ?? null
  const endpoint = endpointId === null ? null : (settings ?? beside() ?? none)
  return headerChecks({ brand, endpoint, headers, parsed: parseBody(body.bytes), arrival, verdict })
}
