import type { Filter, FilterError } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'

/** Why a filter cannot be read; null: it can. */
export function filterFault(text: string): FilterError | null {
  const parsed = parseFilter(text)
  return parsed.ok ? null : parsed.error
}

/**
 * Whether what it asks of a delivery changes by the user's hand: pinned, noted, tagged. That one is a duplicate is found as the index
 * comes to it, and told as an arrival is.
 */
export function asksWhatChanges(text: string): boolean {
  const parsed = parseFilter(text)
  return parsed.ok && asks(parsed.filter)
}

const byHand: readonly string[] = ['pinned', 'noted', 'tagged']

function asks(filter: Filter): boolean {
  switch (filter.kind) {
    case 'all':
    case 'text':
      return false
    case 'and':
    case 'or':
      return filter.parts.some(asks)
    case 'not':
      return asks(filter.part)
    case 'field':
      return (
        ['tag', 'note'].includes(filter.field) ||
        (filter.field === 'is' && filter.values.some(({ text }) => byHand.includes(text)))
      )
  }
}
