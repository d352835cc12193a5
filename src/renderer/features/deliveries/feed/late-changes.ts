import type { DeliverySummary } from '#contract/models.ts'
import type { DeliveryRows } from '../rows.ts'

/**
 * Rows that changed while pages are on their way: such a page may have been read before the change, and must not undo it. A change that
 * the page is newer than does no harm, since the one after it is told as well.
 */
export function createLateChanges(busy: () => boolean) {
  const late = new Map<number, DeliverySummary>()
  return {
    note(rows: readonly DeliverySummary[]): void {
      if (busy()) for (const row of rows) late.set(row.id, row)
    },
    apply(rows: DeliveryRows): void {
      if (late.size > 0) rows.change([...late.values()])
    },
    /** Forgets them once nothing is on its way. */
    rest(): void {
      if (!busy()) late.clear()
    },
  }
}
