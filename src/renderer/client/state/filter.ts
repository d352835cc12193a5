import type { Filter, FilterError } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { readTime } from '#contract/filter/values.ts'

/** The error in a filter; null if it is valid. */
export function filterFault(text: string): FilterError | null {
  const parsed = parseFilter(text)
  return parsed.ok ? null : parsed.error
}

/**
 * Whether the filter uses properties that the user can change: pins, notes and tags. Duplicates are not included, because the engine reports
 * them like new deliveries.
 */
export function usesAnnotations(text: string): boolean {
  const parsed = parseFilter(text)
  return parsed.ok && some(parsed.filter, isUserEditable)
}

/** Whether the filter uses the verdict, which a new check can change. */
export function usesVerdict(text: string): boolean {
  const parsed = parseFilter(text)
  return parsed.ok && some(parsed.filter, ({ field }) => ['verdict', 'secret'].includes(field))
}

/** Whether new deliveries can no longer match, because the filter's time range has ended. `now`: milliseconds since the epoch. */
export function hasEnded(text: string, now: number): boolean {
  const parsed = parseFilter(text)
  return parsed.ok && ended(parsed.filter, now)
}

function ended(filter: Filter, now: number): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.some((part) => ended(part, now))
    case 'or':
      return filter.parts.every((part) => ended(part, now))
    case 'field':
      return (
        filter.field === 'before' &&
        filter.values.every(({ text }) => (readTime(text, now) ?? Infinity) <= now)
      )
    case 'all':
    case 'not':
    case 'text':
      return false
  }
}

type Field = Extract<Filter, { kind: 'field' }>

const userFlags: readonly string[] = ['pinned', 'noted', 'tagged']

function isUserEditable({ field, values }: Field): boolean {
  return (
    ['tag', 'note'].includes(field) ||
    (field === 'is' && values.some(({ text }) => userFlags.includes(text)))
  )
}

function some(filter: Filter, test: (field: Field) => boolean): boolean {
  switch (filter.kind) {
    case 'all':
    case 'text':
      return false
    case 'and':
    case 'or':
      return filter.parts.some((part) => some(part, test))
    case 'not':
      return some(filter.part, test)
    case 'field':
      return test(filter)
  }
}
