import type { Filter } from '#contract/filter/ast.ts'
import { topTerms } from '#contract/filter/edit.ts'
import { micros, type FilterContext, type Term } from './matching.ts'

/** Nothing outside these microseconds since the epoch matches; null: no end. */
export interface Received {
  readonly from: number | null
  readonly to: number | null
}

/** What `since` and `before` say for the whole of a filter. */
export function receivedBy(filter: Filter, world: Pick<FilterContext, 'asOf'>): Received {
  const terms = topTerms(filter).filter((term): term is Term => term.kind === 'field')
  const moments = (field: string): number[] =>
    terms
      .filter((term) => term.field === field)
      .map((term) => term.values.map(({ text }) => micros(text, world)))
      .map((values) => (field === 'since' ? Math.min(...values) : Math.max(...values)))
  const from = moments('since')
  const to = moments('before')
  return {
    from: from.length > 0 ? Math.max(...from) : null,
    to: to.length > 0 ? Math.min(...to) : null,
  }
}
