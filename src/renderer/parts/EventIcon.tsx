import { Icons, iconsByName } from '#kit/icons.tsx'
import { sentenceText } from '#catalogue/sentence.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { clockMinutes } from '#kit/text/time.ts'

interface Props {
  /** A Lucide icon name in kebab case, from the event type. An unknown name is shown as a ticket. */
  name: string
}

export function EventIcon({ name }: Props) {
  const Icon = iconsByName[name] ?? Icons.Ticket
  return <Icon aria-hidden strokeWidth={1.75} />
}

/** "T4 · Order A-17 · Pale Ale, Fries · tab Miller", or the request if its body says nothing. Not escaped. */
export function deliveryTitle(row: DeliverySummary): string {
  return sentenceText(row, clockMinutes) || `${row.method} ${row.path}`
}
