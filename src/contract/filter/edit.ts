import type { Filter, Span } from './ast.ts'
import { parseFilter } from './parse.ts'
import { printFilter, printLiteral } from './print.ts'

type Term = Extract<Filter, { kind: 'field' }>

/** Returns the terms that must all match. Each can be shown as a chip. */
export function topTerms(filter: Filter): readonly Filter[] {
  if (filter.kind === 'all') return []
  return filter.kind === 'and' ? filter.parts : [filter]
}

/** Returns the values of the first top-level term `field:a,b`; empty: no such term, or an invalid filter. */
export function valuesOf(text: string, field: string): readonly string[] {
  return termOf(text, field)?.values.map((value) => value.text) ?? []
}

/**
 * Replaces the top-level term of `field` with `field:a,b`, or removes it if there are no values. The rest of the text is not changed.
 * Values are literal, except `none` for "no value".
 */
export function withValues(text: string, field: string, values: readonly string[]): string {
  const term = termOf(text, field)
  if (values.length === 0) return term ? without(text, term) : text
  const written = `${field}:${values.map(printLiteral).join(',')}`
  if (!term) return withTerm(text, written)
  return `${text.slice(0, term.from)}${written}${text.slice(term.to)}`
}

/** Adds a term that must also match. An existing term is not added twice. */
export function withTerm(text: string, term: string): string {
  const parsed = parseFilter(text)
  if (text.trim() === '') return term
  // Insert before invalid text, because an unclosed quotation mark would include the term.
  if (!parsed.ok) return `${term} ${text}`
  const { filter } = parsed
  const added = parseFilter(term)
  const same = added.ok ? printFilter(added.filter) : term
  if (topTerms(filter).some((part) => printFilter(part) === same)) return text
  const before = bindsLooser(filter) ? `(${text.trim()})` : text
  return `${before.trimEnd()} ${term}`
}

/** Removes the term at `span`, and the `and` or `or` that joined it. */
export function without(text: string, span: Span): string {
  const before = text.slice(0, span.from)
  const after = text.slice(span.to)
  const [, joinedBefore] = /(?:^|[\s)])((?:and|or)\s*)$/i.exec(before) ?? []
  const [joinedAfter] = /^\s*(?:and|or)(?=[\s(])\s*/i.exec(after) ?? []
  if (joinedBefore !== undefined) {
    return tidy(before.slice(0, before.length - joinedBefore.length), after)
  }
  return tidy(before, joinedAfter === undefined ? after : after.slice(joinedAfter.length))
}

/** Joins two texts with one space, without spaces at the ends. */
function tidy(before: string, after: string): string {
  const left = before.trimEnd()
  const right = after.trimStart()
  const space = left === '' || right === '' || left.endsWith('(') || right.startsWith(')')
  return `${left}${space ? '' : ' '}${right}`
}

/** An `or` without brackets needs brackets before another term is added. */
function bindsLooser(filter: Filter): boolean {
  return filter.kind === 'or' && filter.from === filter.parts[0]?.from
}

function termOf(text: string, field: string): Term | undefined {
  const parsed = parseFilter(text)
  if (!parsed.ok) return undefined
  for (const part of topTerms(parsed.filter)) {
    if (part.kind === 'field' && part.field === field && part.comparison === '=') return part
  }
  return undefined
}
