import type { DeliverySummary, Facts } from '#contract/models.ts'

/** One delivery in words. */
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

/** Its title, with what other deliveries say about its tab and order. `formatTime`: for the time at which a tab was opened. */
export function sentenceOf(
  { title, target, facts }: Described,
  formatTime: (at: number) => string,
): Sentence {
  const own = title.split(separator)
  const spot = facts?.spot ?? null
  if (spot !== null && own.length > 1 && own[0] === spot) own.shift()
  const [heading = '', ...details] = own
  if (!facts) return { spot, heading, details }
  const { tab, order, opened } = facts
  const tabName = tab?.name ?? null
  return {
    spot,
    heading: opened !== null && tabName !== null ? `Tab ${tabName} closed` : heading,
    details: [
      ...details,
      ...(opened ? [openedText(opened, formatTime)] : []),
      ...(order && order.name !== null && order.id !== target ? [`order ${order.name}`] : []),
      ...(tab && tabName !== null && tab.id !== target ? [`tab ${tabName}`] : []),
    ],
  }
}

function openedText(
  { at, orders }: NonNullable<Facts['opened']>,
  formatTime: (at: number) => string,
): string {
  const count = orders === 1 ? '1 order' : `${orders} orders`
  return at === null ? count : `opened ${formatTime(at)}, ${count}`
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
