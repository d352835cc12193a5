import type { Filter, FilterError } from '#contract/filter/ast.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { readTime } from '#contract/filter/values.ts'

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
  return parsed.ok && some(parsed.filter, isByHand)
}

/** Whether it asks for the result of the signature check, which another check may change. */
export function asksVerdict(text: string): boolean {
  const parsed = parseFilter(text)
  return parsed.ok && some(parsed.filter, ({ field }) => ['verdict', 'secret'].includes(field))
}

/** Whether nothing that arrives from now on can match, since the filter's range of time is over. `now` in milliseconds since the epoch. */
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

const byHand: readonly string[] = ['pinned', 'noted', 'tagged']

function isByHand({ field, values }: Field): boolean {
  return (
    ['tag', 'note'].includes(field) ||
    (field === 'is' && values.some(({ text }) => byHand.includes(text)))
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
