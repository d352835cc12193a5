import type { DeliverySummary, Facts } from '#contract/models.ts'

export interface Sentence {
  /** Table or spot; null: unknown. */
  readonly spot: string | null
  /** "Order A-17" */
  readonly heading: string
  /** "Pale Ale, Fries", "tab Miller" */
  readonly details: readonly string[]
}

type Described = Pick<DeliverySummary, 'title' | 'target' | 'facts'>

const separator = ' · '

/** Its title, with what other deliveries say about its tab. `formatTime`: for the time at which a tab was opened. */
export function sentenceOf(
  { title, target, facts }: Described,
  formatTime: (at: number) => string,
): Sentence {
  const own = title.split(separator)
  const spot = facts?.spot ?? null
  if (spot !== null && own.length > 1 && own[0] === spot) own.shift()
  const [heading = '', ...details] = own
  if (!facts) return { spot, heading, details }
  const { tab, openedAt } = facts
  const tabName = tab?.name ?? null
  return {
    spot,
    heading: openedAt !== null && tabName !== null ? `Tab ${tabName} closed` : heading,
    details: [
      ...details,
      ...(openedAt === null ? [] : [`opened ${formatTime(openedAt)}`]),
      ...(tab && tabName !== null && tab.id !== target ? [`tab ${tabName}`] : []),
    ],
  }
}

/** "T4 · Order A-17 · Pale Ale, Fries · tab Miller" */
export function sentenceText(...of: Parameters<typeof sentenceOf>): string {
  const { spot, heading, details } = sentenceOf(...of)
  return [...(spot === null ? [] : [spot]), heading, ...details].join(separator)
}

/** Two decimals, without a currency, because the API documentation gives none. */
export function amountText(facts: Facts | null): string {
  return facts?.amount == null ? '' : facts.amount.toFixed(2)
}
