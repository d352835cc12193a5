import { sentenceText } from '#catalogue/sentence.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { clockMinutes } from '#kit/text/time.ts'

/** "T4 · Order A-17 · Pale Ale, Fries · tab Miller", or the request if its body says nothing. Not escaped. */
export function deliveryTitle(row: DeliverySummary): string {
  return sentenceText(row, clockMinutes) || `${row.method} ${row.path}`
}
