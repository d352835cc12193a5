import type { Filter } from '#contract/filter/ast.ts'
import { topTerms, withTerm, without, withValues } from '#contract/filter/edit.ts'
import { parseFilter } from '#contract/filter/parse.ts'
import { printFilter } from '#contract/filter/print.ts'

/** The filter with a stretch of time in it, in place of one that was there. Milliseconds since the epoch; `to` is outside. */
export function withRange(text: string, from: number, to: number): string {
  const since = withValues(text, 'since', [new Date(from).toISOString()])
  return withValues(since, 'before', [new Date(to).toISOString()])
}

/** Whether every part of a series' term stands in the filter. */
export function hasTerm(text: string, term: string): boolean {
  const there = partsOf(text).map(printFilter)
  const wanted = partsOf(term).map(printFilter)
  return wanted.length > 0 && wanted.every((part) => there.includes(part))
}

/** The filter with the term of a series, or without it when it was there. */
export function toggledTerm(text: string, term: string): string {
  const wanted = partsOf(term).map(printFilter)
  if (!hasTerm(text, term)) return wanted.reduce(withTerm, text)
  let left = text
  for (const part of wanted) {
    const span = partsOf(left).find((candidate) => printFilter(candidate) === part)
    if (span) left = without(left, span)
  }
  return left
}

function partsOf(text: string): readonly Filter[] {
  const parsed = parseFilter(text)
  return parsed.ok ? topTerms(parsed.filter) : []
}
