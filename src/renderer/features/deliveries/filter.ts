import type { DeliverySummary, Verdict } from '#contract/models.ts'

export interface DeliveryFilter {
  readonly types: readonly (string | null)[]
  readonly verdicts: readonly Verdict[]
}

/** The choice as a filter's text. */
export function filterText({ types, verdicts }: DeliveryFilter): string {
  return [
    types.length > 0 ? `type:${types.map((type) => type ?? 'none').join(',')}` : '',
    verdicts.length > 0 ? `verdict:${verdicts.join(',')}` : '',
  ]
    .filter((term) => term !== '')
    .join(' ')
}

export const noFilter: DeliveryFilter = { types: [], verdicts: [] }

/** The verdicts in the order of the filter bar. */
export const verdictOrder = [
  'valid',
  'invalid',
  'missing',
  'unsigned',
] as const satisfies readonly Verdict[]

export function isFiltering(filter: DeliveryFilter): boolean {
  return filter.types.length > 0 || filter.verdicts.length > 0
}

/** The same choice as the engine's, for rows that come by push. */
export function matches(filter: DeliveryFilter, row: DeliverySummary): boolean {
  if (filter.types.length > 0 && !filter.types.includes(row.type)) return false
  return filter.verdicts.length === 0 || filter.verdicts.includes(row.verdict)
}

/** The list with `value` taken in, or out when it was in. */
export function toggled<T>(values: readonly T[], value: T): T[] {
  return values.includes(value) ? values.filter((held) => held !== value) : [...values, value]
}
