import type { StoreApi } from 'zustand'
import { eventTypeOf } from '#catalogue/catalogue.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { DeliveriesState } from '../../../state/deliveries.ts'

const most = 50

/** Remembers types that the document does not know, so that one can filter by them. */
export function noteUnknownTypes(
  deliveries: StoreApi<DeliveriesState>,
  rows: readonly DeliverySummary[],
): void {
  const { unknownTypes } = deliveries.getState()
  const found = new Set(unknownTypes)
  for (const { type } of rows) {
    if (type !== null && !eventTypeOf(type) && found.size < most) found.add(type)
  }
  if (found.size > unknownTypes.length) deliveries.setState({ unknownTypes: [...found].sort() })
}
